from .oracle import StaticOracle

class ArcEagerStatic(StaticOracle):
    """The derivation of the arc-eager systems."""

class CovingtonStatic(StaticOracle):
    """The derivation of Covington's systems."""
