"""`python -m spacy nonmono oracle-report`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from wasabi import msg

from ...cli.arguments import Code
from ...cli.screen import check_exist, number, percent, show_table
from ...evaluation.made import made_here
from ...files import write_json

if TYPE_CHECKING:
    from ..breakdowns import ArcScores
    from ..oracle_report import Bounds, RoundTrip
    from ..oracle_times import Time
    from ..repairs import Repairs

ROUND_TRIP, BOUNDS, TIME, LENGTHS, REPAIRS = "round-trip", "bounds", "time", "lengths", "repairs"
PARTS = (ROUND_TRIP, BOUNDS, TIME, LENGTHS, REPAIRS)
LOSSES = {"lower": "Lower", "exact": "Loss", "pc_upper": "Pc upper", "upper": "Upper"}


def oracle_report_cli(
    treebanks: Annotated[
        list[Path], typer.Argument(help="Treebank files (.conllu, .conllx), or folders")
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="JSON file for the report")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", help="Pipeline whose derivations and repairs are measured"),
    ] = None,
    only: Annotated[
        str, typer.Option("--only", help="Parts of the report, separated by commas")
    ] = ",".join(PARTS),
    n_transitions: Annotated[
        int,
        typer.Option(
            "--transitions", "-t", min=1, help="Number of transitions to measure bounds and times on"
        ),
    ] = 100_000,
    seed: Annotated[
        int, typer.Option("--seed", "-s", help="Random seed of the derivations without a model")
    ] = 0,
    code: Code = None,
) -> None:
    """Measure oracles: the trees they rebuild, bounds and times.

    During training, an oracle tells the parser which move is best, or what each move costs.

    round-trip: how many trees the static oracles rebuild. bounds: mean bounds on the loss of
    covington_nonmonotonic. time: how many microseconds an oracle takes to compute the costs of all
    moves. lengths: the same in sentences of 10, 100 and 1,000 words. repairs: how often the model
    replaces arcs, and its precision by arc length.

    Each time is measured for ten seconds at most; "-" means that the oracle is too slow for that.

    With a model, times are measured on its derivations. So are the bounds, if its system is
    covington_nonmonotonic.
    """
    from ...installed import load_pipeline

    parts = only.split(",")
    for part in parts:
        if part not in PARTS:
            msg.fail(f"Unknown part: {part}", f"Known: {', '.join(PARTS)}", exits=1)
    if model is None and parts == [REPAIRS]:
        msg.fail("The part repairs needs a --model", exits=1)
    check_exist(treebanks, output)
    nlp = None if model is None else load_pipeline(model)
    figures = {}
    for path in treebanks:
        msg.divider(str(path))
        figures[path] = _report(nlp, path, parts, n_transitions, seed)
    if BOUNDS in parts:
        msg.divider("Bounds on the loss of covington_nonmonotonic")
        _show_bounds({path: figures[path]["bounds"] for path in figures})
    if output is not None:
        report = {str(path): figures[path] for path in figures}
        write_json(output, {"made": made_here(), "model": model, "seed": seed, "treebanks": report})
        msg.good("Saved the report", str(output))


def _report(
    nlp: Any, path: Path, parts: list[str], n_transitions: int, seed: int
) -> dict[str, Any]:
    """Return all figures of a treebank, and show them, except for the bounds."""
    from .. import oracle_report, oracle_times, repairs

    trees = oracle_report.read_trees(path)
    system, moves = None, None
    derivations: list[Any] = []
    if nlp is not None and set(parts) - {ROUND_TRIP, LENGTHS}:
        system, derivations = repairs.model_derivations(nlp, path)
        if oracle_times.dynamic_oracles(system):
            moves = repairs.to_moves(system, derivations, trees)
    figures: dict[str, Any] = {}
    if ROUND_TRIP in parts:
        figures["round_trip"] = oracle_report.round_trip(trees)
        _show_round_trip(figures["round_trip"])
    if BOUNDS in parts:
        follows = system is not None and system.name == "covington_nonmonotonic"
        figures["bounds"] = oracle_report.bounds(
            trees, moves=moves if follows else None, n_transitions=n_transitions, seed=seed
        )
    if TIME in parts:
        figures["time"] = oracle_times.times(
            trees, system=system, moves=moves, n_transitions=n_transitions, seed=seed
        )
        _show_times(figures["time"])
    if LENGTHS in parts:
        figures["lengths"] = oracle_times.times_by_length(trees, seed=seed)
        _show_times(figures["lengths"])
    if REPAIRS in parts and system is not None:
        counts, lengths = repairs.repairs(system, derivations, trees)
        # Labels are not looked at
        shown = ("bin", "gold", "predicted", "precision", "recall")
        rows = [{name: row[name] for name in shown} for row in lengths]  # type: ignore[literal-required]
        figures["repairs"] = {**counts, "arc_lengths": rows}
        _show_repairs(system.name, counts, lengths)
    return figures


def _show_round_trip(rows: list["RoundTrip"]) -> None:
    header = ["Static oracle", "Trees", "Buildable", "Rebuilt", "Buildable, but not rebuilt"]
    cells = [
        [
            row["system"],
            f"{row['trees']:,}",
            "?" if row["buildable"] is None else f"{row['buildable']:,}",
            f"{row['rebuilt']:,}",
            "?" if row["buildable"] is None else f"{len(row['failed']):,}",
        ]
        for row in rows
    ]
    show_table(cells, header)
    if rows and rows[0]["unknown"]:
        msg.text(f"{rows[0]['unknown']:,} trees with unknown heads are left out.")


def _show_bounds(bounds: dict[Path, "Bounds"]) -> None:
    from ..published import published_bounds

    cells = []
    for path, found in bounds.items():
        name = f"{path.resolve().parent.name}/{path.name}"
        cells.append(
            [
                name,
                f"{found['transitions']:,}",
                *(_number(found["means"].get(key)) for key in LOSSES),
                *(_number(found["differences"].get(key)) for key in LOSSES if key != "exact"),
            ]
        )
        paper = published_bounds(path)
        if paper is not None:
            language, row = paper
            cells.append([f"{language}, 2017", "100,000", *map(_number, row.values())])
    header = ["Mean loss", "Transitions", *LOSSES.values()]
    header += [f"{name} (diff.)" for key, name in LOSSES.items() if key != "exact"]
    show_table(cells, header)
    msg.text("2017: Fernandez-Gonzalez & Gomez-Rodriguez, Table 1, another treebank of the language.")
    msg.text("diff.: mean relative difference to the loss.")


def _show_times(rows: list["Time"]) -> None:
    if not rows:
        msg.warn("No oracle of the system computes costs: there is nothing to time.")
        return
    cells = [
        [
            row["system"],
            row["oracle"],
            "-" if row["n_words"] is None else f"{row['n_words']:,}",
            f"{row['transitions']:,}",
            *(_number(row[key], 3) for key in ("mean", "median", "p99")),  # type: ignore[literal-required]
            percent(row["cap_hits"]),
        ]
        for row in rows
    ]
    header = ["System", "Oracle", "Words", "Transitions", "Mean, µs", "Median", "99 %", "Capped, %"]
    show_table(cells, header, n_left=2)
    msg.text("Capped: transitions where a search gave up and a bound was used.")


def _show_repairs(system: str, counts: "Repairs", lengths: list["ArcScores"]) -> None:
    from ..published import published

    shares = (
        ("Arc transitions", "arcs", None),
        ("that remove an arc", "repairs", "arcs"),
        ("and build a gold one", "builds_gold", "repairs"),
        ("and only destroy a gold one", "destroys_gold", "repairs"),
        ("and do neither", "neither", "repairs"),
    )
    known = published("fernandez_gomez_2017_repairs")
    paper = known.get("repairs", {}) if system == "covington_nonmonotonic" else {}
    precision = known.get("precision of arcs longer than 7", {}).get(system)
    cells = [
        [
            label,
            f"{counts[key]:,}",  # type: ignore[literal-required]
            percent(counts[key] / counts[whole] if whole and counts[whole] else None),  # type: ignore[literal-required]
            _number(paper.get(key), 2),
        ]
        for label, key, whole in shares
    ]
    show_table(cells, [system, "Number", "%", "2017, %"])
    cells = [
        [
            row["bin"],
            f"{row['gold']:,}",
            f"{row['predicted']:,}",
            percent(row["precision"]),
            _number(precision if row["bin"] == "8+" else None, 2),
            percent(row["recall"]),
        ]
        for row in lengths
    ]
    show_table(cells, ["Arc length", "Gold", "Predicted", "Precision", "2017", "Recall"])
    msg.text("2017: Fernandez-Gonzalez & Gomez-Rodriguez, section 6.3, means over other treebanks.")


def _number(value: float | None, digits: int = 5) -> str:
    return number(value, f"{{:.{digits}f}}")
