"""The systems with a list of pending words, of which neighbours are attached to each other."""

from typing import NamedTuple

from .trees import ARC_MOVES, MOVES, ROOT, Heads, Labels, Move, replaced


class ListConfig(NamedTuple):
    """The pending words in sentence order, and each word's head and label.

    `focus`: the index of the left word of the focus pair (Yamada & Matsumoto only; -1 otherwise).
    `attached`: whether something was attached in this pass (Yamada & Matsumoto only).
    """

    pending: tuple[int, ...]
    heads: Heads
    labels: Labels
    focus: int = -1
    attached: bool = False
    @property
    def stack(self) -> tuple[int, ...]:
        return ()  # there is none, and no buffer

    @property
    def buffer(self) -> tuple[int, ...]:
        return ()


class ListSystem:
    """What they share: an attachment takes the dependent off the list; one word is left."""

    single_root = True

    def final(self, c: ListConfig) -> bool:
        return len(c.pending) <= 1

    def heads(self, c: ListConfig) -> Heads:
        return c.heads

    def valid(self, c: ListConfig) -> list[tuple[str, int]]:
        raise NotImplementedError

    def arc(self, c: ListConfig, move: Move) -> tuple[int, int] | None:
        """(head, dependent) of the arc that the move builds; None for a shift."""
        name, position = move
        if name not in ARC_MOVES:
            return None
        left, right = c.pending[position : position + 2]
        return (right, left) if name == "left_arc" else (left, right)

    def attach(self, c: ListConfig, head: int, dependent: int, label: str) -> ListConfig:
        written = "" if head == ROOT else label
        return c._replace(
            pending=tuple(word for word in c.pending if word != dependent),
            heads=replaced(c.heads, dependent, head),
            labels=replaced(c.labels, dependent, written),
        )


class EasyFirst(ListSystem):
    """Goldberg & Elhadad 2010: any two neighbours; ROOT is first in the list and takes one word."""

    name = "easy_first"

    def initial(self, n: int) -> ListConfig:
        return ListConfig((ROOT, *range(n)), (-1,) * n, ("",) * n)

    def valid(self, c: ListConfig) -> list[tuple[str, int]]:
        found = [("right_arc", 0)] if self.root_may_take_one(c) else []
        return found + [(m, p) for p in range(1, len(c.pending) - 1) for m in ARC_MOVES]

    def root_may_take_one(self, c: ListConfig) -> bool:
        return len(c.pending) == 2

    def apply(
        self, c: ListConfig, move: tuple[str, int], label: str = "dep"
    ) -> ListConfig:
        assert move in self.valid(c), (move, c)
        head, dependent = self.arc(c, move)
        return self.attach(c, head, dependent, label)


class YamadaMatsumoto(ListSystem):
    """Passes over the list; the focus stays in place after an attachment.

    The last word left is the root. Once the focus stands on the last word, a new pass starts if
    something was attached in this one; otherwise an attachment is forced, at any position.
    """

    name = "yamada_matsumoto"

    def __init__(self, *, fine_grained_shift: bool = False) -> None:
        self.shifts = [m for m in MOVES if m.startswith("shift")] if fine_grained_shift else ["shift"]

    def initial(self, n: int) -> ListConfig:
        return ListConfig(tuple(range(n)), (-1,) * n, ("",) * n, focus=0)

    def is_forced(self, c: ListConfig) -> bool:
        return c.focus == len(c.pending) - 1

    def valid(self, c: ListConfig) -> list[tuple[str, int]]:
        if self.final(c):
            return []
        if self.is_forced(c):
            return [(m, p) for p in range(len(c.pending) - 1) for m in ARC_MOVES]
        return [(m, c.focus) for m in (*self.shifts, *ARC_MOVES)]

    def apply(
        self, c: ListConfig, move: tuple[str, int], label: str = "dep"
    ) -> ListConfig:
        assert move in self.valid(c), (move, c)
        arc = self.arc(c, move)
        if arc is None:
            return self.next_pass(c._replace(focus=c.focus + 1))
        after = self.attach(c, *arc, label)
        if self.is_forced(c):
            return after._replace(focus=0, attached=False)
        return self.next_pass(after._replace(attached=True))

    def next_pass(self, c: ListConfig) -> ListConfig:
        """Back to the first words, if the focus has come to the end of a pass that built an arc."""
        if c.focus == len(c.pending) - 1 > 0 and c.attached:
            return c._replace(focus=0, attached=False)
        return c
