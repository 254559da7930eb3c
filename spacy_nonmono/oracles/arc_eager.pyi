from collections.abc import Callable

from ..transitions.system import TransitionSystem
from .oracle import Oracle, StaticOracle

class ArcEagerOracle(Oracle): ...

class RepairOracle(Oracle): ...

class UnshiftOracle(Oracle): ...

class ArcEagerStatic(StaticOracle): ...

ARC_EAGER: dict[str, Callable[[TransitionSystem], Oracle]]
ARC_EAGER_REPAIR: dict[str, Callable[[TransitionSystem], Oracle]]
ARC_EAGER_UNSHIFT: dict[str, Callable[[TransitionSystem], Oracle]]
