"""`python -m spacy nonmono compare`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ..evaluation.compare import Comparison, Table

ATTACH_LEFT = "attach left"
SETTING_NAMES = {"gold_sentences": "Gold sentences", "documents": "Documents"}
ROWS = {
    "las": "LAS",
    "uas": "UAS",
    "clas": "CLAS",
    "ucm": "UCM (complete match)",
    "lcm": "LCM (complete match, with labels)",
    "las_no_punct": "LAS without punctuation",
    "uas_no_punct": "UAS without punctuation",
    "clas_no_punct": "CLAS without punctuation",
    "ucm_no_punct": "UCM without punctuation",
    "lcm_no_punct": "LCM without punctuation",
    "sents_f": "Sentences: F",
    "nonproj_p": "Non-projective arcs: precision",
    "nonproj_r": "Non-projective arcs: recall",
    "nonproj_f": "Non-projective arcs: F",
    "words_per_second": "Words per second",
}


def compare_cli(
    scores: Annotated[
        list[Path], typer.Argument(help="JSON files that `nonmono evaluate --output` wrote")
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="JSON file for the table")
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option("--reference", "-r", help="Column to compare with; by default the last"),
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option("--gold", help="Treebank file that was scored, to add the baseline"),
    ] = None,
) -> None:
    """Show the scores of several pipelines side by side.

    Differences are to one of them, the reference.
    """
    from wasabi import msg

    from ..evaluation.baseline import attach_left
    from ..evaluation.compare import compare, read_scores
    from ..evaluation.made import made_here
    from ..files import write_json

    for path in [*scores, *([gold] if gold else [])]:
        if not path.exists():
            msg.fail("No such file or folder", str(path), exits=1)
    columns = read_scores(scores)
    if gold is not None:
        columns = {ATTACH_LEFT: attach_left(gold), **columns}
    table = compare(columns, reference=reference)
    show_comparison(table)
    if output is not None:
        write_json(output, {"made": made_here(), **table})
        msg.good("Saved the table", str(output))


def show_comparison(table: "Comparison") -> None:
    """Print what `evaluation.compare` found."""
    from wasabi import msg

    from ..evaluation.raw_text import RAW_TEXT

    for setting, rows in table["scores"].items():
        if setting == RAW_TEXT:
            _show_raw_text(rows)
            continue
        differences = table["differences"][setting]
        cells = [
            [
                label,
                *(
                    _cell(key, rows[key][name], differences[key][name], name == table["reference"])
                    for name in table["names"]
                ),
            ]
            for key, label in ROWS.items()
        ]
        header = [SETTING_NAMES[setting], *table["names"]]
        aligns = ["l"] + ["r"] * len(table["names"])
        msg.table(cells, header=header, divider=True, aligns=aligns, max_col=40)
    if table["scores"].keys() - {RAW_TEXT}:
        msg.text(f"+ and -: points more or less than {table['reference']}; x: times as fast.")


def _show_raw_text(table: "Table") -> None:
    """One row per pipeline: there are many scores, and a pipeline without them has none."""
    from wasabi import msg

    from ..evaluation.raw_text import METRICS

    speeds = table["words_per_second"]
    rows = [
        [name, *(_cell(key, table[key][name], None, True) for key in table)]
        for name in speeds
        if speeds[name] is not None
    ]
    header = ["Raw text", *METRICS.values(), "Words per second"]
    msg.table(rows, header=header, divider=True, aligns=["l"] + ["r"] * (len(header) - 1), max_col=40)


def _cell(key: str, score: float | None, difference: float | None, is_reference: bool) -> str:
    """A score, and in a field of its own width the difference: "85.31  +1.20"."""
    if score is None:
        return "-"
    is_speed = key == "words_per_second"
    value = f"{score:,.0f}" if is_speed else f"{100 * score:.2f}"
    if is_reference or difference is None:
        return value
    change = f"x{difference:.2f}" if is_speed else f"{100 * difference:+.2f}"
    return f"{value} {change:>7}"
