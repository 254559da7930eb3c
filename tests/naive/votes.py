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
    heads: list[int],
    others: Sequence[Sequence[int]],
    log_probs: Sequence[Sequence[float]],
    margin: float,
) -> list[int]:
    """From left to right, exchange each arc that crosses for the likeliest one that does not, until
    nothing changes."""
    before: list[int] = []
    while heads != before:
        before = heads
        for d, head in enumerate(heads):
            values = {member[d]: row[d] for member, row in zip(others, log_probs, strict=True)}
            choices = [
                (value, h)
                for h, value in values.items()
                if h not in (ROOT, head) and value > values[head] - margin
                if head != ROOT and crosses(heads, d, head) and not crosses(heads, d, h)
                if is_tree([*heads[:d], h, *heads[d + 1 :]])
            ]
            if choices:
                heads = [*heads[:d], max(choices)[1], *heads[d + 1 :]]
    return heads
