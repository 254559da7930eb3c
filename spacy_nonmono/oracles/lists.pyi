from collections.abc import Callable

from ..transitions.system import TransitionSystem
from .oracle import Oracle, StaticOracle

class ListOracle(Oracle): ...

class EasyFirstStatic(StaticOracle): ...

class YamadaMatsumotoStatic(StaticOracle): ...

EASY_FIRST: dict[str, Callable[[TransitionSystem], Oracle]]
YAMADA_MATSUMOTO: dict[str, Callable[[TransitionSystem], Oracle]]
