"""The trainer of the linear scorer against one with a dictionary, through the Python view."""

import numpy
import pytest

from spacy_nonmono import get_oracle, get_system
from spacy_nonmono.decoding.linear_batch import LinearBatch
from spacy_nonmono.scoring.linear.linear import mix_values, state_features, window_scores
from spacy_nonmono.scoring.linear.template_sets import COLLOCATION_TEMPLATES
from spacy_nonmono.scoring.linear.templates import WORD_KINDS, Templates
from spacy_nonmono.scoring.linear.weights import Weights, class_scores
from spacy_nonmono.training.perceptron import learn_roots, learn_starts, learn_states

from ..decoding.util import (
    classes,
    flatten_links,
    initial_state,
    make_system,
    random_links,
    random_walk,
)
from ..naive.perceptron import MOST_STAYS, Learner, train_roots, train_sentence, train_starts
from ..naive.rollout import fractions
from ..naive.templates import features as naive_features
from ..pipeline.util import TRAININGS
from .treebank import LENGTHS, Trees, random_tree

LABELS = ["a", "b"]
PERCEPTRON, MIRA = 0.0, 0.3
# Every word of a sentence has another form: no two choices have the same features
MAX_WORDS = max(LENGTHS)
TEMPLATES = ["S0.w", "N0.w", "S0.p N0.p", "S1.w", "N1.p", "S0.p S0.vr", "N0.w d"]
LABELLED = [*TEMPLATES, "S0l.l", "S0.l N0.p", "N0.w N0.sl"]
WINDOWS = ["W+0.w", "W-1.p W+0.p", "W+1.w", "W-1.w"]


class Treebank(Trees):
    """Random sentences with trees."""

    def __init__(self, rng, *, unknown):
        super().__init__(rng, LABELS, unknown=unknown)
        self.raw = []
        for n in self.lengths:
            values = rng.integers(1, 3, (n, len(WORD_KINDS)))
            values[:, 0] = 1 + rng.permutation(MAX_WORDS)[:n]
            self.raw.append(values.astype("uint64"))
        self.matrix = numpy.concatenate(self.raw)
        mix_values(self.matrix)
        self.mixed = numpy.split(self.matrix, numpy.cumsum(self.lengths)[:-1])


def add_noise(weights, learner, system, treebank, rng):
    """Weights to begin with: scores that tie would be told apart by chance."""
    templates = Templates(["S0.w", "N0.w"])
    features = set()
    for s, n in enumerate(treebank.lengths):
        for _ in range(3):
            for state, focus in random_walk(system, n, LABELS, rng):
                mixed = treebank.mixed[s]
                features |= set(state_features(templates, system, state, mixed, None, focus).tolist())
    for feature in sorted(features - {0}):
        for c, cell_class in enumerate(classes(system, LABELS)):
            delta = int(rng.integers(-4096, 4097)) / 65536
            weights.update(numpy.array([feature], dtype="uint64"), c, delta)
            learner.add((feature, cell_class), delta)


def check_weights(weights, learner, system):
    """The current weights and averages of every cell are those of the naive learner."""
    features = {feature for feature, _ in learner.weights}
    assert len(weights) == len(features)
    averages, means = weights.averages(), learner.averages()
    known = classes(system, LABELS)
    for feature in features:
        array = numpy.array([feature], dtype="uint64")
        for found, expected in ((weights, learner.weights), (averages, means)):
            scores = [expected.get((feature, cell_class), 0.0) for cell_class in known]
            numpy.testing.assert_allclose(class_scores(found, array, len(known)), scores, atol=1e-4)


@pytest.mark.parametrize(
    ("p_model", "until_correct"),
    [(1.0, False), (0.0, False), (0.5, True)],
    ids=["model", "oracle", "until correct"],
)
@pytest.mark.parametrize("C", [PERCEPTRON, MIRA], ids=["perceptron", "mira"])
@pytest.mark.parametrize("unknown", [False, True], ids=["", "unknown"])
@pytest.mark.parametrize(("name", "oracle_name"), TRAININGS)
def test_same_as_naive(name, oracle_name, unknown, C, p_model, until_correct):
    # The Python view has no arc without a label, which arc_eager_repair inserts where it is unknown
    templates = Templates(TEMPLATES if unknown else LABELLED)
    options = {"p_model": p_model, "until_correct": until_correct}
    check_training(name, oracle_name, unknown, C, templates, **options)


@pytest.mark.parametrize("C", [PERCEPTRON, MIRA], ids=["perceptron", "mira"])
@pytest.mark.parametrize("name", ["arc_eager", "easy_first", "yamada_matsumoto"])
def test_all_collocates_same_as_naive(name, C):
    templates = Templates([*LABELLED, *COLLOCATION_TEMPLATES], all_collocates=True)
    check_training(name, "dynamic", False, C, templates, p_model=1.0, until_correct=False)


def check_training(name, oracle_name, unknown, C, templates, **options):
    rng = numpy.random.default_rng(len(name) + len(oracle_name))
    system = make_system(name)
    oracle = get_oracle(oracle_name, system)
    treebank = Treebank(rng, unknown=unknown)
    weights, learner = Weights(), Learner(C)
    add_noise(weights, learner, system, treebank, rng)
    links = random_links(rng, treebank.lengths) if templates.collocates else None
    check_passes(weights, learner, templates, system, oracle, treebank, C, links, **options)
    assert learner.clock > 20 and any(clock > 1 for clock, _, _ in learner.updates)
    check_weights(weights, learner, system)


def check_passes(
    weights, learner, templates, system, oracle, treebank, C, links=None, *, p_model, until_correct
):
    """Four passes over a treebank, of both learners, in which they make as many mistakes."""
    lengths, heads, labels = treebank.arrays()
    roots = numpy.zeros(len(treebank.matrix), dtype="f")
    starts = numpy.cumsum([0, *treebank.lengths])
    for n_pass in range(4):
        batch = LinearBatch(
            system,
            templates,
            weights,
            len(classes(system, LABELS)),
            lengths,
            treebank.matrix,
            roots,
            flatten_links(links),
        )
        n_wrong = learn_states(
            batch, weights, oracle, lengths, heads, labels, p_model, n_pass, C, until_correct
        )
        random = fractions(n_pass)
        learner.n_wrong = 0
        for s, n in enumerate(treebank.lengths):

            linked = flatten_links(links and links[starts[s] : starts[s + 1]])

            def features(state, focus, mixed=treebank.mixed[s], linked=linked):
                found = state_features(templates, system, state, mixed, linked, focus)
                return [feature for feature in found.tolist() if feature]

            train_sentence(
                learner,
                system,
                oracle,
                initial_state(system, n, LABELS),
                treebank.heads[s],
                treebank.labels[s],
                classes(system, LABELS),
                features,
                p_model=p_model,
                random=random,
                until_correct=until_correct,
            )
        assert n_wrong == learner.n_wrong


def test_choices_that_look_the_same():
    """Nobody can learn to tell them apart; after a while the derivation goes on."""
    rng = numpy.random.default_rng(0)
    system = get_system("easy_first")
    treebank = Treebank(rng, unknown=False)
    weights, learner = Weights(), Learner(PERCEPTRON)
    oracle = get_oracle("dynamic", system)
    templates = Templates(["S0.p"])
    options = {"p_model": 0.0, "until_correct": True}
    check_passes(weights, learner, templates, system, oracle, treebank, PERCEPTRON, **options)
    assert learner.n_wrong > MOST_STAYS
    check_weights(weights, learner, system)


@pytest.mark.parametrize("heads", [[2, 3, -1, 2], [-2] * 4], ids=["crossing", "unknown"])
def test_nothing_to_learn(heads):
    """A static oracle has no derivation of the one, no oracle an opinion on the other."""
    system = get_system("arc_eager")
    matrix = numpy.ones((4, len(WORD_KINDS)), dtype="uint64")
    weights = Weights()
    lengths, gold_heads, gold_labels = (
        numpy.array(values, dtype="i") for values in ([4], heads, [0] * 4)
    )
    roots = numpy.zeros(4, dtype="f")
    batch = LinearBatch(
        system, Templates(TEMPLATES), weights, len(classes(system, LABELS)), lengths, matrix, roots
    )
    oracle = get_oracle("static", system)
    assert learn_states(batch, weights, oracle, lengths, gold_heads, gold_labels, 0.5, 0, MIRA) == 0
    assert len(weights) == 0


def window_features(raw):
    """Of each word what `WINDOWS` see of it in its doc or sentence."""
    columns = {kind: [int(value) or None for value in raw[:, k]] for k, kind in enumerate(WORD_KINDS)}
    found = []
    for w in range(len(raw)):
        positions = {
            f"W{k:+}": w + k if 0 <= w + k < len(raw) else None for k in range(-3, 4)
        }
        values = naive_features(WINDOWS, positions, columns, None, None)
        found.append([feature for feature in values if feature is not None])
    return found


@pytest.mark.parametrize("C", [PERCEPTRON, MIRA], ids=["perceptron", "mira"])
@pytest.mark.parametrize("what", ["starts", "roots"])
def test_words_same_as_naive(what, C):
    """Words that start a sentence, and roots."""
    rng = numpy.random.default_rng(1)
    lengths = [0, 1, 2, *rng.integers(3, 9, 20).tolist()]
    raw = [rng.integers(0, 4, (n, len(WORD_KINDS))).astype("uint64") for n in lengths]  # 0: missing
    for words in raw:
        words[:, 0] = 1 + rng.permutation(12)[: len(words)]  # equal words would tie, but for rounding
    matrix = numpy.concatenate(raw)
    mix_values(matrix)
    seen = [window_features(words) for words in raw]
    if what == "starts":
        gold = [rng.integers(-1, 2, n).tolist() for n in lengths]
    else:
        gold = [random_tree(n, rng) if n else [] for n in lengths]
        gold[5][gold[5].index(-1)] = -2  # unknown: nothing to learn
        gold[6] = [-1] * len(gold[6])
    learn, naive = (
        (learn_starts, train_starts) if what == "starts" else (learn_roots, train_roots)
    )
    templates = Templates(WINDOWS)
    lengths_S = numpy.array(lengths, dtype="i")
    gold_N = numpy.array([value for values in gold for value in values], dtype="i")
    weights, learner = Weights(), Learner(C)
    for _ in range(4):
        learner.n_wrong = 0
        naive(learner, seen, gold)
        assert learn(templates, weights, matrix, lengths_S, gold_N, C) == learner.n_wrong
    assert learner.clock > 60
    assert len(weights) == len(learner.weights)
    means = learner.averages()
    for found, expected in ((weights, learner.weights), (weights.averages(), means)):
        scores = [
            sum(expected.get((feature, 0), 0.0) for feature in features)
            for words in seen
            for features in words
        ]
        numpy.testing.assert_allclose(
            window_scores(templates, found, matrix, lengths_S), scores, atol=1e-4
        )


@pytest.mark.parametrize("learn", [learn_starts, learn_roots])
def test_weights_of_more_classes(learn):
    """There is no room for their scores."""
    templates, weights = Templates(WINDOWS), Weights()
    matrix = numpy.arange(1, 6 * len(WORD_KINDS) + 1, dtype="u8").reshape(6, -1).copy()
    mix_values(matrix)
    lengths, gold = numpy.array([6], dtype="i"), numpy.array([-1, 0, 0, 0, 0, 0], dtype="i")
    learn(templates, weights, matrix, lengths, gold + (learn is learn_starts), 0.0)
    weights.update(numpy.array([7], dtype="u8"), 65535, 1.0)
    with pytest.raises(ValueError, match="NM020"):
        learn(templates, weights, matrix, lengths, gold, 0.0)


@pytest.mark.parametrize("atom", ["l", "vl", "vr", "sl", "sr"])
def test_windows_have_no_arcs(atom):
    templates = Templates([f"W+0.{atom}"])
    matrix = numpy.ones((3, templates.n_columns), dtype="u8")
    assert not window_scores(templates, Weights(), matrix, numpy.array([3], dtype="i")).any()
