"""`python -m spacy nonmono evaluate`."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from wasabi import msg

from ..errors import Errors, refuse
from ..evaluation.compare import KEYS, MADE, choose_reference, compare, read_scores
from ..evaluation.made import made_here
from ..evaluation.names import BREAKDOWN, GOLD_SENTENCES, KINDS, RAW_TEXT
from ..files import write_json, write_text
from .arguments import (
    BOTH,
    DOCS,
    GOLD,
    RAW,
    Code,
    GoldTags,
    GpuId,
    Setting,
    is_trees,
    setting_option,
)
from .scores import show_comparison, show_scores
from .screen import check_exist

ATTACH_LEFT = "attach left"
SAVED = ".json"


Pipelines = Annotated[
    list[str] | None,
    typer.Argument(
        help="Pipelines (folders or installed packages), JSON files that --output wrote, or trees "
        "of any parser (.conllu)",
        show_default=False,
    ),
]
Treebank = Annotated[
    Path,
    typer.Argument(
        help="Treebank file (.conllu, .conllx, .spacy), or a folder; not needed for JSON files alone"
    ),
]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="JSON file for the scores")]
GivenSetting = Annotated[Setting, setting_option(GOLD, DOCS, BOTH, RAW)]
Reference = Annotated[
    str | None,
    typer.Option("--reference", "-r", help="Pipeline to compare with; by default the first"),
]
Baseline = Annotated[
    bool, typer.Option("--baseline", help="Add a baseline: it attaches each word to the word before")
]
Multiword = Annotated[
    Literal["merge", "split"] | None,
    typer.Option(
        "--multiword",
        help="Score each multiword token, such as French 'du', as one token (merge) or as its words "
        "(split). By default merge if a pipeline was trained so, but split with --setting raw",
        show_default=False,
    ),
]
By = Annotated[
    str | None,
    typer.Option(
        "--by",
        metavar="KIND,KIND,...",
        help=f"Show where a pipeline errs, by one or more of these kinds: {', '.join(KINDS)}",
    ),
]
Page = Annotated[
    Path | None,
    typer.Option("--page", help="HTML file for the tables of --by or --agreement, with examples"),
]
Agreement = Annotated[
    bool,
    typer.Option("--agreement", help="Compare two files of trees of which neither is gold"),
]
Words = Annotated[
    Path | None, typer.Option("--words", help="CSV file with a row per word, for pandas and others")
]


def evaluate_cli(
    *,
    pipelines: Pipelines = None,
    treebank: Treebank,
    output: Output = None,
    setting: GivenSetting = BOTH,
    reference: Reference = None,
    baseline: Baseline = False,
    gold_tags: GoldTags = False,
    multiword: Multiword = None,
    by: By = None,
    page: Page = None,
    words: Words = None,
    agreement: Agreement = False,
    code: Code = None,
    use_gpu: GpuId = -1,
) -> None:
    """Score pipelines on a treebank, side by side.

    Each pipeline gets the words of the treebank, or its multiword tokens, and is scored in two settings.
    In the first one the sentence boundaries are given. In the second one the pipeline gets documents of
    ten sentences and finds the boundaries. With --setting raw it gets only the text.

    A JSON file of saved scores may stand in the place of a pipeline; its scores are shown as they are.
    So may a CoNLL-U file with the trees of another parser. It must have the words and sentences of the
    treebank, so its trees are scored with gold sentences only.

    UAS is the share of words with the right head, LAS of words with the right head and label. With
    several pipelines, the table also shows their differences to one of them, the reference.

    With --by, tables show where a single pipeline errs, and its most frequent confusions: of labels, of
    parts of speech of heads, and of whole attachments. The page of --page draws examples of these.
    --words writes what both trees say of each word, and whether it is right.

    With --agreement, the arguments are two files of trees, such as those of two annotators. The tables
    show how far they agree on heads, on labels and on both, also without what chance makes (Cohen's
    kappa), and for each label and part of speech.
    """
    from spacy.cli._util import setup_gpu

    if agreement:
        flags = {"--gold-tags": gold_tags, "--baseline": baseline, "--by": by, "--words": words}
        others = {"--multiword": multiword, "--reference": reference}
        refuse("--agreement", {**flags, **others, f"--setting {setting}": setting not in (GOLD, BOTH)})
        _show_agreement([*(pipelines or []), str(treebank)], output, page)
        return
    if setting is RAW:
        refuse("--setting raw", {"--gold-tags": gold_tags, "--baseline": baseline})
    kinds = None if by is None else _read_kinds(by)
    if page is not None and kinds is None:
        raise typer.BadParameter("the page is of what --by shows; give --by, too", param_hint="--page")
    named, file = find_inputs(pipelines or [], treebank, baseline)
    read = _check_inputs(named, file, setting, gold_tags, baseline, by, words)
    check_exist(read, output, page, words)
    names = column_names(named)
    choose_reference([*names.values(), *([ATTACH_LEFT] if baseline else [])], reference)
    if not baseline and all(name.endswith(SAVED) for name in named):
        refuse("Saved scores", {"--multiword": multiword, f"--setting {setting}": setting is not BOTH})
    if file is not None:
        setup_gpu(use_gpu)
    measured = _measure(names, file, setting, gold_tags, baseline, multiword, kinds, words)
    found = _show(measured, reference)
    if kinds is not None:
        from .breakdowns import make_page, show_breakdown

        ((name, one),) = measured.items()
        show_breakdown(one[BREAKDOWN])
        if page is not None:
            write_text(page, make_page(one[BREAKDOWN], one, title=f"Where {name} errs: {treebank.name}"))
            msg.good("Saved the page", str(page))
    _show_notes(measured)
    if output is not None:
        write_json(output, found)
        msg.good("Saved the scores", str(output))


def _show_agreement(files: list[str], output: Path | None, page: Path | None) -> None:
    from .annotators import show_agreement

    if len(files) != 2 or not all(map(is_trees, files)):
        found = ", ".join(files)
        raise typer.BadParameter(f"{found}: expected two files of trees", param_hint="--agreement")
    check_exist(files, output, page)
    show_agreement(column_names(files), output, page)


def _check_inputs(
    named: list[str], file: Path | None, setting: Setting, gold_tags: bool, baseline: bool,
    by: str | None, words: Path | None,
) -> list[str | Path]:
    """Return the files that are to be read. Ends the command if the options do not go with these."""
    saved = [name for name in named if name.endswith(SAVED)]
    trees = [name for name in named if is_trees(name)]
    if trees:
        refuse("A file of trees", {f"--setting {setting}": setting not in (GOLD, BOTH)})
    if len(saved) + len(trees) == len(named):
        refuse("Nothing to parse", {"--gold-tags": gold_tags})
    if by is not None:
        others = {"--setting raw": setting is RAW, "--baseline": baseline, "saved scores": saved}
        refuse("--by", {**others, "more than one pipeline": len(named) > 1})
    if words is not None:
        refuse("--words", {"--setting raw": setting is RAW, "saved scores": saved})
    return [*saved, *trees, *([] if file is None else [file])]


def _show(measured: dict[str, dict[str, Any]], reference: str | None) -> Any:
    """Show the scores, and return what a file of them holds."""
    if len(measured) > 1:
        found = compare(measured, reference=reference)
        show_comparison(found)
        return found
    (one,) = measured.values()
    show_scores(_scores(one))
    return one


def _show_notes(measured: dict[str, dict[str, Any]]) -> None:
    """Say how the scores were measured, where that is not as usual."""
    scores = {name: _scores(one).values() for name, one in measured.items()}
    with_tags = [name for name, found in scores.items() if any(s.get("gold_tags") for s in found)]
    if with_tags:
        msg.text(f"With gold tags, an oracle setting: {', '.join(with_tags)}.")
    if any(s.get("merged") for found in scores.values() for s in found):
        msg.text("Each multiword token counts as one token. With --multiword split, its words count.")
    for name, one in measured.items():
        if MADE not in one:
            msg.warn(f"{name} does not say when and with what it was measured.")


def find_inputs(pipelines: list[str], last: Path, baseline: bool) -> tuple[list[str], Path | None]:
    """Return the pipelines and saved scores, and the treebank, which is None if `last` is a file of
    scores."""
    if last.suffix != SAVED:
        if not pipelines:
            raise typer.BadParameter(f"{last} stands alone; expected a pipeline and a treebank")
        return pipelines, last
    if baseline or not all(name.endswith(SAVED) for name in pipelines):
        raise typer.BadParameter(f"the last argument is {last}; expected the treebank to score on")
    return [*pipelines, str(last)], None


def _measure(
    names: dict[str, str],
    treebank: Path | None,
    setting: Setting,
    gold_tags: bool,
    baseline: bool,
    multiword: str | None,
    kinds: list[str] | None,
    words: Path | None,
) -> dict[str, dict[str, Any]]:
    """Return the arguments of `evaluation.compare`. Saved scores come first, since they fail at once.

    names: of the columns, by what is scored. multiword: by default merge if a pipeline was trained so.
    kinds: what to break down by, if at all. words: the CSV file for the words of all, if any.
    """
    from ..evaluation.baseline import attach_left
    from ..evaluation.breakdown import break_down
    from ..evaluation.evaluate import ParsedFile, parse_file, read_file_of_trees
    from ..evaluation.raw_text import evaluate_raw_text
    from ..evaluation.words import write_words
    from ..installed import load_pipeline
    from ..treebank.multiword import MERGE, SPLIT, learned_words

    found = {text: read_scores(Path(text)) for text in names if text.endswith(SAVED)}
    if treebank is None:
        return {name: found[text] for text, name in names.items()}
    here = {MADE: made_here()}
    given = [text for text in names if is_trees(text)]
    loaded = {text: load_pipeline(text) for text in names if text not in found and text not in given}
    learned = {learned_words(nlp) for nlp in loaded.values()}
    multiword = multiword or (MERGE if MERGE in learned and setting is not RAW else SPLIT)
    confidence = words is not None
    parse = partial(
        parse_file, gold_tags=gold_tags, multiword=multiword, timed=True, confidence=confidence
    )
    tables: dict[tuple[str, str], ParsedFile] = {}
    for text, nlp in loaded.items():
        if setting is RAW:
            found[text] = {**here, RAW_TEXT: evaluate_raw_text(nlp, treebank, multiword=multiword)}
        else:
            parsed = {name: parse(nlp, treebank, setting=name) for name in setting.settings}
            found[text] = {**here, **{name: one.scores() for name, one in parsed.items()}}
            if kinds is not None:
                found[text][BREAKDOWN] = {name: break_down(one, kinds) for name, one in parsed.items()}
            tables |= {(names[text], name): one for name, one in parsed.items()}
    tokenizer = next(iter(loaded.values()), None)  # all have to count the same words
    for text in given:
        trees = read_file_of_trees(text, treebank, multiword=multiword, tokenizer=tokenizer)
        found[text] = {**here, GOLD_SENTENCES: trees.scores()}
        tables[names[text], GOLD_SENTENCES] = trees
        if kinds is not None:
            found[text][BREAKDOWN] = {GOLD_SENTENCES: break_down(trees, kinds)}
    if words is not None:
        write_words(words, tables)
        msg.good("Saved the words", str(words))
    measured = {name: found[text] for text, name in names.items()}
    if baseline:
        scores = attach_left(treebank, multiword=multiword, tokenizer=tokenizer)
        measured[ATTACH_LEFT] = {**here, **{name: scores[name] for name in setting.settings}}
    return measured


def column_names(named: list[str]) -> dict[str, str]:
    """Return a name for each input: that of a pipeline, the stem of a file, or its path where stems are
    the same.

    Raises ValueError (NM162) if there is one twice.
    """
    doubles = sorted({text for text in named if named.count(text) > 1})
    if doubles:
        raise ValueError(Errors.NM162.format(kind="pipelines", found=", ".join(doubles)))
    short = {text: Path(text).stem if text.endswith(SAVED) or is_trees(text) else text for text in named}
    if len(set(short.values())) == len(named):
        return short
    long = {text: text.removesuffix(SAVED) for text in named}
    # A pipeline and its scores may lie side by side
    return long if len(set(long.values())) == len(named) else {text: text for text in named}


def _read_kinds(text: str) -> list[str]:
    """Return the kinds that a list with commas names."""
    for name in text.split(","):
        if name not in KINDS:
            known = ", ".join(KINDS)
            raise typer.BadParameter(f"{name!r} is not one of: {known}", param_hint="--by")
    return text.split(",")


def _scores(measured: dict[str, Any]) -> dict[str, Any]:
    """Return the scores by setting, without what stands beside them."""
    return {name: measured[name] for name in measured if name in KEYS}
