"""The table that ends `pytest -m exhaustive`: what was enumerated, and what differed; and a fixture."""

from typing import Any

import pytest
from spacy.tokens.underscore import Underscore

from tests.naive import TWINS

pytest_plugins = ["tests.fuzz.table"]

COLUMNS = (
    "system",
    "oracle",
    "words",
    "configurations",
    "expected",
    "gold trees",
    "transitions",
    "differences",
    "violations",
    "mean bound",
    "mean loss",
    "bound = loss",
    "dead",
    "other outputs",
    "longest",
    "4n - 3",
)
Row = dict[str, Any]
ROWS = pytest.StashKey[list[Row]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[ROWS] = []
    config.addinivalue_line("markers", "in_table: short sentences, run with -m exhaustive too")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.option.markexpr == "exhaustive":
        for item in items:
            if item.get_closest_marker("in_table"):
                item.add_marker("exhaustive")


@pytest.fixture
def table(request: pytest.FixtureRequest) -> list[Row]:
    """The rows: values by column, any number of them."""
    return request.config.stash[ROWS]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    rows = sorted(config.stash[ROWS], key=place)
    if config.option.markexpr == "exhaustive" and rows:
        terminalreporter.section("every configuration, every gold tree")
        for line in lines(rows):
            terminalreporter.line(line)


def place(row: Row) -> tuple[Any, ...]:
    return list(TWINS).index(row["system"]), row.get("oracle", ""), row["words"]


def lines(rows: list[Row]) -> list[str]:
    """Columns as wide as what they hold: names to the left, numbers to the right."""
    cells = [COLUMNS, *(tuple(text(row.get(column, "")) for column in COLUMNS) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if at < 3 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in cells
    ]


def text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else value


@pytest.fixture
def own_extensions():
    """Takes away what extends tokens after a test: extensions belong to the process."""
    before = dict(Underscore.token_extensions)
    yield
    Underscore.token_extensions.clear()
    Underscore.token_extensions.update(before)
