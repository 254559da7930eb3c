from .oracle import Oracle

class ListOracle(Oracle):
    """Exact dynamic oracle of `easy_first` and `yamada_matsumoto` (Goldberg & Nivre 2013)."""
