from collections.abc import Callable

from ..transitions.system import TransitionSystem
from .oracle import Oracle, StaticOracle

class ArcHybridOracle(Oracle):
    """Exact dynamic oracle of `arc_hybrid` (Goldberg & Nivre 2013)."""

class ArcHybridStatic(StaticOracle): ...

ARC_HYBRID: dict[str, Callable[[TransitionSystem], Oracle]]
