from .system import TransitionSystem

POSITIONS: tuple[str, ...]

class ArcEager(TransitionSystem):
    """Arc-eager (Nivre 2003); projective, several words may be roots."""

class ArcEagerRepair(TransitionSystem):
    """Non-monotonic arc-eager (Honnibal, Goldberg & Johnson 2013)."""

class ArcEagerTreeConstrained(TransitionSystem):
    """Tree-constrained arc-eager (Nivre & Fernandez-Gonzalez 2014); one root."""

class ArcEagerUnshift(TransitionSystem):
    """Non-monotonic arc-eager with Unshift (Honnibal & Johnson 2015); one root."""
