"""Scores of several pipelines on the same file, side by side."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict

import srsly

from ..errors import Errors
from .evaluate import DOCUMENTS, GOLD_SENTENCES
from .raw_text import METRICS, RAW_TEXT
from .scores import Scores

COMPARED = (
    "las",
    "uas",
    "clas",
    "ucm",
    "lcm",
    "las_no_punct",
    "uas_no_punct",
    "clas_no_punct",
    "ucm_no_punct",
    "lcm_no_punct",
    "sents_f",
    "nonproj_p",
    "nonproj_r",
    "nonproj_f",
    "words_per_second",
)
SPEED = "words_per_second"
RAW_COMPARED = (*(f"{metric}_f" for metric in METRICS), SPEED)
KEYS = {GOLD_SENTENCES: COMPARED, DOCUMENTS: COMPARED, RAW_TEXT: RAW_COMPARED}

# Of one setting: score -> name of the pipeline -> value
Table = dict[str, dict[str, float | None]]


class Comparison(TypedDict):
    """names: of the pipelines, in the order of the columns. reference: the one to compare with.
    scores: by setting. differences: score minus that of the reference, but the speed as a ratio."""

    names: list[str]
    reference: str
    scores: dict[str, Table]
    differences: dict[str, Table]


def read_scores(paths: Sequence[Path]) -> dict[str, dict[str, Scores]]:
    """The files that `evaluate` writes, by their stems (whole paths, where stems are the same)."""
    stems = [path.stem for path in paths]
    is_unique = len(set(stems)) == len(stems)
    names = stems if is_unique else [str(path.with_suffix("")) for path in paths]
    return {name: srsly.read_json(path) for name, path in zip(names, paths, strict=True)}


def compare(
    scores: Mapping[str, Mapping[str, Scores]], *, reference: str | None = None
) -> Comparison:
    """Scores of pipelines by name, as `evaluate` gives them, as tables.

    reference: the pipeline to compare with; by default the last one.

    Raises ValueError: NM104 if there is no pipeline of that name, NM105 if the scores come from
    different files.
    """
    names = list(scores)
    chosen = names[-1] if reference is None else reference
    if chosen not in scores:
        raise ValueError(Errors.NM104.format(found=chosen, known=", ".join(names)))
    comparison = Comparison(names=names, reference=chosen, scores={}, differences={})
    for setting, keys in KEYS.items():
        columns = {name: scores[name].get(setting, {}) for name in names}
        sizes = {name: column["n_words"] for name, column in columns.items() if column}
        if not sizes:
            continue
        if len(set(sizes.values())) > 1:
            raise ValueError(Errors.NM105.format(sizes=sizes))
        table = {key: {name: columns[name].get(key) for name in names} for key in keys}
        comparison["scores"][setting] = table
        comparison["differences"][setting] = {
            key: {name: _difference(key, row[name], row[chosen]) for name in names}
            for key, row in table.items()
        }
    return comparison


def _difference(key: str, score: float | None, reference: float | None) -> float | None:
    if score is None or reference is None:
        return None
    if key == SPEED:
        return score / reference if reference else None
    return score - reference
