"""`python -m spacy nonmono adapt`."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from wasabi import msg

from ..errors import count, name_some
from ..evaluation.compare import MADE, compare
from ..evaluation.made import made_here
from ..evaluation.names import DOCUMENTS, METRICS, RAW_TEXT
from ..files import write_json
from ..treebank.formats import TRAIN, find_part
from .advice import system_advice
from .arguments import Code, GpuId, Members, Pipeline, System, TreebankFolder, read_overrides
from .screen import check_exist, percent, show_table

if TYPE_CHECKING:
    from ..recipes.agreement import Agreement
    from ..recipes.changes import Changes

TREES = ("uas", "las")
MAX_EXAMPLE = 48  # characters
N_EXAMPLES = 5


Output = Annotated[Path, typer.Option("--output", "-o", help="Folder for the new pipeline")]
Tune = Annotated[
    bool,
    typer.Option("--tune", help="Train the parser together with a copy of the pipeline's tok2vec"),
]
Force = Annotated[
    bool,
    typer.Option(
        "--force",
        "-F",
        help="Go on even if more than 5 % of the treebank's words are not tokens of the pipeline",
    ),
]
ShowAll = Annotated[bool, typer.Option("--all", help="Also show examples of the most frequent changes")]


def adapt_cli(
    context: typer.Context,
    pipeline: Pipeline,
    treebank: TreebankFolder,
    output: Output,
    system: System = None,
    members: Members = 1,
    tune: Tune = False,
    force: Force = False,
    show_all: ShowAll = False,
    code: Code = None,
    use_gpu: GpuId = -1,
) -> None:
    """Put the parser into a trained pipeline.

    The new parser replaces the parser of the pipeline and takes its name. It is trained on a treebank,
    on the tokens of the pipeline's tokenizer. The other components do not change. At the end, the old
    and the new pipeline parse the raw text of the test part and are compared. Settings of the config may
    follow the options, as for `spacy train`: --training.max_steps 2000.
    """
    from ..recipes.adapt import adapt
    from ..treebank.reader import read_sentences
    from ..treebank.summary import summarize

    train = find_part(treebank, TRAIN)
    check_exist([train])
    # Before the training, while another system can be taken
    advice = system_advice(summarize(read_sentences(train))) if system is None else None
    if advice:
        msg.info(advice)
    adapted = adapt(
        pipeline,
        treebank,
        output,
        system=system,
        members=members,
        tune=tune,
        force=force,
        use_gpu=use_gpu,
        overrides=read_overrides(context),
    )
    tokens = adapted.tokens
    msg.divider("Words")
    msg.text(
        f"{tokens.n_lost:,} of the {tokens.n_words:,} words of the dev part are no tokens of the "
        "pipeline" + (f": {tokens.examples()}." if tokens.n_lost else ".")
    )
    comparison = output / "comparison.json"
    comparison.unlink(missing_ok=True)  # of another treebank
    if adapted.changes is not None:
        made = {MADE: made_here()}
        table = compare({name: {**made, **scores} for name, scores in adapted.scores.items()})
        msg.divider("Test part, from raw text")
        _show_scores(adapted.scores, adapted.agreement)
        msg.divider("What else changes in these texts")
        _show_changes(adapted.changes, show_all)
        write_json(comparison, table)
    if adapted.lost_labels:
        _warn_of_labels(adapted.lost_labels, adapted.label_readers)
    msg.good("Saved the pipeline", str(adapted.path))
    command = ["python", "-m", "spacy", "package", str(adapted.path), str(output)]
    command += ["--code", code] if code else []
    typer.echo(f"Make a package of it: {shlex.join(command)}")


def _show_scores(scores: dict[str, dict[str, dict[str, Any]]], agreement: "Agreement | None") -> None:
    """Multiword tokens count as one token each. What does not compare the two stands in brackets."""

    def row(label: str, setting: str, name: str) -> list[str]:
        found = (scores.get(key, {}).get(setting, {}).get(name) for key in ("old", "new"))
        return _row(label, *found)

    rows = [row(METRICS[name], RAW_TEXT, f"{name}_f") for name in ("words", "sents")]
    trees = [row(METRICS[name], RAW_TEXT, f"{name}_f") for name in TREES]
    trees += [row(f"{METRICS[name]}, words given", DOCUMENTS, name) for name in TREES]
    if agreement is not None:
        trees = [[label, f"({old})", new, ""] for label, old, new, _ in trees]
        label = f"UAS of {agreement.n_words:,} words, see below"
        trees.append(_row(label, agreement.uas["old"], agreement.uas["new"]))
    show_table(rows + trees, ["", "Old", "New", "Difference"])
    if agreement is not None:
        msg.text(
            "The old parser has other labels than the treebank, and often other heads. So neither UAS "
            "nor LAS tells which parser is better. Compare the two by words that both attach in the "
            f"same way. These words have the labels {', '.join(agreement.labels) or '(none)'}."
        )


def _row(label: str, old: float | None, new: float | None) -> list[str]:
    change = "-" if old is None or new is None else f"{100 * (new - old):+.2f}"
    return [label, percent(old), percent(new), change]


def _warn_of_labels(labels: list[str], readers: list[str]) -> None:
    msg.warn(f"The treebank lacks {count(len(labels), 'label')} of the old parser: {name_some(labels)}.")
    if readers:
        msg.warn(f"Components that read labels may now work in another way: {', '.join(readers)}.")
    msg.text("Also check your own code for `token.dep_` and patterns with DEP.")


def _show_changes(changes: "Changes", show_all: bool) -> None:
    rows = []
    for name, found in changes.by_attribute.items():
        rows.append([name, f"{found.total():,}", percent(found.total() / max(changes.n_words, 1))])
        for example, n in found.most_common(N_EXAMPLES) if show_all else ():
            rows.append([f"  {_cut(example)}", f"{n:,}", ""])
    show_table(rows, [f"Of {changes.n_words:,} words", "Changed", "%"])
    msg.text(f"{changes.n_boundaries:,} words start a sentence in only one of the two parses.")
    if changes.n_split:
        msg.warn(f"{changes.n_split} texts have other words now, so they were not compared.")


def _cut(text: str) -> str:
    return text if len(text) <= MAX_EXAMPLE else f"{text[: MAX_EXAMPLE - 3]}..."
