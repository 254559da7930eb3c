from .system import TransitionSystem

POSITIONS: tuple[str, ...]

class Covington(TransitionSystem): ...

class CovingtonNonmonotonic(TransitionSystem): ...
