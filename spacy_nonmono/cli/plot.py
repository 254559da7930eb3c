"""`python -m spacy nonmono plot`."""

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from .settings import OneSetting, chosen_settings


class Kind(str, Enum):
    sentence_length = "sentence-length"
    arc_length = "arc-length"
    heat_map = "heat-map"


def plot_cli(
    results: Annotated[Path, typer.Argument(help="The output folder of `nonmono benchmark`")],
    kind: Annotated[Kind, typer.Option("--kind", "-k", help="What to draw")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Image to write; its suffix tells the format")
    ],
    setting: Annotated[
        OneSetting, typer.Option("--setting", "-s", help="As in `nonmono benchmark`")
    ] = OneSetting.gold,
) -> None:
    """Draw the results of a benchmark.

    The runs and the part are those of its last table.

    sentence-length: LAS by sentence length. arc-length: recall of gold arcs by their length. Both
    show the standard deviation over seeds. heat-map: UAS of runs with names such as "k=1 p=0.5".
    """
    from wasabi import msg

    from ..analysis import plots
    from ..evaluation.table import read_table

    table, cells = read_table(results)
    draw = {
        Kind.sentence_length: plots.draw_sentence_lengths,
        Kind.arc_length: plots.draw_arc_lengths,
        Kind.heat_map: plots.draw_heat_map,
    }[kind]
    (chosen,) = chosen_settings(setting)
    figure = draw(table, cells, setting=chosen)
    plots.save_figure(figure, output)
    msg.good("Saved the plot", str(output))
