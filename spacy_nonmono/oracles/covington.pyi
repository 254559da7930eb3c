from collections.abc import Callable

from ..transitions.system import TransitionSystem
from .oracle import Oracle, StaticOracle

CYCLE_CAP: int

class CovingtonOracle(Oracle): ...

class CovingtonBound(Oracle):
    def __init__(self, system: TransitionSystem, name: str) -> None: ...
    @property
    def tie_break(self) -> str: ...
    @tie_break.setter
    def tie_break(self, value: str) -> None: ...

class CovingtonStatic(StaticOracle): ...

COVINGTON: dict[str, Callable[[TransitionSystem], Oracle]]
COVINGTON_NONMONOTONIC: dict[str, Callable[[TransitionSystem], Oracle]]
