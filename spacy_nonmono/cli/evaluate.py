"""`python -m spacy nonmono evaluate`."""

from pathlib import Path
from typing import Annotated

import typer

from .settings import Setting, chosen_settings

ROWS = {
    "uas": "UAS",
    "las": "LAS",
    "las_universal": "LAS (universal labels)",
    "clas": "CLAS",
    "uas_no_punct": "UAS without punctuation",
    "las_no_punct": "LAS without punctuation",
    "las_universal_no_punct": "LAS (universal) without punctuation",
    "clas_no_punct": "CLAS without punctuation",
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


def evaluate_cli(
    model: Annotated[str, typer.Argument(help="Pipeline: a directory or an installed package")],
    file: Annotated[Path, typer.Argument(help="CoNLL-U file, or a folder of them")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="JSON file for the scores")
    ] = None,
    setting: Annotated[
        Setting,
        typer.Option(
            "--setting",
            "-s",
            help="gold: sentence boundaries are given; documents: the pipeline finds them",
        ),
    ] = Setting.both,
    gold_tags: Annotated[
        bool, typer.Option("--gold-tags", help="Give the pipeline the gold tags (an oracle setting)")
    ] = False,
    use_gpu: Annotated[int, typer.Option("--gpu-id", "-g", help="GPU ID or -1 for CPU")] = -1,
) -> None:
    """Score a pipeline on the gold words of CoNLL-U.

    It is scored in gold sentences, and in documents of ten, where it finds the sentences itself.
    """
    from spacy.cli._util import setup_gpu
    from spacy.util import load_model
    from wasabi import msg

    from ..evaluation.evaluate import evaluate
    from ..files import write_json

    if not file.exists():
        msg.fail("No such file or folder", str(file), exits=1)
    setup_gpu(use_gpu)
    settings = chosen_settings(setting)
    scores = evaluate(load_model(model), file, settings=settings, gold_tags=gold_tags)
    rows = [[name, *(_percent(scores[s][key]) for s in settings)] for key, name in ROWS.items()]
    rows += [[name, *(f"{scores[s][key]:,.0f}" for s in settings)] for key, name in COUNTS.items()]
    header = ["", *(s.replace("_", " ").capitalize() for s in settings)]
    aligns = ["l"] + ["r"] * len(settings)
    msg.table(rows, header=header, divider=True, aligns=aligns, max_col=40)
    if gold_tags:
        msg.text("With gold tags: an oracle setting.")
    if output is not None:
        write_json(output, scores)
        msg.good("Saved the scores", str(output))


def _percent(score: float | None) -> str:
    return "-" if score is None else f"{100 * score:.2f}"
