"""Runs the cases of a campaign in a child process and counts their outcomes.

    python -m tests.fuzz.harness tests.fuzz.test_api:call 0 1000

A case is a function from a seed to an `Outcome`, alone or with what it found ("uncoded KeyError"). The
child prints one line per case; when it dies or is silent for `PATIENCE` seconds, the case is a crash or
a hang, and another child goes on with the next seed.
"""

import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from importlib import import_module
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO

ROOT = Path(__file__).parents[2]
PATIENCE = 10.0  # seconds that a case may take
START_UP = 120.0  # seconds that imports and the first case may take
FAILURES_KEPT = 20


class Outcome(str, Enum):
    RIGHT = "right"  # what should have come out
    CODED = "coded"  # an error with a code of ours, or of spaCy's where the call is spaCy's
    ORDINARY = "ordinary"  # TypeError, IndexError, ...: fine for a call, not for a file
    UNCODED = "uncoded"  # an error that says nothing to a user
    DIFFERS = "differs"  # no error, and not what should have come out
    HANG = "hang"
    CRASH = "crash"


FAILURES = (Outcome.UNCODED, Outcome.DIFFERS, Outcome.HANG, Outcome.CRASH)
Case = Callable[[int], "Outcome | str"]


@dataclass
class Tally:
    """The outcomes of a campaign. failures: "seed: outcome", the first ones."""

    campaign: str
    first_seed: int
    seconds: float = 0.0
    counts: Counter[Outcome] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def add(self, seed: int, outcome: str) -> None:
        kind = Outcome(outcome.split(" ", 1)[0])
        self.counts[kind] += 1
        if kind in FAILURES and len(self.failures) < FAILURES_KEPT:
            self.failures.append(f"{seed}: {outcome}")

    @property
    def n_failures(self) -> int:
        return sum(self.counts[kind] for kind in FAILURES)


def is_coded(error: BaseException) -> bool:
    """Whether an error carries a code of ours or of spaCy's."""
    return bool(re.search(r"\[(NM|E)\d{3,4}\]", str(error)))


def error_outcome(error: BaseException, ordinary: tuple[type[BaseException], ...] = ()) -> str:
    """The outcome of a case that ended with an error; `ordinary`: errors that need no code."""
    if is_coded(error):
        return Outcome.CODED.value
    if isinstance(error, ordinary):
        return Outcome.ORDINARY.value
    return f"{Outcome.UNCODED.value} {type(error).__name__}: {error}"


def run_campaign(
    name: str, case: Case, n_cases: int, first_seed: int = 0, *, patience: float = PATIENCE
) -> Tally:
    """Run a case, a function of a module, with so many seeds. patience: seconds for a case."""
    tally = Tally(name, first_seed)
    begun = time.perf_counter()
    seed, end = first_seed, first_seed + n_cases
    while seed < end:
        path = f"{case.__module__}:{case.__qualname__}"
        for outcome in child_outcomes(path, seed, end - seed, patience):
            tally.add(seed, outcome)
            seed += 1
    tally.seconds = time.perf_counter() - begun
    return tally


def child_outcomes(case: str, first_seed: int, n_cases: int, patience: float):
    """The outcomes of one child, up to its last one or to the case that it does not survive."""
    command = [sys.executable, "-m", "tests.fuzz.harness", case, str(first_seed), str(n_cases)]
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    child = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"},
        text=True,
    )
    lines: Queue[str] = Queue()
    assert child.stdout is not None
    reader = Thread(target=pass_on, args=(child.stdout, lines), daemon=True)
    reader.start()
    left = max(START_UP, patience)
    try:
        for _ in range(n_cases):
            try:
                line = lines.get(timeout=left)
            except Empty:
                yield f"{Outcome.HANG.value} of {left:.0f} s"
                return
            if not line:
                yield f"{Outcome.CRASH.value} with exit code {child.wait()}"
                return
            yield line.rstrip("\n").removeprefix("outcome: ")
            left = patience
    finally:
        child.kill()
        child.wait()
        reader.join()
        child.stdout.close()


def pass_on(stream: IO[str], lines: "Queue[str]") -> None:
    """Hand on the lines that report an outcome; "" at the end."""
    for line in stream:
        if line.startswith("outcome: "):
            lines.put(line)
    lines.put("")


def main(case: str, first_seed: int, n_cases: int) -> None:
    module, _, name = case.partition(":")
    function: Case = getattr(import_module(module), name)
    for seed in range(first_seed, first_seed + n_cases):
        outcome = function(seed)
        text = outcome.value if isinstance(outcome, Outcome) else outcome
        print("outcome:", " ".join(text.split())[:500], flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
