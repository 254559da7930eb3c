"""The law of `parse`: whatever goes in comes out as the pipeline parsed it, or with the reason why not.

Case N is the same every time: `python -m tests.campaign --show N` shows it.
"""

from collections.abc import Callable

import pytest

from . import damage
from .cases import cell_of, problems_of
from .running import run_cases
from .table import CAMPAIGN_ROW

# All kinds of input with all outputs, twice
FEW = 110
PARTS, PER_PART = 50, 2_100
FEW_DAMAGED, MANY_DAMAGED = 60, 20_000

Record = Callable[[str, object], None]


def check(title: str, record: Record, first: int, n_cases: int, case, cell) -> None:
    tally = run_cases(first, n_cases, case, cell)
    record(CAMPAIGN_ROW, (title, tally.to_json()))
    assert not tally.laws, "\n".join((*tally.shown, *tally.lines()))


def test_cases(record_property: Record) -> None:
    check("the campaign", record_property, 0, FEW, problems_of, cell_of)


@pytest.mark.fuzz
@pytest.mark.parametrize("part", range(PARTS))
def test_many_cases(part: int, record_property: Record) -> None:
    check("the campaign", record_property, part * PER_PART, PER_PART, problems_of, cell_of)


def test_damaged_files(record_property: Record) -> None:
    check("damaged files", record_property, 0, FEW_DAMAGED, damage.problems_of, damage.cell_of)


@pytest.mark.fuzz
def test_many_damaged_files(record_property: Record) -> None:
    check("damaged files", record_property, 0, MANY_DAMAGED, damage.problems_of, damage.cell_of)
