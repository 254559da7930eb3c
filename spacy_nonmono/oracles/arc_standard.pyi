from collections.abc import Callable

from ..transitions.system import TransitionSystem
from .oracle import Oracle, StaticOracle

class ArcStandardOracle(Oracle): ...

class ArcStandardStatic(StaticOracle): ...

ARC_STANDARD: dict[str, Callable[[TransitionSystem], Oracle]]
