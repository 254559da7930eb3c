"""The classes of a scorer by name: the moves that build no arc, and the others with every label.

In their order: the moves without an arc, then the arcs with the first label, those with the second one,
and so on. New labels append classes. The C side is in `scorer.pxd`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy

from ..transitions.system import TransitionSystem


class MoveNames(NamedTuple):
    """The moves of a system by name: those that build no arc, and those that do."""

    plain: tuple[str, ...]
    arcs: tuple[str, ...]

    def n_classes(self, n_labels: int) -> int:
        """Count the classes that there are with so many labels; arcs have a class even where no label is
        known."""
        return len(self.plain) + len(self.arcs) * max(n_labels, 1)

    def same_move(self, c: int, end: int) -> slice:
        """Find the classes before `end` of the same arc as the class `c`, with any label."""
        n_plain, n_arcs = len(self.plain), len(self.arcs)
        return slice(n_plain + (c - n_plain) % n_arcs, end, n_arcs)


def moves_of(system: TransitionSystem) -> MoveNames:
    """Name the moves of a system."""
    n_plain = len(system.moves) - len(system.arc_moves)
    return MoveNames(system.moves[:n_plain], system.arc_moves)


def class_numbers(moves: MoveNames, others: MoveNames, n_labels: int) -> numpy.ndarray:
    """Find each class of some moves among those of the same moves in another order: (n_classes,) int."""

    def names(known: MoveNames) -> Sequence[tuple[str, int]]:
        arcs = [(move, label) for label in range(max(n_labels, 1)) for move in known.arcs]
        return [*((move, -1) for move in known.plain), *arcs]

    numbers = {name: c for c, name in enumerate(names(others))}
    return numpy.array([numbers[name] for name in names(moves)], dtype="i")
