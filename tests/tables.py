"""Tables that end a run: rows go from the tests to the terminal as properties of their reports, which
reach it from other processes too."""

from collections.abc import Sequence
from typing import Any

import pytest


def recorded(terminalreporter: pytest.TerminalReporter, name: str) -> list[Any]:
    """The values of a property that tests recorded, whether they passed or not."""
    reports = [r for kind in ("passed", "failed") for r in terminalreporter.stats.get(kind, ())]
    return [value for report in reports for key, value in report.user_properties if key == name]


def aligned(table: Sequence[Sequence[str]], n_names: int) -> list[str]:
    """Columns as wide as what they hold: names, which come first, to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if at < n_names else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in table
    ]
