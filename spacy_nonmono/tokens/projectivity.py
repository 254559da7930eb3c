"""Which arcs of a tree are non-projective.

The arc from h to d is non-projective iff a word between them does not descend from h (Nivre 2006,
"Constraints on non-projective dependency parsing"). Arcs from the artificial root are projective.
"""

from collections.abc import Sequence


def crossing_arcs(heads: Sequence[int | None]) -> set[int]:
    """Return the dependents of non-projective arcs.

    heads: one head per word; -1 is the root, None is unknown. Words below an unknown head prove
        nothing: an arc over them counts only for another word between.
    """
    dependents: dict[int, list[int]] = {}
    for word, head in enumerate(heads):
        if head is not None:
            dependents.setdefault(head, []).append(word)
    known = _descendants(-1, dependents)
    crossing = set()
    for head, words in dependents.items():
        if head == -1:
            continue
        far = [word for word in words if _is_crossed(heads, head, word)]
        if not far:
            continue
        below = _descendants(head, dependents)
        for word in far:
            between = range(min(head, word) + 1, max(head, word))
            if any(other in known and other not in below for other in between):
                crossing.add(word)
    return crossing


def _is_crossed(heads: Sequence[int | None], head: int, word: int) -> bool:
    """Whether a word between two others has its head elsewhere. Most arcs need no further look."""
    left, right = min(head, word), max(head, word)
    between = heads[left + 1 : right]
    return any(h is not None and not left <= h <= right for h in between)


def _descendants(head: int, dependents: dict[int, list[int]]) -> set[int]:
    descendants: set[int] = set()
    agenda = [head]
    while agenda:
        for word in dependents.get(agenda.pop(), ()):
            if word not in descendants:
                descendants.add(word)
                agenda.append(word)
    return descendants
