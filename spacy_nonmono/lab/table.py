"""The table of a benchmark: scores of runs over seeds, and what differs from a reference run.

Scores are means over seeds with their standard deviation (of a sample, so None for one seed).
P-values are those of `significance`, on the counts of all seeds together; they are not corrected for
the number of runs.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any, TypedDict

import srsly

from ..errors import Errors
from ..evaluation.compare import choose_reference
from ..evaluation.made import Made, each_once
from ..evaluation.names import COLUMNS, SPEED, TESTED_COLUMNS
from .benchmark import CellResult, cell_path, read_cell
from .breakdowns import ArcScores, LengthScores, add_counts, by_arc_length, by_sentence_length
from .cells import Cell
from .significance import add_seeds, compare_sentences

TABLE = "table.json"


class Row(TypedDict):
    """The results of a run on a treebank in a setting.

    Differences are those to the reference. In the row of the reference, differences and p-values are
    None.
    """

    run: str
    uas: float | None
    uas_sd: float | None
    las: float | None
    las_sd: float | None
    uas_difference: float | None
    uas_p: float | None
    las_difference: float | None
    las_p: float | None
    ucm: float | None  # means over the seeds that have one, as all of names.COLUMNS
    lcm: float | None
    uas_no_punct: float | None
    las_no_punct: float | None
    ucm_no_punct: float | None
    lcm_no_punct: float | None
    sents_f: float | None
    nonproj_p: float | None
    nonproj_r: float | None
    nonproj_f: float | None
    parsing_words_per_second: float  # through the whole pipeline
    parsing_speed: float  # as a ratio to the reference
    training_seconds: float
    training_words_per_second: float | None
    training_speed: float | None  # words per second, as a ratio to the reference
    peak_memory: float  # bytes, of the training process
    model_size: float  # bytes
    gold_tags: bool
    sentence_lengths: list[LengthScores]  # all seeds together, as are arc_lengths
    arc_lengths: list[ArcScores]


class Table(TypedDict):
    """The results of a benchmark.

    rows: by treebank and setting, a row for each run.
    cells: by treebank and run, the keys of the cells in the order of the seeds.
    made: when and with what the cells were measured, each once, by date.
    """

    made: list[Made]
    part: str
    model: str
    seeds: list[int]
    reference: str
    rows: dict[str, dict[str, list[Row]]]
    cells: dict[str, dict[str, list[str]]]


def make_table(
    cells: Sequence[Cell],
    results: Mapping[str, CellResult],
    *,
    part: str,
    settings: Sequence[str],
    reference: str | None = None,
) -> Table:
    """Make the table of cells. results: those of the cells, by their keys.

    part: "dev" or "test".
    reference: a run's name; by default the first one.

    Raises ValueError: NM104 for an unknown reference, NM165 for runs on different sentences.
    """
    runs = list(dict.fromkeys(cell.run.name for cell in cells))
    chosen = choose_reference(runs, reference)
    keys: dict[str, dict[str, list[str]]] = {}
    for cell in cells:
        keys.setdefault(cell.treebank.name, {}).setdefault(cell.run.name, []).append(cell.key)
    rows: dict[str, dict[str, list[Row]]] = {}
    for treebank, keys_of in keys.items():
        of_runs = {run: [results[key] for key in keys_of[run]] for run in runs}
        rows[treebank] = {
            setting: [
                _row(run, of_runs[run], None if run == chosen else of_runs[chosen], part, setting)
                for run in runs
            ]
            for setting in settings
        }
    return Table(
        made=each_once(result["made"] for result in results.values()),
        part=part,
        model=cells[0].model,
        seeds=list(dict.fromkeys(cell.seed for cell in cells)),
        reference=chosen,
        rows=rows,
        cells=keys,
    )


def read_table(output: Path) -> tuple[Table, dict[str, CellResult]]:
    """Read the table of a benchmark and the results of its cells from its output folder.

    Raises FileNotFoundError (NM167) where there is none, ValueError (NM170) where it is damaged.
    """
    path = output / TABLE
    if not path.is_file():
        raise FileNotFoundError(Errors.NM167.format(path=path))
    try:
        table: Table = srsly.read_json(path)
        runs = [keys for of_treebank in table["cells"].values() for keys in of_treebank.values()]
        keys = [str(key) for keys in runs for key in keys]
    except (AttributeError, KeyError, TypeError, ValueError):
        raise ValueError(Errors.NM170.format(path=path)) from None
    results = {}
    for key in keys:
        result = read_cell(output, key)
        if result is None:
            raise ValueError(Errors.NM170.format(path=cell_path(output, key)))
        results[key] = result
    return table, results


def _row(
    run: str, results: list[CellResult], references: list[CellResult] | None, part: str, setting: str
) -> Row:
    """Make the row of a run. references: the results of the reference run; None for its own row."""
    found = [result["parts"][part][setting] for result in results]
    scores = {name: _known(one["scores"][name] for one in found) for name in (*TESTED_COLUMNS, *COLUMNS)}
    sentences = add_seeds([one["sentences"] for one in found])
    parsing, training = mean(one["scores"][SPEED] for one in found), _training_speed(results)
    row: Any = {"run": run, "parsing_speed": 1.0, "training_speed": 1.0}
    for name in TESTED_COLUMNS:
        row[name] = mean(scores[name]) if scores[name] else None
        row[f"{name}_sd"] = stdev(scores[name]) if len(scores[name]) > 1 else None
        row[f"{name}_difference"] = row[f"{name}_p"] = None
    if references is not None:
        others = [result["parts"][part][setting] for result in references]
        row |= compare_sentences(sentences, add_seeds([one["sentences"] for one in others]))
        row["parsing_speed"] = parsing / mean(one["scores"][SPEED] for one in others)
        speed = _training_speed(references)
        row["training_speed"] = training / speed if training is not None and speed else None
    return row | {
        **{name: mean(scores[name]) if scores[name] else None for name in COLUMNS},
        "parsing_words_per_second": parsing,
        "training_seconds": mean(result["training"]["seconds"] for result in results),
        "training_words_per_second": training,
        "peak_memory": max(result["training"]["peak_memory"] for result in results),
        "model_size": mean(result["model_size"] for result in results),
        "gold_tags": results[0]["gold_tags"],
        "sentence_lengths": by_sentence_length(sentences),
        "arc_lengths": by_arc_length(add_counts([one["arcs"] for one in found])),
    }


def _known(scores: Iterable[float | None]) -> list[float]:
    """Return the scores of the seeds that have one."""
    return [score for score in scores if score is not None]


def _training_speed(results: list[CellResult]) -> float | None:
    speeds = [result["training"]["words_per_second"] for result in results]
    return None if None in speeds else mean(speeds)
