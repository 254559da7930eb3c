from .oracle import Oracle

class ArcHybridOracle(Oracle):
    """Exact dynamic oracle of `arc_hybrid` (Goldberg & Nivre 2013)."""
