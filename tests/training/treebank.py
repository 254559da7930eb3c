"""Random trees to learn from."""

from itertools import cycle

import numpy

from spacy_nonmono import get_system
from tests.trees import grow

LENGTHS = (5, 6, 7, 2, 4, 3, 1)


def random_tree(n, rng):
    """Heads of a random tree with one root."""
    return grow(rng.permutation(n).tolist(), lambda some: some[rng.integers(len(some))])


def projective_tree(n, rng):
    """Heads of a random tree with one root and no crossing arcs."""
    system = get_system("easy_first")
    state = system.initial_state(n)
    while not state.is_final:
        moves = system.valid_moves(state)
        system.apply(state, moves[rng.integers(len(moves))])
    return state.heads


class Trees:
    """Every third tree may have crossing arcs. unknown: some labels are not annotated, and some heads of
    every second sentence, in one of seven sentences all."""

    def __init__(self, rng, label_names, *, unknown, lengths=LENGTHS):
        self.label_names = label_names
        self.lengths = lengths
        trees = [
            (random_tree if s % 3 == 2 else projective_tree)(n, rng)
            for s, n in enumerate(lengths)
        ]
        if unknown:
            shares = cycle([1.0, 0.7, 1.0, 0.7, 1.0, 0.0, 1.0])
            trees = [
                [head if rng.random() < share else None for head in tree]
                for tree, share in zip(trees, shares, strict=False)
            ]
        self.heads = trees
        known = [*label_names, None] if unknown else label_names
        self.labels = [[known[rng.integers(len(known))] for _ in tree] for tree in trees]

    def arrays(self):
        """Lengths, heads and labels as the trainers take them."""
        heads = [-2 if head is None else head for tree in self.heads for head in tree]
        ids = {label: i for i, label in enumerate(self.label_names)}
        labels = [ids.get(label, -1) for tree in self.labels for label in tree]
        return tuple(numpy.array(values, dtype="i") for values in (self.lengths, heads, labels))
