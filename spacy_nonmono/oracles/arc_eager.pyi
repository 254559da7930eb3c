from .oracle import Oracle

class ArcEagerOracle(Oracle):
    """Exact dynamic oracle of `arc_eager` (Goldberg & Nivre 2013)."""

class RepairOracle(Oracle):
    """Exact dynamic oracle of `arc_eager_repair` (Honnibal, Goldberg & Johnson 2013)."""

class UnshiftOracle(Oracle):
    """Exact dynamic oracle of `arc_eager_unshift` (Honnibal & Johnson 2015)."""
