from .system import TransitionSystem

POSITIONS: tuple[str, ...]
STANDARD_POSITIONS: tuple[str, ...]

class ArcStandard(TransitionSystem):
    """Arc-standard (Nivre 2004); one root."""

class ArcHybrid(TransitionSystem):
    """Arc-hybrid (Kuhlmann, Gomez-Rodriguez & Satta 2011); one root."""
