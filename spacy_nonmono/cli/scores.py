"""Scores on the screen: those of one pipeline, and those of several side by side."""

from collections.abc import Mapping, Sequence
from typing import Any

from wasabi import msg

from ..evaluation.compare import Comparison, Table
from ..evaluation.names import (
    COMPARED,
    COUNTS,
    DIFFERENCES,
    METRICS,
    RATIOS,
    RAW_COMPARED,
    RAW_TEXT,
    SCORES,
    SETTING_NAMES,
    SPEED,
)
from .screen import number, percent, show_table

N_SHOWN = 10  # differences of words


def show_scores(scores: Mapping[str, Mapping[str, Any]]) -> None:
    """Show all scores of one pipeline, by setting."""
    columns = {setting: scores[setting] for setting in scores if setting != RAW_TEXT}
    if columns:
        rows = [
            [label, *(percent(column.get(name)) for column in columns.values())]
            for name, label in SCORES.items()
        ]
        rows += [
            [label, *(_count(column.get(name)) for column in columns.values())]
            for name, label in COUNTS.items()
        ]
        show_table(rows, ["", *(SETTING_NAMES[setting] for setting in columns)])
    if RAW_TEXT in scores:
        raw = scores[RAW_TEXT]
        rows = [
            [label, *(percent(raw.get(f"{name}_{ratio}")) for ratio in RATIOS)]
            for name, label in METRICS.items()
        ]
        show_table(rows, [SETTING_NAMES[RAW_TEXT], *RATIOS.values()])
        counts = (f"{label.lower()}: {_count(raw.get(name))}" for name, label in COUNTS.items())
        msg.text(", ".join(counts).capitalize())
        _show_differences(raw.get(DIFFERENCES, []))


def _show_differences(differences: Sequence[Mapping[str, Any]]) -> None:
    """Show the commonest differences of words, since these cap all scores of raw text."""
    rows = [[one["gold"], one["predicted"], _count(one["count"])] for one in differences[:N_SHOWN]]
    if rows:
        show_table(rows, ["Words of the treebank", "Words found", "Times"], n_left=2)


def show_comparison(table: "Comparison") -> None:
    """Show what `evaluation.compare` found."""
    names, reference = table["names"], table["reference"]
    labels = SCORES | COUNTS
    for setting, rows in table["scores"].items():
        if setting == RAW_TEXT:
            _show_raw_text(rows)
            continue
        differences = table["differences"][setting]
        cells = [
            [
                labels[key],
                *(
                    _cell(key, rows[key][name], None if name == reference else differences[key][name])
                    for name in names
                ),
            ]
            for key in COMPARED
        ]
        show_table(cells, [SETTING_NAMES[setting], *names])
    if table["scores"].keys() - {RAW_TEXT}:
        msg.text(f"+ and -: points more or less than {reference}; x: times as fast.")


def _show_raw_text(table: "Table") -> None:
    """Show the scores of raw text, one row per pipeline: there are many scores, and a pipeline without
    them has none."""
    rows = [
        [name, *(_cell(key, table[key][name], None) for key in RAW_COMPARED)]
        for name, speed in table[SPEED].items()
        if speed is not None
    ]
    show_table(rows, [SETTING_NAMES[RAW_TEXT], *METRICS.values(), COUNTS[SPEED]])


def _cell(key: str, score: float | None, difference: float | None) -> str:
    """Return a score, and in a field of its own width the difference: "85.31  +1.20"."""
    value = _count(score) if key == SPEED else percent(score)
    if score is None or difference is None:
        return value
    change = f"x{difference:.2f}" if key == SPEED else f"{100 * difference:+.2f}"
    return f"{value} {change:>7}"


def _count(value: float | None) -> str:
    return number(value, "{:,.0f}")
