from collections.abc import Callable

from ..transitions.system import TransitionSystem
from .oracle import Oracle, StaticOracle

class ArcEagerOracle(Oracle):
    """Exact dynamic oracle of `arc_eager` (Goldberg & Nivre 2013)."""

class RepairOracle(Oracle):
    """Exact dynamic oracle of `arc_eager_repair` (Honnibal, Goldberg & Johnson 2013)."""

class UnshiftOracle(Oracle):
    """Exact dynamic oracle of `arc_eager_unshift` (Honnibal & Johnson 2015)."""

class ArcEagerStatic(StaticOracle): ...

ARC_EAGER: dict[str, Callable[[TransitionSystem], Oracle]]
ARC_EAGER_REPAIR: dict[str, Callable[[TransitionSystem], Oracle]]
ARC_EAGER_UNSHIFT: dict[str, Callable[[TransitionSystem], Oracle]]
