from .oracle import StaticOracle

class ArcEagerStatic(StaticOracle):
    """The derivation of the arc-eager systems."""

class CovingtonStatic(StaticOracle):
    """The derivation of Covington's systems."""

class ArcStandardStatic(StaticOracle):
    """The derivation of arc-standard."""

class ArcHybridStatic(StaticOracle):
    """The derivation of arc-hybrid."""

class EasyFirstStatic(StaticOracle):
    """The derivation of easy-first."""

class YamadaMatsumotoStatic(StaticOracle):
    """The derivation in passes from left to right."""
