from .oracle import Oracle

class TreeConstrainedOracle(Oracle):
    """Exact dynamic oracle of `arc_eager_tree_constrained` (Nivre & Fernandez-Gonzalez 2014)."""
