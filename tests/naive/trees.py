"""Trees as tuples of heads, and the types that all the slow twins use."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product

ROOT = -1
# The order of `valid_moves`.
MOVES = (
    *("shift", "swap", "reduce", "unshift", "no_arc", "shift_left", "shift_right"),
    *("left_arc", "right_arc"),
)
ARC_MOVES = ("left_arc", "right_arc")
LABELS = ("dep",)  # the one label of an unlabelled run

Heads = tuple[int, ...]
Labels = tuple[str, ...]
Gold = tuple[int | None, ...]
GoldLabels = tuple[str | None, ...]
Arc = tuple[int, int, str]
Move = str | tuple[str, int]


def replaced(values: tuple, index: int, value: object) -> tuple:
    return (*values[:index], value, *values[index + 1 :])


def kind(move: Move) -> str:
    """The name of a move, without its position."""
    return move if isinstance(move, str) else move[0]


def is_tree(heads: Sequence[int]) -> bool:
    """Every word reaches a root (a forest of several roots is one tree below ROOT)."""
    for word in range(len(heads)):
        ancestor = word
        for _ in range(len(heads)):
            if ancestor != ROOT:
                ancestor = heads[ancestor]
        if ancestor != ROOT:
            return False
    return True


def n_roots(heads: Sequence[int]) -> int:
    return sum(head == ROOT for head in heads)


def is_projective(heads: Sequence[int]) -> bool:
    """No two arcs cross, the arcs from ROOT (beside the sentence) included."""
    arcs = [(min(h, d), max(h, d)) for d, h in enumerate(heads)]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


@cache
def all_trees(n: int, *, single_root: bool = False, projective: bool | None = None) -> tuple[Heads, ...]:
    """Every tree of n words; `projective` keeps only the projective or the non-projective ones."""
    trees = [heads for heads in product(range(-1, n), repeat=n) if is_tree(heads)]
    if single_root:
        trees = [heads for heads in trees if n_roots(heads) == 1]
    if projective is not None:
        trees = [heads for heads in trees if is_projective(heads) == projective]
    return tuple(trees)


def partial_trees(trees: Iterable[Heads]) -> list[Gold]:
    """Every tree with every subset of its heads unknown."""
    found: dict[Gold, None] = {}
    for heads in trees:
        for known in product((True, False), repeat=len(heads)):
            gold = tuple(h if k else None for h, k in zip(heads, known, strict=True))
            found[gold] = None
    return list(found)
