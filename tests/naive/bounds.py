"""Covington's systems: unreachable arcs, cycles, the exact loss of the one and bounds of the other."""

from collections.abc import Sequence
from functools import cache

from .covington import CovingtonConfig
from .graph import transitions
from .trees import LABELS, ROOT, Gold, GoldLabels, Heads


def covington_arcs(
    c: CovingtonConfig,
    gold: Gold,
    gold_labels: GoldLabels | None = None,
    *,
    monotonic: bool,
) -> tuple[list[int], list[int]]:
    """The words whose gold arc (not from ROOT, not built) is unreachable (U), or not (I)."""
    gold_labels = gold_labels or (None,) * len(gold)
    unreachable, missing = [], []
    for y, (x, label) in enumerate(zip(gold, gold_labels, strict=True)):
        if x is None or x == ROOT:
            continue
        if c.heads[y] == x and label in (None, c.labels[y]):
            continue
        gone = c.j > max(x, y) or (c.j == max(x, y) and c.i < min(x, y))
        if monotonic:
            gone = gone or c.heads[y] != -1 or is_connected(c.heads, x, y)
        (unreachable if gone else missing).append(y)
    return unreachable, missing


def is_connected(heads: Sequence[int], first: int, second: int) -> bool:
    """Whether both words are in one weakly connected component, that is, have one top ancestor."""

    def top(word: int) -> int:
        while heads[word] != -1:
            word = heads[word]
        return word

    return top(first) == top(second)


def covington_loss(c: CovingtonConfig, gold: Gold, gold_labels: GoldLabels | None = None) -> int:
    """|U| plus the cycles of A and I together; a root arc is unreachable iff its word has a head.

    Gómez-Rodríguez & Fernández-González 2015, with the root arcs put right.
    """
    unreachable, missing = covington_arcs(c, gold, gold_labels, monotonic=True)
    return len(unreachable) + headed_roots(c, gold) + len(find_cycles(c.heads, gold, missing))


def headed_roots(c: CovingtonConfig, gold: Gold) -> int:
    return sum(x == ROOT and c.heads[y] != -1 for y, x in enumerate(gold))


def find_cycles(heads: Heads, gold: Gold, missing: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The elementary cycles of A and I together: words, each followed by its head, least first."""
    parents = [{head} - {-1} for head in heads]
    for y in missing:
        parents[y].add(gold[y])
    return _elementary_cycles(tuple(frozenset(p) for p in parents))


@cache
def _elementary_cycles(parents: tuple[frozenset[int], ...]) -> tuple[tuple[int, ...], ...]:
    cycles = []

    def extend(path: tuple[int, ...]) -> None:
        for parent in parents[path[-1]]:
            if parent == path[0]:
                cycles.append(path)
            elif parent > path[0] and parent not in path:
                extend((*path, parent))

    for start in range(len(parents)):
        extend((start,))
    return tuple(cycles)


def is_problematic(
    cycle: Sequence[int], c: CovingtonConfig, gold: Gold, gold_labels: GoldLabels | None = None
) -> bool:
    """Whether the arc that breaking the cycle would remove is gold: with a wrong label it is not.

    Of the arcs x → y of the cycle that are not built, take the one built last; adding it drops the
    head z of x.
    """
    arcs = [(cycle[(k + 1) % len(cycle)], cycle[k]) for k in range(len(cycle))]
    not_built = [(x, y) for x, y in arcs if c.heads[y] != x]
    x, _ = max(not_built, key=lambda arc: (max(arc), -min(arc)))
    z = next(head for head, dependent in arcs if dependent == x)
    wrongly_labelled = c.heads[x] == z and (gold_labels or c.labels)[x] not in (None, c.labels[x])
    return gold[x] == z and not wrongly_labelled


def covington_bound(
    name: str, c: CovingtonConfig, gold: Gold, gold_labels: GoldLabels | None = None
) -> int:
    """ "lower", "pc_upper" or "upper"; words whose gold head is ROOT are left out.

    Fernández-González & Gómez-Rodríguez 2017; cycles by brute force.
    """
    unreachable, missing = covington_arcs(c, gold, gold_labels, monotonic=False)
    if name == "lower":
        return len(unreachable)
    cycles = find_cycles(c.heads, gold, missing)
    if name == "upper":
        return len(unreachable) + len(cycles)
    assert name == "pc_upper"
    return len(unreachable) + sum(is_problematic(cycle, c, gold, gold_labels) for cycle in cycles)


def covington_bound_values(
    name: str,
    c: CovingtonConfig,
    gold: Gold,
    gold_labels: GoldLabels | None = None,
    labels: tuple[str, ...] = LABELS,
) -> dict[str, tuple[int, int]]:
    """For each valid move, after it (bound, monotonic loss); `optimal` is the argmin."""
    found: dict[str, tuple[int, int]] = {}
    for step, after in transitions("covington_nonmonotonic", c, labels):
        value = (
            covington_bound(name, after, gold, gold_labels),
            covington_loss(after, gold, gold_labels),
        )
        found[step.move] = min(found.get(step.move, (99, 99)), value)
    return found
