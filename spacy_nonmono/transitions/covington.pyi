from .system import TransitionSystem

POSITIONS: tuple[str, ...]

class Covington(TransitionSystem):
    """Covington's system with single heads and no cycles; crossing arcs and several roots."""

class CovingtonNonmonotonic(TransitionSystem):
    """Non-monotonic Covington (Fernandez-Gonzalez & Gomez-Rodriguez 2017)."""
