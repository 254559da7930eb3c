from collections.abc import Callable

from ..transitions.system import TransitionSystem
from .oracle import Oracle, StaticOracle

CYCLE_CAP: int

class CovingtonOracle(Oracle):
    """Exact dynamic oracle of `covington` (Gomez-Rodriguez & Fernandez-Gonzalez 2015)."""

class CovingtonBound(Oracle):
    """A bound on the loss of `covington_nonmonotonic`: "lower", "pc_upper" or "upper"."""

    def __init__(self, system: TransitionSystem, name: str) -> None: ...

class CovingtonExact(Oracle):
    """The exact loss of `covington_nonmonotonic`, by search; it counts every word, roots included."""

class CovingtonStatic(StaticOracle): ...

COVINGTON: dict[str, Callable[[TransitionSystem], Oracle]]
COVINGTON_NONMONOTONIC: dict[str, Callable[[TransitionSystem], Oracle]]
