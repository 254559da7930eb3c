from collections.abc import Callable

from ..transitions.system import TransitionSystem
from .oracle import Oracle, StaticOracle

class ArcSwapStatic(StaticOracle): ...

ARC_SWAP: dict[str, Callable[[TransitionSystem], Oracle]]
