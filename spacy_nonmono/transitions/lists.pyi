from .system import TransitionSystem

POSITIONS: tuple[str, ...]

class EasyFirst(TransitionSystem):
    """Easy-first (Goldberg & Elhadad 2010); one root."""

class YamadaMatsumoto(TransitionSystem):
    """Passes from left to right (Yamada & Matsumoto 2003); one root.

    fine_grained_shift: three shifts, told apart by the gold tree (Zhu, Qiu & Huang 2015).
    """

    def __init__(self, fine_grained_shift: bool = False) -> None: ...
    @property
    def fine_grained_shift(self) -> bool:
        """Whether there are three shifts."""
