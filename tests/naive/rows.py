"""The rows that the neural scorer sums in a configuration, written down one after the other.

What a scorer sees are the words on both sides of an arc that may be built.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from .covington import CovingtonConfig
from .lists import ListConfig
from .stack import ArcEager, ArcStandard
from .templates import positions
from .trees import Heads, Labels

DISTANCES = [1, 2, 3, 4, 5, 7, 10, 20]  # greatest of each bucket but the last
PROBABILITIES = [0.003, 0.01, 0.03, 0.08, 0.18, 0.35, 0.5, 0.65, 0.82, 0.92, 0.98]
LABELLED = ("S0", "N0", "S1", "S0h", "S0l", "S0r", "S0l2", "S0r2", "N0l", "N0l2")
# How many rows each of the first four blocks of the table has; then come 15 blocks of probabilities,
# then those of the labels, label by label.
SIZES = (10, 4 * 4 * 4, 3 * 3 * 2 * 2, 4 * 4)
N_BUCKETS = 1 + len(PROBABILITIES) + 1


class Seen(NamedTuple):
    """stack: top last. buffer: front first. depth: the words that wait on the left, or in the list.
    shifted: the words that were shifted before. ended: whether the buffer has been empty once. free:
    whether arcs may cross, as in Covington's systems."""

    stack: Sequence[int]
    buffer: Sequence[int]
    heads: Heads
    labels: Labels
    depth: int
    shifted: frozenset[int]
    ended: bool
    free: bool


def seen_at(system: Any, path: Sequence[Any], focus: int) -> Seen:
    """What is seen of the last configuration of a derivation. focus: of a list system."""
    c = path[-1]
    stack, buffer, depth = c.stack, c.buffer, len(c.stack)
    if isinstance(c, ListConfig):
        stack, buffer, depth = c.pending[: focus + 1], c.pending[focus + 1 :], len(c.pending)
    elif isinstance(system, ArcStandard):  # its arcs join the two words on top of the stack
        stack, buffer = stack[:-1], (*(stack[-1:] or (-1,)), *buffer)
    marks = () if isinstance(c, (ListConfig, CovingtonConfig)) else c.bits
    shifted = frozenset(word for word, bit in enumerate(marks) if bit)
    ended = isinstance(system, ArcEager) and any(not before.buffer for before in path)
    free = isinstance(c, CovingtonConfig)
    return Seen(stack, buffer, c.heads, c.labels, depth, shifted, ended, free)


def atom_rows(
    seen: Seen, probs_NN: Any, roots_N: Any, labels: Sequence[str], margin: float = 1e-5
) -> list[set[int]]:
    """Of each row which ones it may be: two where a probability is closer than the margin to the edge
    of a bucket. probs_NN: [dependent, head]. labels: those of the weights, by id."""
    n = len(seen.heads)
    words = positions(seen.stack, seen.buffer, seen.heads)
    rows, start = [], 0
    for size, row in zip(SIZES, simple_rows(seen, words), strict=True):
        assert 0 <= row < size
        rows.append({start + row})
        start += size
    for p in probabilities(seen.heads, words, probs_NN, roots_N, n):
        found = {0} if p is None else {bucket(p - margin), bucket(p + margin)}
        rows.append({start + row for row in found})
        start += N_BUCKETS
    for k, name in enumerate(LABELLED):
        label = "" if words[name] is None else seen.labels[words[name]]
        number = 1 + list(labels).index(label) if label else 0
        rows.append({start + number * len(LABELLED) + k})
    return rows


def simple_rows(seen: Seen, words: dict[str, int | None]) -> list[int]:
    """Distance; valencies; what the focus words have seen; how much is left."""
    n, heads = len(seen.heads), seen.heads
    left, right = words["S0"], words["N0"]
    distance = 0
    if left is not None and right is not None:
        distance = 1 + sum(abs(right - left) > limit for limit in DISTANCES)

    def n_kids(word: int | None, kids: range) -> int:
        return min(3, sum(heads[kid] == word for kid in kids)) if word is not None else 0

    def headed(word: int | None) -> int:
        return 0 if word is None else 2 if heads[word] >= 0 else 1

    more = right in seen.shifted, seen.ended
    if seen.free and left is not None and right is not None:
        more = divmod(min(3, len(words_of_crossed_arcs(heads, left, right))), 2)
    kids_of_left = n_kids(left, range(left or 0)), n_kids(left, range((left or 0) + 1, n))
    kids_of_right = n_kids(right, range(right or 0))
    return [
        distance,
        numbered((*kids_of_left, kids_of_right), (4, 4, 4)),
        numbered((headed(left), headed(right), *more), (3, 3, 2, 2)),
        numbered((min(3, seen.depth), 0 if right is None else min(3, n - right)), (4, 4)),
    ]


def words_of_crossed_arcs(heads: Heads, left: int, right: int) -> set[int]:
    """The words between two others that an arc joins to a word outside."""
    inside = set(range(left + 1, right))
    ends = [{word, head} for word, head in enumerate(heads) if head >= 0]
    return {w for arc in ends for w in arc & inside if arc - inside - {left, right}}


def numbered(values: Sequence[int], sizes: Sequence[int]) -> int:
    """The number of a combination, the last value counting fastest."""
    number = 0
    for value, size in zip(values, sizes, strict=True):
        assert 0 <= value < size
        number = number * size + value
    return number


def probabilities(
    heads: Heads, words: dict[str, int | None], probs_NN: Any, roots_N: Any, n: int
) -> list[float | None]:
    """The fifteen probabilities that are looked at, None where words are missing."""
    left, right, below = words["S0"], words["N0"], words["S1"]

    def arc(head: int | None, dependent: int | None) -> float | None:
        known = head is not None and dependent is not None and head >= 0
        return probs_NN[dependent, head] if known else None

    def mass(dependent: int | None, first: int | None, end: int | None) -> float | None:
        """That the head is one of the words from `first` to the one before `end`."""
        if dependent is None or first is None or end is None:
            return None
        return sum(probs_NN[dependent, head] for head in range(first, end))

    def after(word: int | None) -> int | None:
        return None if word is None else word + 1

    both = left is not None and right is not None
    return [
        mass(left, 0, left),
        None if left is None else roots_N[left],
        None if left is None else arc(heads[left], left),
        arc(below, left),
        arc(left, below),
        mass(right, after(right), n),
        None if right is None else roots_N[right],
        None if right is None else arc(heads[right], right),
        arc(below, right),
        arc(left, right),
        arc(right, left),
        mass(left, after(right), n),
        mass(right, 0, left),
        max((probs_NN[d, left] for d in range(right + 1, n)), default=0.0) if both else None,
        max((probs_NN[d, right] for d in range(left)), default=0.0) if both else None,
    ]


def bucket(p: float) -> int:
    return 1 + sum(p >= limit for limit in PROBABILITIES)
