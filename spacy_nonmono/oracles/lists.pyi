from collections.abc import Callable

from ..transitions.system import TransitionSystem
from .oracle import Oracle, StaticOracle

class ListOracle(Oracle):
    """Exact dynamic oracle of `easy_first` and `yamada_matsumoto` (Goldberg & Nivre 2013)."""

class EasyFirstStatic(StaticOracle): ...

class YamadaMatsumotoStatic(StaticOracle): ...

EASY_FIRST: dict[str, Callable[[TransitionSystem], Oracle]]
YAMADA_MATSUMOTO: dict[str, Callable[[TransitionSystem], Oracle]]
