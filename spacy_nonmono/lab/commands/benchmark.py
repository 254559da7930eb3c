"""`python -m spacy nonmono benchmark`."""

import re
import shlex
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...cli.compare import SETTING_NAMES
from ...cli.settings import Setting, chosen_settings
from .breakdown import breakdown_cli
from .plot import Kind, plot_cli

if TYPE_CHECKING:
    from ..benchmark import Progress
    from ..cells import Run
    from ..experiments import Experiment
    from ..table import Row

# A name may have spaces and equals signs in it ("k=1 p=0.5"), the path of a config has none
RUN = re.compile(r"(?P<name>.+?)=(?P<config>[^=\s]+\.cfg)(?:\s+(?P<overrides>.*))?", re.DOTALL)
HEADER = [
    *("UAS", "Diff", "p", "LAS", "Diff", "p", "UCM", "LCM", "No punct UAS", "LAS", "UCM", "LCM"),
    *("Sents F", "Crossing P", "R", "F", "Parsing", "Training", "Model", "Memory"),
]


class Part(str, Enum):
    test = "test"
    dev = "dev"


class Model(str, Enum):
    best = "best"
    last = "last"


def benchmark_cli(
    treebanks: Annotated[
        list[Path],
        typer.Argument(
            help="Folders with train, dev and test, .conllu or .conllx; or folders of such folders"
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the results")],
    run: Annotated[
        list[str] | None,
        typer.Option("--run", "-r", help='"NAME=CONFIG.cfg --section.setting VALUE ..."'),
    ] = None,
    experiment: Annotated[
        Path | None,
        typer.Option(
            "--experiment",
            "-e",
            help="YAML file of runs and options, such as those in configs/experiments; options that are "
            "given come first",
        ),
    ] = None,
    var: Annotated[
        list[str] | None,
        typer.Option("--var", help='"NAME=VALUE": a value for one of the `vars` of the experiment'),
    ] = None,
    seeds: Annotated[
        int | None,
        typer.Option("--seeds", min=1, help="Number of seeds per run: 0, 1, ...; by default 1"),
    ] = None,
    common: Annotated[
        str, typer.Option("--common", help='Overrides of all runs: "--section.setting VALUE ..."')
    ] = "",
    setting: Annotated[
        Setting | None,
        typer.Option(
            "--setting",
            "-s",
            help="What the table shows. gold: sentence boundaries are given; documents: the "
            "pipeline finds them; by default both",
        ),
    ] = None,
    part: Annotated[
        Part, typer.Option("--part", help="What the table shows; choose settings on dev")
    ] = Part.test,
    model: Annotated[
        Model | None,
        typer.Option("--model", help="Evaluate model-best, the default, or model-last"),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option("--reference", help="Run to compare with; by default the first"),
    ] = None,
    gold_tags: Annotated[
        bool,
        typer.Option(
            "--gold-tags",
            help="Give the parsers the tags of the files: an oracle setting, unless `jackknife` has "
            "predicted them",
        ),
    ] = False,
    jobs: Annotated[
        int,
        typer.Option("--jobs", "-j", min=1, help="Cells to run at the same time; 1 to measure speeds"),
    ] = 1,
    keep_models: Annotated[
        bool, typer.Option("--keep-models", help="Keep the models, in OUTPUT/models")
    ] = False,
    published: Annotated[
        Path | None,
        typer.Option(
            "--published",
            help='JSON file of scores to show beside: {"source": ..., "scores": {treebank or "*": '
            "{run: [UAS, LAS]}}}",
        ),
    ] = None,
) -> None:
    """Train and evaluate on treebanks with several seeds.

    The results are shown in a table. A run on a treebank with a seed is a cell. A finished cell is
    not run again unless its config, its data or the code has changed. Each is evaluated on dev and
    test in both settings, so what the table shows can be chosen again at no cost. An experiment may
    have plots and a breakdown of its results, too; they are saved beside the table.

    p: the p-value of the difference to the reference run, by paired approximate randomisation over
    sentences, the seeds together. UCM and LCM: complete match, that is sentences whose heads are all
    right, and whose labels are, too. No punct: without punctuation. Crossing: arcs that are not
    projective. Parsing and Training: words per second, as a ratio to the reference; the cells are not
    timed in turns, `nonmono speed` does that. Memory: the most that the training took.
    """
    import srsly
    from wasabi import msg

    from ...extras import import_extra
    from ...files import write_json
    from ..benchmark import run_cells
    from ..cells import make_cells
    from ..table import TABLE, check_reference, make_table
    from ..treebanks import find_treebanks

    planned = _plan(experiment, run or [], var or [])
    runs = planned.runs
    reference = reference or planned.reference
    published = published or planned.published
    # Better missed now than after the trainings
    if len(runs) > 1:
        import_extra("scipy.stats")
    if planned.plots:
        import_extra("matplotlib")
    if reference is not None:
        check_reference(reference, [one.name for one in runs])
    beside = {} if published is None else srsly.read_json(published)
    settings = chosen_settings(setting or Setting(planned.setting or Setting.both))
    cells = make_cells(
        [treebank for folder in treebanks for treebank in find_treebanks(folder)],
        runs,
        seeds=range(seeds or planned.seeds or 1),
        common={**planned.common, **_parse_overrides(common)},
        gold_tags=gold_tags or planned.gold_tags,
        model=(model or Model(planned.model or Model.best)).value,
    )
    results = run_cells(cells, output, jobs=jobs, keep_models=keep_models, report=_show_progress)
    if len(runs) > 1:
        msg.text("Testing the differences")
    table = make_table(cells, results, part=part.value, settings=settings, reference=reference)
    for treebank, by_setting in table["rows"].items():
        scores = beside.get("scores", {})
        for name, rows in by_setting.items():
            msg.divider(f"{treebank}, {part.value}: {SETTING_NAMES[name].lower()}")
            _show_rows(rows, scores.get(treebank.removeprefix("UD_"), scores.get("*", {})))
    if beside:
        msg.text(f"Published: {beside['source']}")
    path = output / TABLE
    write_json(path, table)
    msg.good("Saved the table", str(path))
    for kind in planned.plots:
        plot_cli(output, Kind(kind), output / f"{kind}.png")
    if planned.breakdown:
        breakdown_cli(output, output=output / "breakdown.json")


def _plan(path: Path | None, runs: list[str], variables: list[str]) -> "Experiment":
    """The experiment of a file, with more runs; or nothing but these."""
    from ..experiments import Experiment, read_experiment

    if path is None:
        if not runs or variables:
            needed = "an --experiment, whose variable --var is" if runs else "a --run or an --experiment"
            raise typer.BadParameter(f"Give {needed}.")
        planned = Experiment(runs=[], common={})
    else:
        pairs = (text.partition("=") for text in variables)
        planned = read_experiment(path, {name: value for name, _, value in pairs})
    return replace(planned, runs=[*planned.runs, *map(parse_run, runs)])


def parse_run(text: str) -> "Run":
    """A run of NAME=CONFIG.cfg and overrides. Raises ValueError (NM161) for anything else."""
    from ...errors import Errors
    from ..cells import Run

    match = RUN.fullmatch(text.strip())
    if match is None:
        raise ValueError(Errors.NM161.format(found=text))
    overrides = _parse_overrides(match["overrides"] or "")
    return Run(name=match["name"], config=Path(match["config"]), overrides=overrides)


def _parse_overrides(text: str) -> dict[str, object]:
    from spacy.cli._util import parse_config_overrides

    return parse_config_overrides(shlex.split(text))


def _show_progress(progress: "Progress") -> None:
    from wasabi import msg

    cell = progress.cell
    text = f"{cell.treebank.name}, {cell.run.name}, seed {cell.seed}"
    place = f"[{progress.number}/{progress.total}]"
    if progress.state == "started":
        msg.info(f"{place} {text}")
    elif progress.state == "finished":
        msg.good(f"{place} {text}: {progress.seconds:,.0f} seconds")
    else:
        msg.good(f"{place} {text}: known")


def _show_rows(rows: list["Row"], published: dict[str, list[float]]) -> None:
    """published: UAS and LAS of runs, in per cent."""
    from wasabi import msg

    header = ["", *HEADER, *(["Published"] if published else [])]
    cells = [
        [
            row["run"] + (" (gold tags)" if row["gold_tags"] else ""),
            _score(row["uas"], row["uas_sd"]),
            _signed(row["uas_difference"]),
            _number(row["uas_p"], "{:.4f}"),
            _score(row["las"], row["las_sd"]),
            _signed(row["las_difference"]),
            _number(row["las_p"], "{:.4f}"),
            *(
                _number(row[name], "{:.2%}").rstrip("%")
                for name in (
                    "ucm",
                    "lcm",
                    "uas_no_punct",
                    "las_no_punct",
                    "ucm_no_punct",
                    "lcm_no_punct",
                )
            ),
            *(
                _number(row[name], "{:.1%}").rstrip("%")
                for name in ("sents_f", "nonproj_p", "nonproj_r", "nonproj_f")
            ),
            _number(row["parsing_speed"], "x{:.2f}"),
            _number(row["training_speed"], "x{:.2f}"),
            f"{row['model_size'] / 1e6:.1f} MB",
            f"{row['peak_memory'] / 1e6:,.0f} MB",
            *([" / ".join(f"{x:.2f}" for x in published.get(row["run"], []))] if published else []),
        ]
        for row in rows
    ]
    aligns = ["l"] + ["r"] * (len(header) - 1)
    msg.table(cells, header=header, divider=True, aligns=aligns, max_col=60)


def _score(mean: float, sd: float | None) -> str:
    return f"{100 * mean:.2f}" + ("" if sd is None else f" ± {100 * sd:.2f}")


def _signed(difference: float | None) -> str:
    return "" if difference is None else f"{100 * difference:+.2f}"


def _number(value: float | None, template: str) -> str:
    return "" if value is None else template.format(value)
