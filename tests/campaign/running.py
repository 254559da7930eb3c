"""Many cases in a child process, which may die of one, and the table of what was found."""

import json
import os
import select
import signal
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

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
        for problems in in_child(number, end, case):
            tally.add(number, cell(number), problems)
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


def in_child(first: int, end: int, case: Callable[[int], list[str]]) -> Iterator[list[str]]:
    """The problems of each case up to the one that the child does not survive."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        try:
            with os.fdopen(writing, "w", encoding="ascii") as pipe:
                for number in range(first, end):
                    print(json.dumps(caught(case, number)), file=pipe, flush=True)
        finally:
            os._exit(0)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb", buffering=0) as pipe:
            rest = b""
            for _ in range(first, end):
                while b"\n" not in rest:
                    if not select.select([pipe], [], [], PATIENCE)[0]:
                        yield [f"L3 hangs: for {PATIENCE:.0f} seconds"]
                        return
                    data = pipe.read(2**16)
                    if not data:
                        _, status = os.waitpid(child, 0)
                        child = 0
                        yield [f"L3 crash: {os.waitstatus_to_exitcode(status)}"]
                        return
                    rest += data
                line, _, rest = rest.partition(b"\n")
                yield json.loads(line)
    finally:
        if child:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
