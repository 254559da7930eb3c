from collections.abc import Callable

from ..transitions.system import TransitionSystem
from .oracle import Oracle, StaticOracle

class ArcStandardOracle(Oracle):
    """Exact dynamic oracle of `arc_standard` for any gold tree (Goldberg, Sartorio & Satta 2014)."""

class ArcStandardStatic(StaticOracle): ...

ARC_STANDARD: dict[str, Callable[[TransitionSystem], Oracle]]
