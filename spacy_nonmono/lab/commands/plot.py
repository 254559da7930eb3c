"""`python -m spacy nonmono plot`."""

from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...cli.settings import OneSetting, chosen_settings

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Kind(str, Enum):
    sentence_length = "sentence-length"
    arc_length = "arc-length"
    part_of_speech = "part-of-speech"
    part_of_speech_far = "part-of-speech-far"
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

    sentence-length: LAS by sentence length. arc-length: recall of gold arcs by their length.
    part-of-speech: wrong heads by the UPOS of the word, without punctuation; with -far those of words
    whose gold arc is longer than 5. All show the standard deviation over seeds. heat-map: UAS of runs
    with names such as "k=1 p=0.5".
    """
    from functools import partial

    from wasabi import msg

    from ...drawing.plots import save_figure
    from .. import plots
    from ..table import read_table

    table, cells = read_table(results)
    draws: dict[Kind, Callable[..., Figure]] = {
        Kind.sentence_length: plots.draw_sentence_lengths,
        Kind.arc_length: plots.draw_arc_lengths,
        Kind.part_of_speech: plots.draw_tags,
        Kind.part_of_speech_far: partial(plots.draw_tags, far=True),
        Kind.heat_map: plots.draw_heat_map,
    }
    (chosen,) = chosen_settings(setting)
    figure = draws[kind](table, cells, setting=chosen)
    save_figure(figure, output)
    msg.good("Saved the plot", str(output))
