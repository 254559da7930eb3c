"""Scores of several pipelines on the same file, side by side."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict

import srsly

from ..errors import Errors
from .made import Made, each_once
from .names import COMPARED, DOCUMENTS, GOLD_SENTENCES, RAW_COMPARED, RAW_TEXT, SPEED

KEYS = {GOLD_SENTENCES: COMPARED, DOCUMENTS: COMPARED, RAW_TEXT: RAW_COMPARED}
MADE = "made"

# The scores of a pipeline by setting; and under "made" when and with what they were measured, which
# files of earlier versions do not tell
Measured = Mapping[str, Any]
# Of one setting: score -> name of the pipeline -> value
Table = dict[str, dict[str, float | None]]


class Comparison(TypedDict):
    """made: of all measurements, each once, by date. names: of the pipelines, in the order of the
    columns. reference: the one to compare with. scores: by setting. differences: score minus that of
    the reference, but the speed as a ratio."""

    made: list[Made]
    names: list[str]
    reference: str
    scores: dict[str, Table]
    differences: dict[str, Table]


def read_scores(path: Path) -> dict[str, Any]:
    """Read a file of scores that `evaluate` wrote for one pipeline.

    Raises ValueError (NM107) for any other file.
    """
    try:
        found = srsly.read_json(path)
        if any("n_words" in found[setting] for setting in KEYS if setting in found):
            return found
    except (OSError, TypeError, ValueError):
        pass
    raise ValueError(Errors.NM107.format(path=path))


def compare(measured: Mapping[str, Measured], *, reference: str | None = None) -> Comparison:
    """Put the scores of several pipelines, which are given by name, side by side in tables.

    reference: the pipeline to compare with; by default the first one.

    Raises ValueError: NM104 if there is no pipeline of that name, NM105 if the scores come from
    different files.
    """
    names = list(measured)
    chosen = choose_reference(names, reference)
    made = each_once(measured[name][MADE] for name in names if MADE in measured[name])
    comparison = Comparison(made=made, names=names, reference=chosen, scores={}, differences={})
    for setting, keys in KEYS.items():
        columns = {name: measured[name].get(setting, {}) for name in names}
        sizes = {name: column["n_words"] for name, column in columns.items() if column}
        if not sizes:
            continue
        if len(set(sizes.values())) > 1:
            found = ", ".join(f"{name} on {size:,}" for name, size in sizes.items())
            raise ValueError(Errors.NM105.format(sizes=found))
        table = {key: {name: columns[name].get(key) for name in names} for key in keys}
        comparison["scores"][setting] = table
        comparison["differences"][setting] = {
            key: {name: _difference(key, row[name], row[chosen]) for name in names}
            for key, row in table.items()
        }
    return comparison


def choose_reference(names: Sequence[str], reference: str | None) -> str:
    """Return the name of the pipeline that the others are compared with; by default it is the first.

    Raises ValueError (NM104) if there is no pipeline of that name.
    """
    chosen = names[0] if reference is None else reference
    if chosen not in names:
        raise ValueError(Errors.NM104.format(found=chosen, known=", ".join(names)))
    return chosen


def _difference(key: str, score: float | None, reference: float | None) -> float | None:
    if score is None or reference is None:
        return None
    if key == SPEED:
        return score / reference if reference else None
    return score - reference
