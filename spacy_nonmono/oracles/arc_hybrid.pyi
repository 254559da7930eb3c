from collections.abc import Callable

from ..transitions.system import TransitionSystem
from .oracle import Oracle, StaticOracle

class ArcHybridOracle(Oracle): ...

class ArcHybridStatic(StaticOracle): ...

ARC_HYBRID: dict[str, Callable[[TransitionSystem], Oracle]]
