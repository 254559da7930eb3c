"""Covington's systems."""

from collections.abc import Sequence
from typing import NamedTuple

from .trees import Heads, Labels, replaced


class CovingtonConfig(NamedTuple):
    """The focus words (i is -1 when the left list is exhausted) and each word's head and label."""

    i: int
    j: int
    heads: Heads
    labels: Labels

    @property
    def stack(self) -> tuple[int, ...]:
        return tuple(range(self.i + 1))

    @property
    def buffer(self) -> tuple[int, ...]:
        return tuple(range(self.j, len(self.heads)))


def has_path(heads: Sequence[int], ancestor: int, word: int) -> bool:
    """ancestor →* word."""
    while word not in (ancestor, -1):
        word = heads[word]
    return word == ancestor


class Covington:
    """Covington's algorithm as a transition system; no arc may give a second head or a cycle."""

    name = "covington"
    single_root = False

    def initial(self, n: int) -> CovingtonConfig:
        return CovingtonConfig(-1, 0, (-1,) * n, ("",) * n)

    def final(self, c: CovingtonConfig) -> bool:
        return c.j == len(c.heads)

    def heads(self, c: CovingtonConfig) -> Heads:
        return c.heads

    def valid(self, c: CovingtonConfig) -> list[str]:
        if self.final(c):
            return []
        if c.i < 0:
            return ["shift"]
        moves = ["shift", "no_arc"]
        if self.can_attach(c, c.j, c.i):
            moves.append("left_arc")
        if self.can_attach(c, c.i, c.j):
            moves.append("right_arc")
        return moves

    def can_attach(self, c: CovingtonConfig, head: int, dependent: int) -> bool:
        return c.heads[dependent] == -1 and not has_path(c.heads, dependent, head)

    def apply(
        self, c: CovingtonConfig, move: str, label: str = "dep"
    ) -> CovingtonConfig:
        assert move in self.valid(c), (move, c)
        if move == "shift":
            return c._replace(i=c.j, j=c.j + 1)
        if move == "left_arc":
            c = self.attach(c, c.j, c.i, label)
        elif move == "right_arc":
            c = self.attach(c, c.i, c.j, label)
        return c._replace(i=c.i - 1)

    def attach(self, c: CovingtonConfig, head: int, dependent: int, label: str) -> CovingtonConfig:
        return c._replace(
            heads=replaced(c.heads, dependent, head), labels=replaced(c.labels, dependent, label)
        )


class CovingtonNonmonotonic(Covington):
    """Fernández-González & Gómez-Rodríguez 2017: a new arc replaces a head and breaks a cycle."""

    name = "covington_nonmonotonic"

    def can_attach(self, c: CovingtonConfig, head: int, dependent: int) -> bool:
        return True

    def attach(self, c: CovingtonConfig, head: int, dependent: int, label: str) -> CovingtonConfig:
        if has_path(c.heads, dependent, head):
            c = super().attach(c, -1, head, "")
        return super().attach(c, head, dependent, label)


class Masked:
    """A system of these that passes by hidden pairs of words: No-Arc is all that it can do there."""

    def __init__(self, system: Covington, hidden: frozenset[tuple[int, int]]) -> None:
        self.name = f"{system.name}, masked"
        self.system = system
        self.hidden = hidden
        self.initial = system.initial
        self.apply = system.apply

    def valid(self, c: CovingtonConfig) -> list[str]:
        return ["no_arc"] if (c.i, c.j) in self.hidden else self.system.valid(c)
