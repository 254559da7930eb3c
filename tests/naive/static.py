"""Static derivations: the one move that builds the gold tree."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from .costs import named_shift
from .covington import CovingtonConfig
from .lists import ListConfig
from .stack import ArcStandard, ArcSwap, RootFirst, StackConfig
from .trees import ARC_MOVES, ROOT, Heads


def static_move(system: Any, c: Any, gold: Heads) -> Any:
    """The one move of the static derivation, None if there is none in this configuration."""
    if isinstance(c, CovingtonConfig):
        move: Any = _static_covington(c, gold)
    elif isinstance(c, ListConfig):
        move = _static_list(system, c, gold)
    elif isinstance(system, ArcSwap):
        move = _static_swap(system, c, gold)
    elif isinstance(system, RootFirst):
        move = _first_complete(system, c, gold, ARC_MOVES) or "shift"
    else:
        move = _static_arc_eager(c, gold)
    return move if move in system.valid(c) else None


def _first_complete(system: Any, c: Any, gold: Heads, moves: Iterable[Any]) -> Any:
    """The first attachment that builds a gold arc whose dependent has all its gold dependents."""
    valid = system.valid(c)
    for move in moves:
        if move in valid:
            head, word = system.arc(c, move)
            if gold[word] == head and all(
                c.heads[d] == word for d in range(len(gold)) if gold[d] == word
            ):
                return move
    return None


def _static_list(system: Any, c: ListConfig, gold: Heads) -> Any:
    """Easy-first: the leftmost such attachment; Yamada & Matsumoto: at the focus, else shift.

    Nothing is ever forced with a projective tree: of a word whose dependents have none themselves,
    the nearest dependent is its neighbour, so that every pass attaches something.
    """
    move = _first_complete(system, c, gold, [m for m in system.valid(c) if m[0] in ARC_MOVES])
    if move is not None or system.name == "easy_first":
        return move
    if system.is_forced(c):
        return None
    return (named_shift(c, gold) if len(system.shifts) > 1 else "shift"), c.focus


def _static_swap(system: ArcSwap, c: StackConfig, gold: Heads) -> str:
    """The lazy oracle of Nivre, Kuhlmann & Hall (2009)."""
    move = _first_complete(system, c, gold, ARC_MOVES)
    if move is not None or len(c.stack) < 3:
        return move or "shift"
    below, s = c.stack[-2:]
    order = inorder(gold)
    if order.index(s) > order.index(below):
        return "shift"
    parts = projective_parts(gold)
    if c.buffer and parts[c.buffer[0]] == parts[s]:
        return "shift"
    return "swap"


@cache
def inorder(gold: Heads, word: int = ROOT) -> list[int]:
    """The words below a word and the word: those on its left, the word, those on its right."""
    kids = [d for d, h in enumerate(gold) if h == word]
    left = [w for d in kids if d < word for w in inorder(gold, d)]
    right = [w for d in kids if d > word for w in inorder(gold, d)]
    return [*left, word, *right]


@cache
def projective_parts(gold: Heads) -> list[int]:
    """Of each word the last head above it when arc-standard has gone as far as it can without Swap."""
    system = ArcStandard()
    c = system.initial(len(gold))
    while True:
        move = _first_complete(system, c, gold, ARC_MOVES) or "shift"
        if move not in system.valid(c):
            break
        c = system.apply(c, move)
    tops = list(range(len(gold)))
    for _ in gold:
        tops = [top if c.heads[top] == ROOT else c.heads[top] for top in tops]
    return tops


def _static_arc_eager(c: StackConfig, gold: Heads) -> str:
    if c.stack and c.buffer:
        s, b = c.stack[-1], c.buffer[0]
        if gold[s] == b and c.heads[s] == -1:
            return "left_arc"
        if b != ROOT and gold[b] == s:
            return "right_arc"
    if c.stack and c.heads[c.stack[-1]] != -1:
        s = c.stack[-1]
        if not any(gold[d] == s for d in c.buffer if d != ROOT):
            return "reduce"
    return "shift"


def _static_covington(c: CovingtonConfig, gold: Heads) -> str:
    def linked(i: int) -> bool:
        return gold[i] == c.j or gold[c.j] == i

    if c.i >= 0 and linked(c.i):
        return "left_arc" if gold[c.i] == c.j else "right_arc"
    return "no_arc" if any(linked(i) for i in range(c.i)) else "shift"


def static_derivation(system: Any, gold: Heads) -> list[Any] | None:
    """The moves that build the gold tree; None if the system cannot build it."""
    c = system.initial(len(gold))
    moves = []
    while not system.final(c):
        move = static_move(system, c, gold)
        if move is None:
            return None
        moves.append(move)
        c = system.apply(c, move)
    return moves if system.heads(c) == tuple(gold) else None
