"""Many cases in a child process, which may die of one, and the table of what was found."""

import os
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tests.children import in_child
from tests.tables import aligned

from .cases import cell_of, problems_of
from .pipelines import PIPELINES, pipeline

PATIENCE = 60.0  # seconds that a case may take
SHOWN = 3  # cases of each law
LENGTH = 1500  # of a problem that is shown


@dataclass
class Tally:
    """What a campaign found. laws: the numbers of the cases that break each."""

    cases: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    failed: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    laws: dict[str, list[int]] = field(default_factory=dict)
    shown: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, number: int, cell: tuple[str, str, str], problems: list[str]) -> None:
        self.cases[cell] += 1
        self.failed[cell] += bool(problems)
        for law in dict.fromkeys(problem.partition(":")[0] for problem in problems):
            numbers = self.laws.setdefault(law, [])
            numbers.append(number)
            if len(numbers) <= SHOWN:
                first = next(problem for problem in problems if problem.startswith(law))
                self.shown.append(f"{number} {', '.join(cell)}: {first[:LENGTH]}")

    def lines(self) -> Iterator[str]:
        """Cases that failed / cases, by input and output, and by pipeline; then the laws."""
        names = list(dict.fromkeys(name for _, _, name in self.cases))
        rows = [["input", "output", *names, "all"]]
        for kind, output in dict.fromkeys((kind, output) for kind, output, _ in sorted(self.cases)):
            cells = [(kind, output, name) for name in names]
            counts = [f"{self.failed[cell]}/{self.cases[cell]}" for cell in cells]
            counts.append(f"{sum(self.failed[c] for c in cells)}/{sum(self.cases[c] for c in cells)}")
            rows.append([kind, output, *counts])
        yield from aligned(rows, n_names=2)
        yield ""
        table = [["law", "cases that break it", "the first"]]
        for law, numbers in sorted(self.laws.items()):
            table.append([law, f"{len(numbers):,}", str(numbers[0])])
        yield from aligned(table, n_names=1)
        total, failed = sum(self.cases.values()), sum(self.failed.values())
        yield f"{total:,} cases, {failed:,} failed, {self.seconds:.0f} seconds of a processor"

    def to_json(self) -> dict[str, Any]:
        cells = [[*cell, n, self.failed[cell]] for cell, n in self.cases.items()]
        return {"cells": cells, "laws": self.laws, "seconds": self.seconds}

    def include(self, found: dict[str, Any]) -> None:
        for kind, output, name, n, n_failed in found["cells"]:
            self.cases[kind, output, name] += n
            self.failed[kind, output, name] += n_failed
        for law, numbers in found["laws"].items():
            self.laws[law] = sorted([*self.laws.get(law, ()), *numbers])
        self.seconds += found["seconds"]


def run_cases(
    first: int,
    n_cases: int,
    case: Callable[[int], list[str]] = problems_of,
    cell: Callable[[int], tuple[str, str, str]] = cell_of,
    stop: Callable[[Tally], bool] = lambda tally: False,
) -> Tally:
    """case: what is wrong in a case. stop: whether to end, asked after each case."""
    for name in PIPELINES:
        pipeline(name)  # before the processes fork
    tally = Tally()
    begun = processor_time()
    number, end = first, first + n_cases
    while number < end and not stop(tally):
        for problems, lost in in_child(number, end, partial(caught, case), PATIENCE):
            tally.add(number, cell(number), [f"L3 {lost}"] if lost else problems)
            number += 1
            if stop(tally):
                break
    tally.seconds = processor_time() - begun
    return tally


def processor_time() -> float:
    times = os.times()
    return sum(times[:4])


def caught(case: Callable[[int], list[str]], number: int) -> list[str]:
    try:
        return case(number)
    except Exception:
        return [f"checker: {traceback.format_exc()}"]
