"""The batched decoder with sparse weights against a slow one that drives the Python view."""

from collections import defaultdict
from functools import partial

import numpy
import pytest

from spacy_nonmono.decoding.linear_batch import LinearBatch
from spacy_nonmono.scoring.linear.linear import mix_values, state_features
from spacy_nonmono.scoring.linear.template_sets import default_templates
from spacy_nonmono.scoring.linear.templates import WORD_KINDS, Templates
from spacy_nonmono.scoring.linear.weights import Weights, class_scores

from ..naive.templates import features as naive_features
from ..naive.templates import positions
from .util import (
    SYSTEMS,
    best_label,
    classes,
    flatten_links,
    make_system,
    naive_parse,
    random_links,
    random_walk,
)

# So many that the weights of some features are kept as dense rows
LABELS = ["a", "b", "c", "d"]
# Distinct values of each column: some features are met again, others are not
VALUES = [5, 4, 3, 3, 3, 3, 2, 2]
MAX_WORDS = 13


class Sentences:
    """Random words, and random links among the words of a sentence where `linked`."""

    def __init__(self, rng, lengths, *, linked, window=2):
        self.lengths = numpy.array(lengths, dtype="i")
        self.starts = [0, *numpy.cumsum(self.lengths).tolist()]
        raw = [[rng.integers(0, n + 1) for n in VALUES] for _ in range(self.starts[-1])]  # 0: missing
        self.raw = numpy.array(raw, dtype="uint64").reshape(-1, len(VALUES))
        self.matrix = self.raw.copy()
        mix_values(self.matrix)
        self.links = random_links(rng, lengths) if linked else None
        self.window = window

    def words(self, s):
        return slice(self.starts[s], self.starts[s + 1])

    def collocates(self, words):
        """As `LinearBatch` takes them."""
        return flatten_links(self.links and self.links[words])

    def features(self, s, templates, system, state, focus):
        words = self.words(s)
        return state_features(
            templates,
            system,
            state,
            self.matrix[words],
            self.collocates(words),
            focus,
            self.window,
        )

    def naive_features(self, s, templates, stack, buffer, heads, labels, *, crossing):
        words = self.words(s)
        columns = {
            kind: [int(value) or None for value in self.raw[words, k]]
            for k, kind in enumerate(WORD_KINDS)
        }
        links = None if self.links is None else self.links[words]
        found = positions(stack, buffer, heads, links)
        if not crossing:
            found["CL"] = found["CR"] = None
        return naive_features(templates.names, found, columns, heads, labels)


class Model:
    """Random weights for the features of random walks, and the same by naive features."""

    def __init__(self, rng, system, templates, sentences, *, named):
        self.cells = defaultdict(dict)  # feature -> class -> weight
        self.names = {}  # naive feature -> feature
        self.n_classes = len(classes(system, LABELS))
        for s, n in enumerate(sentences.lengths[:12]):
            for state, focus in random_walk(system, n, LABELS, rng):
                found = sentences.features(s, templates, system, state, focus).tolist()
                for feature in filter(None, found):
                    if feature not in self.cells:
                        self.cells[feature] = random_cells(rng, self.n_classes)
                if named:
                    naive = sentences.naive_features(
                        s,
                        templates,
                        state.stack,
                        state.buffer,
                        state.heads,
                        state.labels,
                        crossing=system.kind == "pairs",
                    )
                    self.names.update(zip(naive, found, strict=True))
        self.weights = Weights()
        for feature, cells in self.cells.items():
            for c, weight in cells.items():
                self.weights.update(numpy.array([feature], dtype="uint64"), c, weight)

    def naive_scores(self, naive):
        scores = [0.0] * self.n_classes
        for feature in naive:
            for c, weight in self.cells.get(self.names.get(feature), {}).items():
                scores[c] += weight
        return scores


def random_cells(rng, n_classes):
    """Of a few classes or of all; the sums of such weights are exact."""
    chosen = range(n_classes) if rng.random() < 0.3 else rng.integers(0, n_classes, 4).tolist()
    return {c: rng.integers(-64, 65) / 64 or 1.0 for c in chosen}


def check_rest(system, sentences, s, templates, model, roots, state, found):
    """The likeliest root stays, the others are attached to it. Their labels, and those of inserted arcs,
    are the best ones of the arcs, as scored with both words in focus."""
    heads, labels = state.heads, state.labels
    n = len(heads)
    headless = [d for d in range(n) if heads[d] < 0]
    root = max(headless, key=lambda d: roots[d])
    inserted = [(heads[d], d) for d in range(n) if heads[d] >= 0 and not labels[d]]
    for h, d in [*inserted, *((root, d) for d in headless if d != root)]:
        left, right = min(d, h), max(d, h)
        stack = [left] if system.kind != "pairs" else list(range(left + 1))
        naive = sentences.naive_features(
            s,
            templates,
            stack,
            list(range(right, n)),
            heads,
            labels,
            crossing=system.kind == "pairs",
        )
        move = "left_arc" if d < h else "right_arc"
        heads[d], labels[d] = h, best_label(system, model.naive_scores(naive), move, LABELS)
    assert found == (heads, labels)


@pytest.mark.parametrize("linked", ["", "nearest", "all"])
@pytest.mark.parametrize("averaged", [False, True], ids=["current", "averaged"])
@pytest.mark.parametrize("name", SYSTEMS)
def test_same_as_naive(name, averaged, linked):
    """More sentences than slots, of very different lengths, in one batch."""
    rng = numpy.random.default_rng(len(name))
    system = make_system(name)
    lengths = [9, 12, 0, 1, *rng.integers(0, MAX_WORDS + 1, 76)]
    sentences = Sentences(rng, lengths, linked=bool(linked), window=1 if linked == "all" else 2)
    templates = Templates(
        default_templates(system.kind),
        all_collocates=linked == "all",
    )
    assert templates.collocates
    # Of the features that all collocates fire nobody knows which is which
    named = not system.single_root and linked != "all"
    model = Model(rng, system, templates, sentences, named=named)
    weights = model.weights.averages() if averaged else model.weights
    everything = slice(0, sentences.starts[-1])
    roots = rng.normal(0, 1, everything.stop).astype("f")
    batch = LinearBatch(
        system,
        templates,
        weights,
        len(classes(system, LABELS)),
        sentences.lengths,
        sentences.matrix,
        roots,
        sentences.collocates(everything),
        0,
        sentences.window,
    )
    batch.parse()
    n_rests = 0
    for s, n in enumerate(lengths):
        if n == 0:
            continue
        state = naive_parse(
            system, n, LABELS, partial(scores_of, sentences, s, templates, system, weights)
        )
        words = sentences.words(s)
        found = batch.heads[words].tolist(), [
            "" if label < 0 else LABELS[label] for label in batch.labels[words]
        ]
        assert found[0].count(-1) == 1
        if state.heads.count(-1) == 1 and state.labels.count("") == 1:
            assert found == (state.heads, state.labels)
            continue
        n_rests += 1
        if named:
            check_rest(system, sentences, s, templates, model, roots[words], state, found)
    assert (n_rests > 2) != system.single_root
    with pytest.raises(ValueError, match=r"\[NM056\]"):
        batch.parse(scores=True)


def scores_of(sentences, s, templates, system, weights, state, focus):
    n_classes = len(classes(system, LABELS))
    return class_scores(weights, sentences.features(s, templates, system, state, focus), n_classes)
