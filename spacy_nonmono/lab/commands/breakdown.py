"""`python -m spacy nonmono breakdown`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from wasabi import msg

from ...cli.arguments import DOCS, GOLD, Setting, setting_option
from ...cli.screen import percent, show_table
from ...files import write_json

if TYPE_CHECKING:
    from ..breakdowns import Breakdown


Kind = Literal["sentence-length", "arc-length", "part-of-speech", "part-of-speech-far", "heat-map"]


def breakdown_cli(
    results: Annotated[Path, typer.Argument(help="The output folder of `benchmark`")],
    setting: Annotated[Setting, setting_option(GOLD, DOCS)] = GOLD,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="JSON file for the tables (.json), or an image to draw; its suffix decides the format",
        ),
    ] = None,
    kind: Annotated[Kind, typer.Option("--kind", "-k", help="What the image shows")] = "arc-length",
) -> None:
    """Show where the runs of a benchmark err.

    The runs and the part are those of its last table, with all seeds together. The first table shows
    precision / recall of arcs, without labels, by the length of the arc and by whether it crosses
    another arc. The second table shows UAS / LAS of words in sentences with and without crossing arcs,
    and of words after the first error, that is, words whose arcs come after the first wrong arc of the
    sentence. Arcs are in the order in which Covington's and the arc-eager systems build them.

    Images also show the standard deviation over seeds. sentence-length: LAS by sentence length.
    arc-length: recall of gold arcs by their length. part-of-speech: wrong heads by the UPOS of the word,
    without punctuation. part-of-speech-far: the same for words whose gold arc is longer than 5.
    heat-map: UAS of runs with names such as "k=1 p=0.5".
    """
    from ..table import read_table

    table, cells = read_table(results)
    (chosen,) = setting.settings
    if output is None or output.suffix == ".json":
        _break_down(table, cells, chosen, output)
    else:
        from ...drawing.plots import save_figure
        from ..plots import draw

        save_figure(draw(kind, table, cells, setting=chosen), output)
        msg.good("Saved the plot", str(output))


def _break_down(table: Any, cells: Any, setting: str, output: Path | None) -> None:
    from ..breakdowns import break_down_cells, mean_breakdowns

    found = break_down_cells(table, cells, setting=setting)
    for treebank, of_runs in found.items():
        msg.divider(f"{treebank}, {table['part']}")
        _show(of_runs)
    if len(found) > 1:
        msg.divider(f"Means over {len(found)} treebanks")
        _show(mean_breakdowns(found))
    if output is not None:
        write_json(output, {"made": table["made"], **found})
        msg.good("Saved the breakdown", str(output))


def _show(of_runs: dict[str, "Breakdown"]) -> None:
    def row(name: str, pairs: list[tuple[float | None, float | None]]) -> list[str]:
        return [name, *(" / ".join(map(percent, pair)) for pair in pairs)]

    first = next(iter(of_runs.values()))
    breakdowns = of_runs.values()
    arcs = [row(name, [b["arcs"][name] for b in breakdowns]) for name in first["arcs"]]
    words = [row(name, [b["words"][name] for b in breakdowns]) for name in first["words"]]
    words.append(
        ["words after the first error, %", *(percent(b["share_after_error"]) for b in breakdowns)]
    )
    show_table(arcs, ["Precision / recall", *of_runs])
    show_table(words, ["UAS / LAS", *of_runs])
