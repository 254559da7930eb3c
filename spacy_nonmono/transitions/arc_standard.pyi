from .system import TransitionSystem

POSITIONS: tuple[str, ...]
STANDARD_POSITIONS: tuple[str, ...]

class ArcStandard(TransitionSystem): ...

class ArcHybrid(TransitionSystem): ...
