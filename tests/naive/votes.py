"""All trees of the arcs that parsers voted for."""

from collections.abc import Iterator, Sequence
from itertools import product

from .trees import is_tree


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
