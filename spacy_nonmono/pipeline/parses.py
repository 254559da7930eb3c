"""What the parser finds: trees, and the derivations that led to them."""

from typing import NamedTuple

import numpy


class Parse(NamedTuple):
    """What the parser found for a doc: relative heads (n,), label ids (n,) with -1 for roots, and
    which words start a sentence (n,). Arcs that training lifted are still lifted. How likely each arc
    is (n,), None if they were not asked for."""

    heads: numpy.ndarray
    labels: numpy.ndarray
    starts: numpy.ndarray
    scores: numpy.ndarray | None = None


class Move(NamedTuple):
    """A move of a derivation, as `TransitionSystem.apply` takes it; "" where there is no label.

    score: the probability of the choice; 1 where there was none.
    """

    move: str
    focus: int
    label: str
    insert_label: str
    score: float


class Derivation(NamedTuple):
    """The moves that parsed one sentence, `start` being the index of its first word in the doc."""

    start: int
    n_words: int
    moves: list[Move]
