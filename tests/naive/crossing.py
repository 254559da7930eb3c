"""Arcs of a finished tree that cross others, and give way to arcs that cross none."""

from collections.abc import Callable, Sequence

from .trees import ROOT, is_tree


def crosses(heads: Sequence[int], d: int, h: int) -> bool:
    """Whether the arc from h to d would cross another one; ROOT is in front of the sentence."""
    a, b = sorted((d, h))
    others = (sorted(arc) for arc in enumerate(heads) if arc[0] != d)
    return any(a < c < b < e or c < a < e < b for c, e in others)


def uncrossed(heads: list[int], find_exchange: Callable[[int, list[int]], int | None]) -> list[int]:
    """From left to right, exchange arcs that cross for arcs that do not, until nothing changes.

    find_exchange: is given a word and the heads that it may have, and returns one, or None.
    """
    before: list[int] = []
    while heads != before:
        before = heads
        for d, head in enumerate(heads):
            if head == ROOT or not crosses(heads, d, head):
                continue
            others = [
                h
                for h in range(len(heads))
                if h != head and not crosses(heads, d, h) and is_tree([*heads[:d], h, *heads[d + 1 :]])
            ]
            exchange = find_exchange(d, others)
            if exchange is not None:
                heads = [*heads[:d], exchange, *heads[d + 1 :]]
    return heads
