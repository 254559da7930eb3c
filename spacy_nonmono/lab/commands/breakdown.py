"""`python -m spacy nonmono breakdown`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...cli.settings import OneSetting, chosen_settings

if TYPE_CHECKING:
    from ..breakdown_table import Breakdown


def breakdown_cli(
    results: Annotated[Path, typer.Argument(help="The output folder of `nonmono benchmark`")],
    setting: Annotated[
        OneSetting, typer.Option("--setting", "-s", help="As in `nonmono benchmark`")
    ] = OneSetting.gold,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="JSON file to write")] = None,
) -> None:
    """Show where the runs of a benchmark err.

    The runs and the part are those of its last table, all seeds together. Arcs, by their length and by
    whether they cross others: precision / recall, labels aside. Words of sentences with and without
    crossing arcs, and those whose arcs come after the first wrong one of the sentence: UAS / LAS. Arcs
    come in the order in which Covington's and the arc-eager systems build them.
    """
    from wasabi import msg

    from ...files import write_json
    from ..breakdown_table import break_down, mean_breakdown
    from ..table import read_table

    table, cells = read_table(results)
    (chosen,) = chosen_settings(setting)
    found = break_down(table, cells, setting=chosen)
    for treebank, of_runs in found.items():
        msg.divider(f"{treebank}, {table['part']}")
        _show(of_runs)
    if len(found) > 1:
        msg.divider(f"Means over {len(found)} treebanks")
        runs = next(iter(found.values()))
        _show({run: mean_breakdown([of_runs[run] for of_runs in found.values()]) for run in runs})
    if output is not None:
        write_json(output, found)
        msg.good("Saved the breakdown", str(output))


def _show(of_runs: dict[str, "Breakdown"]) -> None:
    from wasabi import msg

    def row(name: str, pairs: list[tuple[float | None, float | None]]) -> list[str]:
        return [name, *(" / ".join(map(_percent, pair)) for pair in pairs)]

    first = next(iter(of_runs.values()))
    breakdowns = of_runs.values()
    arcs = [row(name, [b["arcs"][name] for b in breakdowns]) for name in first["arcs"]]
    words = [row(name, [b["words"][name] for b in breakdowns]) for name in first["words"]]
    words.append(
        ["words after the first error, %", *(_percent(b["share_after_error"]) for b in breakdowns)]
    )
    aligns = ["l"] + ["r"] * len(of_runs)
    msg.table(arcs, header=["Precision / recall", *of_runs], divider=True, aligns=aligns, max_col=40)
    msg.table(words, header=["UAS / LAS", *of_runs], divider=True, aligns=aligns, max_col=40)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2f}"
