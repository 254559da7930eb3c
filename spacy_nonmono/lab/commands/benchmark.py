"""`python -m spacy nonmono benchmark`."""

import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from wasabi import msg

from ...cli.arguments import BOTH, DOCS, GOLD, Setting, setting_option
from ...cli.screen import number, percent, show_table
from ...errors import Errors
from ...evaluation.compare import choose_reference
from ...evaluation.names import COLUMNS, SETTING_NAMES, TESTED_COLUMNS
from ...files import write_json
from .breakdown import breakdown_cli

if TYPE_CHECKING:
    from ..cells import Run
    from ..experiments import Experiment
    from ..table import Row, Table

# A name may have spaces and equals signs in it ("k=1 p=0.5"), the path of a config has none
RUN = re.compile(r"(?P<name>.+?)=(?P<config>[^=\s]+\.cfg)(?:\s+(?P<overrides>.*))?", re.DOTALL)
CHOICES = (GOLD, DOCS, BOTH)
HEADER = [
    *(cell for column in TESTED_COLUMNS.values() for cell in (column, "Diff", "p")),
    *COLUMNS.values(),
    *("Parsing", "Training", "Model", "Memory"),
]


Treebanks = Annotated[
    list[Path],
    typer.Argument(
        help="Folders with the files train, dev and test (.conllu or .conllx), or folders of such "
        "folders"
    ),
]
Output = Annotated[Path, typer.Option("--output", "-o", help="Folder for the results")]
Runs = Annotated[
    list[str] | None,
    typer.Option(
        "--run", "-r", help='Parser to train: "NAME=CONFIG.cfg --section.setting VALUE ..."'
    ),
]
ExperimentFile = Annotated[
    Path | None,
    typer.Option(
        "--experiment",
        "-e",
        help="YAML file of runs and options, such as those in configs/experiments; options of the "
        "command override those of the file",
    ),
]
Variables = Annotated[
    list[str] | None,
    typer.Option("--var", help='"NAME=VALUE": a value for one of the `vars` of the experiment'),
]
Seeds = Annotated[
    int | None,
    typer.Option("--seeds", min=1, help="Number of seeds per run (0, 1, ...); by default 1"),
]
Common = Annotated[
    str, typer.Option("--common", help='Settings of all runs: "--section.setting VALUE ..."')
]
ShownSetting = Annotated[
    Setting | None, setting_option(*CHOICES, about="Setting that the table shows; by default both. ")
]
ShownPart = Annotated[
    Literal["test", "dev"],
    typer.Option("--part", help="Part that the table shows; take dev to choose settings"),
]
EvaluatedModel = Annotated[
    Literal["best", "last"] | None,
    typer.Option("--model", help="Evaluate model-best (the default) or model-last"),
]
Reference = Annotated[
    str | None,
    typer.Option("--reference", help="Run to compare with; by default the first"),
]
GoldTags = Annotated[
    bool,
    typer.Option(
        "--gold-tags",
        help="Give the parsers the tags of the files. These are gold tags, or the predicted tags of "
        "`jackknife` if it wrote the files",
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        "--jobs", "-j", min=1, help="Number of cells to run at the same time; 1 to measure speeds"
    ),
]
KeepModels = Annotated[
    bool, typer.Option("--keep-models", help="Keep the models, in OUTPUT/models")
]
Published = Annotated[
    Path | None,
    typer.Option(
        "--published",
        help='JSON file of published scores to show in the table: {"source": ..., "scores": '
        '{treebank or "*": {run: [UAS, LAS]}}}',
    ),
]


def benchmark_cli(
    treebanks: Treebanks,
    output: Output,
    run: Runs = None,
    experiment: ExperimentFile = None,
    var: Variables = None,
    seeds: Seeds = None,
    common: Common = "",
    setting: ShownSetting = None,
    part: ShownPart = "test",
    model: EvaluatedModel = None,
    reference: Reference = None,
    gold_tags: GoldTags = False,
    jobs: Jobs = 1,
    keep_models: KeepModels = False,
    published: Published = None,
) -> None:
    """Train and evaluate parsers with several seeds.

    A table shows the results. A run is a parser: a name, a config, and settings that differ from the
    config. One run on one treebank with one seed is a cell. A finished cell is not run again unless its
    config, its data or the code has changed. Each cell is evaluated on dev and test in both settings, so
    you can show another part or setting without a new training. An experiment may also have plots and
    a breakdown of its results. They are saved beside the table.

    p: the p-value of the difference to the reference run, by paired approximate randomisation over
    sentences, for all seeds together. UCM: the share of sentences in which all heads are right. LCM: the
    share of sentences in which all heads and labels are right. No punct: without punctuation. Crossing:
    arcs that are not projective. Parsing and Training: words per second, as a ratio to the reference.
    These speeds are rough, since the cells do not take turns; `speed` measures better. Memory: the
    largest amount of memory that the training took.
    """
    import srsly

    from ...installed import import_extra
    from ..benchmark import run_cells
    from ..cells import make_cells
    from ..table import TABLE, make_table
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
    choose_reference([one.name for one in runs], reference)
    beside = {} if published is None else srsly.read_json(published)
    chosen = setting or next(one for one in CHOICES if one.name == (planned.setting or BOTH.name))
    cells = make_cells(
        [treebank for folder in treebanks for treebank in find_treebanks(folder)],
        runs,
        seeds=range(seeds or planned.seeds or 1),
        common={**planned.common, **_parse_overrides(common)},
        gold_tags=gold_tags or planned.gold_tags,
        model=model or planned.model or "best",
    )
    results = run_cells(cells, output, jobs=jobs, keep_models=keep_models, report=msg.info)
    if len(runs) > 1:
        msg.text("Testing the differences")
    table = make_table(cells, results, part=part, settings=chosen.settings, reference=reference)
    _show_table(table, part, beside)
    path = output / TABLE
    write_json(path, table)
    msg.good("Saved the table", str(path))
    for kind in planned.plots:
        breakdown_cli(output, output=output / f"{kind}.png", kind=kind)  # type: ignore[arg-type]
    if planned.breakdown:
        breakdown_cli(output, output=output / "breakdown.json")


def _plan(path: Path | None, runs: list[str], variables: list[str]) -> "Experiment":
    """Return the experiment of a file with the runs of the command added, or one of these runs alone."""
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
    """Read a run that is written as `NAME=CONFIG.cfg --section.setting VALUE ...`.

    Raises ValueError (NM161) for any other text.
    """
    from ..cells import Run

    match = RUN.fullmatch(text.strip())
    if match is None:
        raise ValueError(Errors.NM161.format(found=text))
    overrides = _parse_overrides(match["overrides"] or "")
    return Run(name=match["name"], config=Path(match["config"]), overrides=overrides)


def _parse_overrides(text: str) -> dict[str, object]:
    from spacy.cli._util import parse_config_overrides

    return parse_config_overrides(shlex.split(text))


def _show_table(table: "Table", part: str, published: dict[str, Any]) -> None:
    """Show the results on each treebank. published: what the file of published scores holds, or {}."""
    scores = published.get("scores", {})
    for treebank, by_setting in table["rows"].items():
        for name, rows in by_setting.items():
            msg.divider(f"{treebank}, {part}: {SETTING_NAMES[name].lower()}")
            _show_rows(rows, scores.get(treebank.removeprefix("UD_"), scores.get("*", {})))
    if published:
        msg.text(f"Published: {published['source']}")


def _show_rows(rows: list["Row"], published: dict[str, list[float]]) -> None:
    """Show the table of a treebank. published: UAS and LAS of runs in a paper, in per cent."""
    header = ["", *HEADER, *(["Published"] if published else [])]
    cells = [
        [
            row["run"] + (" (gold tags)" if row["gold_tags"] else ""),
            *(cell for name in TESTED_COLUMNS for cell in _tested(row, name)),
            *(percent(row[name], _digits(name)) for name in COLUMNS),  # type: ignore[literal-required]
            number(row["parsing_speed"], "x{:.2f}"),
            number(row["training_speed"], "x{:.2f}"),
            f"{row['model_size'] / 1e6:.1f} MB",
            f"{row['peak_memory'] / 1e6:,.0f} MB",
            *([" / ".join(f"{x:.2f}" for x in published.get(row["run"], []))] if published else []),
        ]
        for row in rows
    ]
    show_table(cells, header)


def _tested(row: Any, name: str) -> list[str]:
    """Return three cells: a score with its deviation, the difference to the reference, and p."""
    sd, difference = row[f"{name}_sd"], row[f"{name}_difference"]
    return [
        percent(row[name]) + ("" if sd is None else f" ± {percent(sd)}"),
        "" if difference is None else f"{100 * difference:+.2f}",
        "" if row[f"{name}_p"] is None else f"{row[f'{name}_p']:.4f}",
    ]


def _digits(name: str) -> int:
    """Scores of sentences and of crossing arcs have one digit, because there are fewer of these."""
    return 1 if name.startswith(("sents", "nonproj")) else 2
