"""The systems with a stack and a buffer."""

from typing import NamedTuple

from .trees import MOVES, ROOT, Heads, Labels, replaced


class StackConfig(NamedTuple):
    """Stack (top last), buffer (front first), and for each word its head, its label ("" when none).

    `bits`: the words that were shifted before (unshift only). `end`: the buffer has been empty
    (tree-constrained only).
    """

    stack: tuple[int, ...]
    buffer: tuple[int, ...]
    heads: Heads
    labels: Labels
    bits: tuple[bool, ...] = ()
    end: bool = False


class StackSystem:
    """What they share: the moves that `can_…` allows, and arcs that are written once."""

    single_root = False

    def heads(self, c: StackConfig) -> Heads:
        return c.heads

    def final(self, c: StackConfig) -> bool:
        raise NotImplementedError

    def valid(self, c: StackConfig) -> list[str]:
        if self.final(c):
            return []
        return [move for move in MOVES if getattr(self, f"can_{move}", lambda c: False)(c)]

    def attach(self, c: StackConfig, head: int, dependent: int, label: str) -> StackConfig:
        written = "" if head == ROOT else label
        return c._replace(
            heads=replaced(c.heads, dependent, head), labels=replaced(c.labels, dependent, written)
        )

    def shift(self, c: StackConfig) -> StackConfig:
        return c._replace(stack=(*c.stack, c.buffer[0]), buffer=c.buffer[1:])


class ArcEager(StackSystem):
    """Arc-eager, ROOT last in the buffer, several roots allowed."""

    name = "arc_eager"

    def initial(self, n: int) -> StackConfig:
        return StackConfig((), (*range(n), ROOT), (-1,) * n, ("",) * n)

    def final(self, c: StackConfig) -> bool:
        return not c.stack and c.buffer == (ROOT,)

    def can_shift(self, c: StackConfig) -> bool:
        return c.buffer[0] != ROOT

    def can_right_arc(self, c: StackConfig) -> bool:
        return bool(c.stack) and c.buffer[0] != ROOT

    def can_left_arc(self, c: StackConfig) -> bool:
        return bool(c.stack) and not self.is_headed(c, c.stack[-1])

    def can_reduce(self, c: StackConfig) -> bool:
        return bool(c.stack) and self.is_headed(c, c.stack[-1])

    def is_headed(self, c: StackConfig, word: int) -> bool:
        """Of a word that is still on the stack or in the buffer."""
        return c.heads[word] != -1

    def apply(
        self, c: StackConfig, move: str, label: str = "dep"
    ) -> StackConfig:
        assert move in self.valid(c), (move, c)
        if move == "shift":
            return self.shift(c)
        if move in ("reduce", "unshift"):
            return self.reduce(c)
        s, b = c.stack[-1], c.buffer[0]
        if move == "left_arc":
            return self.attach(c, b, s, label)._replace(stack=c.stack[:-1])
        after = self.attach(c, s, b, label)
        return after._replace(stack=(*c.stack, b), buffer=c.buffer[1:])

    def reduce(self, c: StackConfig) -> StackConfig:
        return c._replace(stack=c.stack[:-1])


class ArcEagerRepair(ArcEager):
    """Honnibal, Goldberg & Johnson 2013: LEFT clobbers, REDUCE of a headless word inserts an arc, which
    gets its label when all is done."""

    name = "arc_eager_repair"

    def initial(self, n: int) -> StackConfig:
        buffer = (*range(n), ROOT)
        n_stack = min(n, 1)
        none = ("",) * n
        return StackConfig(buffer[:n_stack], buffer[n_stack:], (-1,) * n, none)

    def can_left_arc(self, c: StackConfig) -> bool:
        return bool(c.stack)

    def can_reduce(self, c: StackConfig) -> bool:
        return bool(c.stack) and (self.is_headed(c, c.stack[-1]) or len(c.stack) >= 2)

    def reduce(self, c: StackConfig) -> StackConfig:
        s = c.stack[-1]
        if not self.is_headed(c, s):
            c = self.attach(c, c.stack[-2], s, "")
        return super().reduce(c)


class ArcEagerUnshift(ArcEager):
    """Honnibal & Johnson 2015, repaired: REDUCE of a headless word moves it back to the buffer."""

    name = "arc_eager_unshift"
    single_root = True

    def initial(self, n: int) -> StackConfig:
        return StackConfig((), tuple(range(n)), (-1,) * n, ("",) * n, (False,) * n)

    def final(self, c: StackConfig) -> bool:
        return not c.buffer and len(c.stack) <= 1  # no word at all only where there is none

    def can_shift(self, c: StackConfig) -> bool:
        return bool(c.buffer) and (not c.bits[c.buffer[0]] or not c.stack)

    def can_right_arc(self, c: StackConfig) -> bool:
        return bool(c.stack) and bool(c.buffer)

    def can_left_arc(self, c: StackConfig) -> bool:
        return bool(c.stack) and bool(c.buffer)

    def can_reduce(self, c: StackConfig) -> bool:
        return len(c.stack) >= 2  # headed: REDUCE, headless: UNSHIFT

    def shift(self, c: StackConfig) -> StackConfig:
        return super().shift(c._replace(bits=replaced(c.bits, c.buffer[0], True)))

    def reduce(self, c: StackConfig) -> StackConfig:
        s = c.stack[-1]
        if self.is_headed(c, s):
            return super().reduce(c)
        return c._replace(stack=c.stack[:-1], buffer=(s, *c.buffer))


class ArcEagerDistinctUnshift(ArcEagerUnshift):
    """The same, but for a headless word there is UNSHIFT beside REDUCE."""

    name = "arc_eager_distinct_unshift"

    def can_reduce(self, c: StackConfig) -> bool:
        return len(c.stack) >= 2 and self.is_headed(c, c.stack[-1])

    def can_unshift(self, c: StackConfig) -> bool:
        return len(c.stack) >= 2 and not self.is_headed(c, c.stack[-1])


class ArcEagerTreeConstrained(ArcEager):
    """Nivre & Fernández-González 2014: once the buffer was empty, only repairs of the stack."""

    name = "arc_eager_tree_constrained"
    single_root = True

    def initial(self, n: int) -> StackConfig:
        return StackConfig((), tuple(range(n)), (-1,) * n, ("",) * n, end=n == 0)

    def final(self, c: StackConfig) -> bool:
        return c.end and len(c.stack) + len(c.buffer) <= 1

    def can_shift(self, c: StackConfig) -> bool:
        return bool(c.buffer) and not c.end

    def can_right_arc(self, c: StackConfig) -> bool:
        return bool(c.stack) and bool(c.buffer)

    def can_left_arc(self, c: StackConfig) -> bool:
        return bool(c.stack) and bool(c.buffer) and not self.is_headed(c, c.stack[-1])

    def can_reduce(self, c: StackConfig) -> bool:
        if not c.stack:
            return False
        return self.is_headed(c, c.stack[-1]) or not c.buffer

    def reduce(self, c: StackConfig) -> StackConfig:
        s = c.stack[-1]
        if self.is_headed(c, s):
            return super().reduce(c)
        return c._replace(stack=c.stack[:-1], buffer=(s,))

    def apply(
        self, c: StackConfig, move: str, label: str = "dep"
    ) -> StackConfig:
        after = super().apply(c, move, label)
        return after._replace(end=after.end or not after.buffer)


class RootFirst(StackSystem):
    """ROOT first in the buffer, hence at the bottom of the stack; one root, attached last of all.

    An attachment takes the dependent off the stack.
    """

    single_root = True

    def initial(self, n: int) -> StackConfig:
        return StackConfig((), (ROOT, *range(n)), (-1,) * n, ("",) * n)

    def final(self, c: StackConfig) -> bool:
        return not c.heads or (c.stack == (ROOT,) and not c.buffer)

    def can_shift(self, c: StackConfig) -> bool:
        return bool(c.buffer)

    def can_right_arc(self, c: StackConfig) -> bool:
        return len(c.stack) > 2 or (len(c.stack) == 2 and self.root_may_take_one(c))

    def root_may_take_one(self, c: StackConfig) -> bool:
        return not c.buffer

    def arc(self, c: StackConfig, move: str) -> tuple[int, int]:
        """(head, dependent) of the arc that the move builds."""
        raise NotImplementedError

    def apply(
        self, c: StackConfig, move: str, label: str = "dep"
    ) -> StackConfig:
        assert move in self.valid(c), (move, c)
        if move == "shift":
            return self.shift(c)
        head, dependent = self.arc(c, move)
        after = self.attach(c, head, dependent, label)
        return after._replace(stack=tuple(word for word in c.stack if word != dependent))


class ArcHybrid(RootFirst):
    """LEFT attaches the top of the stack to the buffer, RIGHT to the word below it."""

    name = "arc_hybrid"

    def can_left_arc(self, c: StackConfig) -> bool:
        return len(c.stack) >= 2 and bool(c.buffer)

    def arc(self, c: StackConfig, move: str) -> tuple[int, int]:
        return (c.buffer[0] if move == "left_arc" else c.stack[-2]), c.stack[-1]


class ArcStandard(RootFirst):
    """LEFT and RIGHT join the two words on top of the stack."""

    name = "arc_standard"

    def can_left_arc(self, c: StackConfig) -> bool:
        return len(c.stack) > 2

    def arc(self, c: StackConfig, move: str) -> tuple[int, int]:
        below, s = c.stack[-2:]
        return (s, below) if move == "left_arc" else (below, s)


class ArcSwap(ArcStandard):
    """SWAP moves the second word of the stack back to the buffer, unless it belongs behind the top."""

    name = "arc_swap"

    def can_swap(self, c: StackConfig) -> bool:
        return len(c.stack) > 2 and c.stack[-2] < c.stack[-1]

    def apply(
        self, c: StackConfig, move: str, label: str = "dep"
    ) -> StackConfig:
        if move != "swap":
            return super().apply(c, move, label)
        assert move in self.valid(c), (move, c)
        *stack, below, s = c.stack
        return c._replace(stack=(*stack, s), buffer=(below, *c.buffer))
