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
        far = [word for word in words if abs(word - head) > 1]
        if head == -1 or not far:
            continue
        foreign = known - _descendants(head, dependents) - {head}
        for word in far:
            if not foreign.isdisjoint(range(min(head, word) + 1, max(head, word))):
                crossing.add(word)
    return crossing


def _descendants(head: int, dependents: dict[int, list[int]]) -> set[int]:
    descendants: set[int] = set()
    agenda = [head]
    while agenda:
        for word in dependents.get(agenda.pop(), ()):
            if word not in descendants:
                descendants.add(word)
                agenda.append(word)
    return descendants
