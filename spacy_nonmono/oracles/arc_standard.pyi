from .oracle import Oracle

class ArcStandardOracle(Oracle):
    """Exact dynamic oracle of `arc_standard` for any gold tree (Goldberg, Sartorio & Satta 2014)."""
