"""Runs the cases of a campaign in a child process and counts their outcomes.

A case is a function from a seed to an `Outcome`, alone or with what it found ("uncoded KeyError"). When
the child dies or is silent for `PATIENCE` seconds, the case is a crash or a hang, and another child goes
on with the next seed.
"""

import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from tests.children import in_child

PATIENCE = 30.0  # seconds that a case may take, the first with its training
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
        for outcome, lost in in_child(seed, end, case, patience):
            tally.add(seed, lost or outcome)
            seed += 1
    tally.seconds = time.perf_counter() - begun
    return tally
