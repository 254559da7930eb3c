"""`python -m spacy nonmono evaluate`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from .settings import Setting, SettingOrRaw, chosen_settings

ROWS = {
    "uas": "UAS",
    "las": "LAS",
    "las_universal": "LAS (universal labels)",
    "clas": "CLAS",
    "ucm": "UCM (complete match)",
    "lcm": "LCM (complete match, with labels)",
    "uas_no_punct": "UAS without punctuation",
    "las_no_punct": "LAS without punctuation",
    "las_universal_no_punct": "LAS (universal) without punctuation",
    "clas_no_punct": "CLAS without punctuation",
    "ucm_no_punct": "UCM without punctuation",
    "lcm_no_punct": "LCM without punctuation",
    "sents_p": "Sentences: precision",
    "sents_r": "Sentences: recall",
    "sents_f": "Sentences: F",
    "nonproj_p": "Non-projective arcs: precision",
    "nonproj_r": "Non-projective arcs: recall",
    "nonproj_f": "Non-projective arcs: F",
    "nonproj_arcs_gold": "Non-projective arcs, gold",
    "nonproj_arcs_predicted": "Non-projective arcs, predicted",
    "nonproj_sents_gold": "Non-projective sentences, gold",
    "nonproj_sents_predicted": "Non-projective sentences, predicted",
}
COUNTS = {"n_words": "Words", "n_sents": "Sentences", "words_per_second": "Words per second"}
# Of each score of the setting `raw`
COLUMNS = {"p": "Precision", "r": "Recall", "f": "F", "aligned": "Of aligned words"}


def evaluate_cli(
    model: Annotated[str, typer.Argument(help="Pipeline: a directory or an installed package")],
    file: Annotated[Path, typer.Argument(help="Treebank file (.conllu, .conllx), or a folder")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="JSON file for the scores")
    ] = None,
    setting: Annotated[
        SettingOrRaw,
        typer.Option(
            "--setting",
            "-s",
            help="gold: sentence boundaries are given; documents: the pipeline finds them; both; "
            "raw: the pipeline finds words, tags and lemmas, too, and all of it is scored",
        ),
    ] = SettingOrRaw.both,
    gold_tags: Annotated[
        bool, typer.Option("--gold-tags", help="Give the pipeline the gold tags (an oracle setting)")
    ] = False,
    use_gpu: Annotated[int, typer.Option("--gpu-id", "-g", help="GPU ID or -1 for CPU")] = -1,
) -> None:
    """Score a pipeline on a treebank.

    On gold words it is scored in gold sentences, and in documents of ten, where it finds the sentences
    itself; or from raw text, where it finds the words, too.
    """
    from spacy.cli._util import setup_gpu
    from spacy.util import load_model
    from wasabi import msg

    from ..errors import Errors
    from ..evaluation.evaluate import evaluate
    from ..evaluation.raw_text import RAW_TEXT, evaluate_raw_text
    from ..files import write_json

    if not file.exists():
        msg.fail("No such file or folder", str(file), exits=1)
    if setting == SettingOrRaw.raw and gold_tags:
        raise ValueError(Errors.NM178)
    setup_gpu(use_gpu)
    nlp = load_model(model)
    if setting == SettingOrRaw.raw:
        scores = {RAW_TEXT: evaluate_raw_text(nlp, file)}
        _show_raw_text(scores[RAW_TEXT])
    else:
        settings = chosen_settings(Setting(setting.value))
        scores = evaluate(nlp, file, settings=settings, gold_tags=gold_tags)
        _show(scores)
    if gold_tags:
        msg.text("With gold tags: an oracle setting.")
    if output is not None:
        write_json(output, scores)
        msg.good("Saved the scores", str(output))


def _show(scores: Mapping[str, Mapping[str, float | None]]) -> None:
    from wasabi import msg

    columns = scores.values()
    rows = [[name, *(_percent(column[key]) for column in columns)] for key, name in ROWS.items()]
    rows += [[name, *(_count(column[key]) for column in columns)] for key, name in COUNTS.items()]
    header = ["", *(setting.replace("_", " ").capitalize() for setting in scores)]
    aligns = ["l"] + ["r"] * len(scores)
    msg.table(rows, header=header, divider=True, aligns=aligns, max_col=40)


def _show_raw_text(scores: Mapping[str, float | None]) -> None:
    from wasabi import msg

    from ..evaluation.raw_text import METRICS

    rows = [
        [name, *(_percent(scores.get(f"{key}_{column}")) for column in COLUMNS)]
        for key, name in METRICS.items()
    ]
    header = ["Raw text", *COLUMNS.values()]
    msg.table(rows, header=header, divider=True, aligns=["l"] + ["r"] * len(COLUMNS))
    counts = ", ".join(f"{name.lower()}: {_count(scores[key])}" for key, name in COUNTS.items())
    msg.text(counts.capitalize())


def _count(number: float | None) -> str:
    return f"{number:,.0f}"


def _percent(score: float | None) -> str:
    return "-" if score is None else f"{100 * score:.2f}"
