"""All trees of the arcs that parsers voted for."""

from collections.abc import Iterator, Sequence
from itertools import product

from .trees import ROOT, is_tree


def trees_of(heads: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """Yield every tree with one root that is made of arcs of parses. heads: (n_members, n)."""
    candidates = [dict.fromkeys(column) for column in zip(*heads, strict=True)]
    for tree in product(*candidates):
        if list(tree).count(-1) == 1 and is_tree(tree):
            yield tree


def worth(
    tree: Sequence[int], heads: Sequence[Sequence[int]], votes: Sequence[Sequence[float]]
) -> float:
    """Count the votes for the arcs of a tree."""
    return sum(
        vote
        for member, weights in zip(heads, votes, strict=True)
        for head, voted, vote in zip(tree, member, weights, strict=True)
        if head == voted
    )


def crosses(heads: Sequence[int], d: int, h: int) -> bool:
    """Whether the arc from h to d would cross another one; ROOT is in front of the sentence."""
    a, b = sorted((d, h))
    others = (sorted(arc) for arc in enumerate(heads) if arc[0] != d)
    return any(a < c < b < e or c < a < e < b for c, e in others)


def uncrossed(
    heads: list[int], others: Sequence[Sequence[int]], costs: Sequence[Sequence[float]], most: float
) -> list[int]:
    """Exchange the cheapest arc that crosses for one that does not, as long as there is one."""
    while True:
        choices = [
            (cost, d, m)
            for m, (member, weights) in enumerate(zip(others, costs, strict=True))
            for d, (h, cost) in enumerate(zip(member, weights, strict=True))
            if cost < most and h not in (ROOT, heads[d]) and heads[d] != ROOT
            if crosses(heads, d, heads[d]) and not crosses(heads, d, h)
            if is_tree([*heads[:d], h, *heads[d + 1 :]])
        ]
        if not choices:
            return heads
        _, d, m = min(choices)
        heads = [*heads[:d], others[m][d], *heads[d + 1 :]]
