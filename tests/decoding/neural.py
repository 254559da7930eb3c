"""Random sentences with the weights of a neural scorer, which numpy sums up slowly."""

from collections.abc import Sequence
from itertools import combinations

import numpy

from spacy_nonmono.decoding.neural_batch import NeuralBatch
from spacy_nonmono.scoring.classes import moves_of
from spacy_nonmono.scoring.neural.arcs import arc_probabilities
from spacy_nonmono.scoring.neural.atoms import n_atom_rows
from spacy_nonmono.scoring.neural.neural import position_slots, state_rows
from spacy_nonmono.scoring.positions import COLLOCATE_POSITIONS
from spacy_nonmono.state import State
from spacy_nonmono.transitions.system import TransitionSystem

from .util import Pairs, flatten_links, random_links

nH, nA = 6, 8
N_LIKELY = 10  # of a word's heads at most count as likely


def make_weights(
    rng: numpy.random.Generator, system: TransitionSystem, n_labels: int
) -> dict[str, numpy.ndarray]:
    n_classes = moves_of(system).n_classes(n_labels)
    shapes = {
        "atoms": (n_atom_rows(n_labels), nH),
        "bias": (nH,),
        "out_W": (n_classes, nH),
        "out_b": (n_classes,),
        "root": (nA,),
        "distance": (18,),
    }
    return {name: rng.normal(0, 0.7, shape).astype("f") for name, shape in shapes.items()}


class Sentences:
    """linked: whether there are random links among the words of a sentence, as its collocates."""

    def __init__(
        self,
        rng: numpy.random.Generator,
        system: TransitionSystem,
        lengths: Sequence[int],
        n_labels: int,
        *,
        linked: bool = False,
    ) -> None:
        self.system = system
        self.n_labels = n_labels
        self.lengths = numpy.array(lengths, dtype="i")
        self.starts = [0, *numpy.cumsum(self.lengths).tolist()]
        self.N = self.starts[-1]
        self.weights = make_weights(rng, system, n_labels)
        self.slots = position_slots([*system.positions, *(COLLOCATE_POSITIONS if linked else ())])
        self.products = rng.normal(0, 0.7, (len(self.slots), self.N + 1, nH)).astype("f")
        self.heads, self.deps = (rng.normal(0, 0.7, (self.N, nA)).astype("f") for _ in range(2))
        self.links = random_links(rng, lengths) if linked else None

    def words(self, s: int) -> slice:
        return slice(self.starts[s], self.starts[s + 1])

    def arcs(self, s: int) -> tuple[numpy.ndarray, ...]:
        """What gives the arc probabilities of a sentence."""
        words = self.words(s)
        return self.heads[words], self.deps[words], self.weights["root"], self.weights["distance"]

    def batch(self, max_distance: int = 0, pair_threshold: float = 0) -> NeuralBatch:
        return NeuralBatch(
            self.system,
            self.lengths,
            [self.products],
            self.heads,
            self.deps,
            self.weights,
            self.slots,
            flatten_links(self.links),
            max_distance,
            pair_threshold,
        )

    def hidden(self, s: int, threshold: float, kept: Sequence[int | None] = ()) -> Pairs:
        """The pairs of a sentence of which neither word is a likely head of the other, nor its head by
        `kept`."""
        n = int(self.lengths[s])
        seen = {(head, word) for word, head in enumerate(kept)}
        if n > 0:
            for d, row in enumerate(arc_probabilities(*self.arcs(s))[0]):
                likely = sorted((word for word in range(n) if word != d), key=lambda word: -row[word])
                seen |= {(word, d) for word in likely[:N_LIKELY] if row[word] >= threshold}
        pairs = combinations(range(n), 2)
        return frozenset(pair for pair in pairs if not seen & {pair, pair[::-1]})

    def rows(self, s: int, state: State, focus: int) -> tuple[numpy.ndarray, numpy.ndarray]:
        """Token rows and atom rows of a configuration, as the batch numbers them."""
        words, n = self.words(s), int(self.lengths[s])
        links = flatten_links(self.links and self.links[words])
        tokens, atoms = state_rows(self.system, state, self.slots, *self.arcs(s), links, focus)
        # The Python view has no arc without a label; one that has no weights stands for none
        per_label = n_atom_rows(1) - n_atom_rows(0)
        first = n_atom_rows(0) - per_label
        plain = first + (atoms - first) % per_label
        atoms = numpy.where(atoms < n_atom_rows(self.n_labels), atoms, plain)
        return numpy.where(tokens == n, self.N, tokens + self.starts[s]), atoms

    def scores(self, s: int, state: State, focus: int) -> numpy.ndarray:
        """Of every class."""
        tokens, atoms = self.rows(s, state, focus)
        pre = self.weights["bias"].copy()
        for f, row in enumerate(tokens):
            pre += self.products[f, row]
        pre += self.weights["atoms"][atoms].sum(axis=0)
        return self.weights["out_W"] @ numpy.maximum(pre, 0) + self.weights["out_b"]
