"""The table that ends `pytest -m exhaustive`: what was enumerated, and what differed; and a fixture."""

import os
from collections.abc import Callable
from typing import Any

import catalogue
import pytest
from hypothesis import settings
from spacy.tokens.underscore import Underscore

from tests.naive import TWINS
from tests.tables import aligned, recorded

pytest_plugins = ["tests.fuzz.table", "tests.campaign.table"]

# Whatever is registered is looked for here, each time among all entry points of the environment
POINTS = catalogue.AVAILABLE_ENTRY_POINTS
catalogue.AVAILABLE_ENTRY_POINTS = {group: list(POINTS.select(group=group)) for group in POINTS.groups}

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
ROWS = "exhaustive rows"


def pytest_configure(config: pytest.Config) -> None:
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # for pytest-xdist's workers: one a core is enough
    # How long an example takes says how busy the machine is
    settings.register_profile("tests", settings(), deadline=None)
    settings.load_profile("tests")
    config.addinivalue_line("markers", "in_table: short sentences, run with -m exhaustive too")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.option.markexpr == "exhaustive":
        for item in items:
            if item.get_closest_marker("in_table"):
                item.add_marker("exhaustive")


@pytest.fixture
def table(record_property: Callable[[str, object], None]) -> list[Row]:
    """The rows of a test: values by column, any number of them."""
    rows: list[Row] = []
    record_property(ROWS, rows)
    return rows


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    rows = sorted((row for rows in recorded(terminalreporter, ROWS) for row in rows), key=place)
    if config.option.markexpr == "exhaustive" and rows:
        terminalreporter.section("every configuration, every gold tree")
        cells = [[text(row.get(column, "")) for column in COLUMNS] for row in rows]
        for line in aligned([COLUMNS, *cells], n_names=3):
            terminalreporter.line(line)


def place(row: Row) -> tuple[Any, ...]:
    return list(TWINS).index(row["system"]), row.get("oracle", ""), row["words"]


def text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else value


@pytest.fixture
def own_extensions():
    """A test without extensions of tokens that others registered: they belong to the process."""
    before = dict(Underscore.token_extensions)
    Underscore.token_extensions.clear()
    yield
    Underscore.token_extensions.clear()
    Underscore.token_extensions.update(before)
