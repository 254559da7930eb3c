"""Rollouts against slow ones that drive the Python view and numpy."""

from itertools import combinations, pairwise

import numpy
import pytest

from spacy_nonmono import get_oracle, get_system
from spacy_nonmono.training.rollout import rollout

from ..decoding.neural import Sentences
from ..decoding.util import SYSTEMS, classes, initial_state, make_system
from ..naive.rollout import Sentence, roll_out
from ..pipeline.util import TRAININGS
from .treebank import Trees

LABELS = ["a", "b", "c"]


def both(
    system, oracle, trees, rng, *, p_model, seed, max_distance=0, pair_threshold=0.0, linked=False
):
    """What was recorded, by the trainer and by its twin, each row with the end of its configuration; and
    the heads of the trees that both end with."""
    sentences = Sentences(rng, system, trees.lengths, len(LABELS), linked=linked)
    batch = sentences.batch(max_distance, pair_threshold)
    found = rollout(batch, oracle, *trees.arrays(), p_model, seed)
    tokens, atoms, valid, correct, sizes = found
    assert [array.dtype for array in found] == ["i4", "i4", "u1", "u1", "i4"]

    def look(s):
        return lambda state, focus: (
            [rows.tolist() for rows in sentences.rows(s, state, focus)],
            sentences.scores(s, state, focus).tolist(),
        )

    def hidden(s):
        gold = trees.heads[s] if oracle is not None else ()
        pairs = combinations(range(trees.lengths[s]), 2)
        far = {pair for pair in pairs if 0 < max_distance < pair[1] - pair[0]}
        return far | (sentences.hidden(s, pair_threshold, gold) if pair_threshold else frozenset())

    states = [initial_state(system, n, LABELS) for n in trees.lengths]
    expected = roll_out(
        system,
        oracle,
        [
            Sentence(*row, look(s), hidden(s))
            for s, row in enumerate(zip(states, trees.heads, trees.labels, strict=True))
        ],
        classes(system, LABELS),
        p_model=p_model,
        seed=seed,
    )
    ends = [0, *numpy.cumsum(sizes).tolist()]
    assert ends[-1] == len(tokens) == len(atoms) == len(valid) == len(correct)
    rows = [
        [
            ([tokens[k].tolist(), atoms[k].tolist()], valid[k].tolist(), correct[k].tolist())
            for k in range(*ends_of_one)
        ]
        for ends_of_one in pairwise(ends)
    ]
    for s, state in enumerate(states):
        made = batch.heads[sentences.words(s)].tolist()
        # Words that are left over are attached in the end
        assert all(head in (-1, other) for head, other in zip(state.heads, made, strict=True))
    return rows, [[tuple(row) for row in record] for record in expected]


@pytest.mark.parametrize(
    ("p_model", "unknown"), [(0.0, False), (0.5, True), (1.0, False)], ids=["oracle", "both", "model"]
)
@pytest.mark.parametrize(("name", "oracle_name"), TRAININGS)
def test_same_as_naive(name, oracle_name, p_model, unknown):
    """unknown: heads and labels that are not annotated; then there are collocates, too."""
    rng = numpy.random.default_rng(len(name) + len(oracle_name))
    system = make_system(name)
    oracle = get_oracle(oracle_name, system)
    trees = Trees(rng, LABELS, unknown=unknown)
    found, expected = both(system, oracle, trees, rng, p_model=p_model, seed=9, linked=unknown)
    assert found == expected
    assert len(found) > 5
    if name == "easy_first":
        assert max(map(len, found)) > 3


@pytest.mark.parametrize("p_model", [0.0, 1.0])
@pytest.mark.parametrize("name", ["arc_eager_repair", "easy_first", "covington"])
def test_many_sentences(name, p_model):
    """More than the decoder has under way at once: they are recorded in another order."""
    rng = numpy.random.default_rng(4)
    system = make_system(name)
    trees = Trees(rng, LABELS, unknown=True, lengths=rng.integers(0, 7, 75).tolist())
    oracle = get_oracle(None, system)
    found, expected = both(system, oracle, trees, rng, p_model=p_model, seed=9)
    assert sorted(found) == sorted(expected)


def test_too_long_for_the_oracle():
    """Such a sentence is parsed and teaches nothing."""
    rng = numpy.random.default_rng(5)
    system = get_system("arc_standard")
    oracle = get_oracle("dynamic", system)
    n = 2001
    sentences = Sentences(rng, system, [n, 3], len(LABELS))
    batch = sentences.batch()
    heads = numpy.full((n + 3,), -2, dtype="i")
    heads[[0, n]] = 1
    labels = numpy.zeros((n + 3,), dtype="i")
    tokens, *_ = rollout(batch, oracle, sentences.lengths, heads, labels, 1.0, 9)
    assert tokens.min() == n
    assert (batch.heads[:n] == -1).sum() == 1


@pytest.mark.parametrize("name", SYSTEMS)
def test_without_an_oracle(name):
    """Everything is recorded, along the derivations of the model."""
    rng = numpy.random.default_rng(2)
    trees = Trees(rng, LABELS, unknown=False)
    found, expected = both(make_system(name), None, trees, rng, p_model=0.0, seed=9)
    assert found == expected
    assert not any(any(correct) for rows in found for _, _, correct in rows)


@pytest.mark.parametrize("name", ["covington", "covington_nonmonotonic"])
@pytest.mark.parametrize("max_distance", [1, 3])
def test_max_distance(name, max_distance):
    rng = numpy.random.default_rng(3)
    system = get_system(name)
    trees = Trees(rng, LABELS, unknown=False)
    oracle = get_oracle(None, system)
    found, expected = both(
        system, oracle, trees, rng, p_model=1.0, seed=9, max_distance=max_distance
    )
    assert found == expected


@pytest.mark.parametrize("name", ["covington", "covington_nonmonotonic"])
@pytest.mark.parametrize("alone", [False, True])
def test_pairs_that_are_passed_by(name, alone):
    """Pairs that are not likely, but for those of gold arcs; without an oracle those, too."""
    rng = numpy.random.default_rng(6)
    system = get_system(name)
    trees = Trees(rng, LABELS, unknown=True)
    oracle = None if alone else get_oracle(None, system)
    found, expected = both(system, oracle, trees, rng, p_model=1.0, seed=9, pair_threshold=0.2)
    assert found == expected
    assert len(found) > 5


def test_a_batch_forgets_the_gold_heads():
    """It parses as it would without the rollout."""
    rng = numpy.random.default_rng(6)
    system = get_system("covington_nonmonotonic")
    trees = Trees(rng, LABELS, unknown=False)
    sentences = Sentences(rng, system, trees.lengths, len(LABELS))
    batch, fresh = (sentences.batch(pair_threshold=0.2) for _ in range(2))
    rollout(batch, get_oracle(None, system), *trees.arrays(), 1.0, 9)
    batch.parse()
    fresh.parse()
    assert numpy.array_equal(batch.heads, fresh.heads)
    assert batch.n_choices == fresh.n_choices
