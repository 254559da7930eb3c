from collections.abc import Callable

from ..transitions.system import TransitionSystem
from .oracle import Oracle

class TreeConstrainedOracle(Oracle):
    """Exact dynamic oracle of `arc_eager_tree_constrained` (Nivre & Fernandez-Gonzalez 2014)."""

ARC_EAGER_TREE_CONSTRAINED: dict[str, Callable[[TransitionSystem], Oracle]]
