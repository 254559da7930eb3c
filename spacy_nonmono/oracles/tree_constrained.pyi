from collections.abc import Callable

from ..transitions.system import TransitionSystem
from .oracle import Oracle

class TreeConstrainedOracle(Oracle): ...

ARC_EAGER_TREE_CONSTRAINED: dict[str, Callable[[TransitionSystem], Oracle]]
