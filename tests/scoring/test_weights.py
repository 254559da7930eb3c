"""Sparse weights and their averages against dictionaries that are averaged after every example."""

from collections import defaultdict

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono.scoring.linear.weights import CELL, AveragedWeights, Weights, class_scores

N_CLASSES = 4
UPDATE = st.tuples(
    st.lists(st.integers(0, 9), max_size=6), st.integers(0, N_CLASSES - 1), st.sampled_from([1, -1, 0.5])
)
# An update after each example, or none
HISTORY = st.lists(st.one_of(st.none(), UPDATE), max_size=40)


def as_features(numbers):
    return numpy.array([*numbers, 0], dtype="uint64")


def run(history):
    """Weights; the naive current ones, means and numbers of updates, by feature and class."""
    weights = Weights()
    current, total, counts = defaultdict(float), defaultdict(float), defaultdict(int)
    for update in history:
        weights.tick()
        for key, weight in current.items():
            total[key] += weight
        if update is not None:
            numbers, c, delta = update
            weights.update(as_features(numbers), c, delta)
            for number in filter(None, numbers):
                current[number, c] += delta
                counts[number] += 1
    means = {key: value / len(history) for key, value in total.items()}
    return weights, current, means, counts


def naive_scores(means, numbers):
    return [sum(means.get((number, c), 0.0) for number in numbers) for c in range(N_CLASSES)]


def scores(averages, numbers):
    return class_scores(averages, as_features(numbers), N_CLASSES)


@given(HISTORY, st.lists(st.integers(0, 12), max_size=8))
def test_averages(history, asked):
    """The mean of the weights that each example was scored with."""
    weights, current, means, _ = run(history)
    assert numpy.allclose(scores(weights.averages(), asked), naive_scores(means, asked), atol=1e-5)
    assert numpy.allclose(scores(weights, asked), naive_scores(current, asked))
    assert len(weights) == len({feature for feature, _ in current})


@given(HISTORY, st.integers(0, 4), st.lists(st.integers(0, 12), max_size=8))
def test_pruning(history, min_updates, asked):
    weights, _, means, counts = run(history)
    kept = {key: value for key, value in means.items() if counts[key[0]] >= min_updates}
    averages = weights.averages(min_updates)
    assert numpy.allclose(scores(averages, asked), naive_scores(kept, asked), atol=1e-5)
    assert set(averages.features.tolist()) <= {feature for feature, _ in kept}


@given(HISTORY, st.lists(st.integers(0, 12), max_size=8))
def test_going_on_from_averages(history, asked):
    averages = run(history)[0].averages()
    again = Weights.from_averages(averages)
    expected = scores(averages, asked)
    # Terms that cancel each other leave the roundings of their sums
    assert numpy.allclose(class_scores(again, as_features(asked), N_CLASSES), expected, atol=1e-6)
    # Nothing more is pruned
    assert numpy.allclose(scores(again.averages(10), asked), expected, atol=1e-6)
    # What comes after counts from now on
    again.tick()
    again.update(as_features([3]), 1, 1.0)
    again.tick()
    expected[1] += asked.count(3) / 2
    assert numpy.allclose(scores(again.averages(), asked), expected, atol=1e-5)


@given(HISTORY)
def test_arrays(history):
    averages = run(history)[0].averages()
    again = AveragedWeights(averages.features, averages.n_cells, averages.cells)
    assert int(averages.n_cells.sum()) == len(averages.cells)
    everything = list(range(13))
    assert scores(again, everything).tolist() == scores(averages, everything).tolist()


def test_many_features():
    """The tables grow."""
    rng = numpy.random.default_rng(0)
    features = rng.integers(1, 2**63, 200_000).astype("uint64")
    weights = Weights()
    weights.update(features, 2, 1.0)
    weights.tick()
    averages = weights.averages()
    assert len(averages) == len(numpy.unique(features))
    assert class_scores(averages, features, N_CLASSES).tolist() == [0, 0, len(features), 0]


def test_no_weights():
    averages = Weights().averages()
    assert len(averages) == 0
    assert scores(averages, [1, 2]).tolist() == [0] * N_CLASSES


@pytest.mark.parametrize("reader", [Weights(), Weights().averages()], ids=["current", "averaged"])
def test_missing_features(reader):
    assert class_scores(reader, numpy.zeros((3,), dtype="uint64"), 2).tolist() == [0, 0]


def cells(*pairs):
    return numpy.array(list(pairs), dtype=CELL)


@pytest.mark.parametrize(
    ("features", "n_cells", "pairs"),
    [
        ([7], [60_000], [(0, 0)]),  # fewer cells than were told
        ([7], [1], [(0, 0), (0, 1)]),
        ([7, 8], [1], [(0, 0)]),
        ([7], [1], [(0, -(2**30))]),
        ([7], [1], [(0, 2**30)]),
        ([7], [1], [(numpy.nan, 0)]),
        ([7], [1], [(numpy.inf, 0)]),
        ([7, 8], [1, 0], [(0, 0)]),
        ([0], [1], [(0, 0)]),
        ([7, 7], [1, 1], [(0, 0), (0, 1)]),
        ([1, 1], [1, 1], [(0, 0), (0, 1)]),
    ],
)
def test_arrays_that_do_not_fit(features, n_cells, pairs):
    with pytest.raises(ValueError, match="NM037"):
        AveragedWeights(
            numpy.array(features, dtype="u8"), numpy.array(n_cells, dtype="u2"), cells(*pairs)
        )


def test_more_classes_than_there_is_room_for():
    weights = Weights()
    weights.update(as_features([3]), 5, 1.0)
    weights.tick()
    averages = weights.averages()
    assert weights.n_classes == averages.n_classes == 6
    for reader in (weights, averages):
        with pytest.raises(ValueError, match="NM020"):
            class_scores(reader, as_features([3]), 5)
        assert class_scores(reader, as_features([3]), 6)[5] == 1
    with pytest.raises(ValueError, match="NM037"):
        AveragedWeights(averages.features, averages.n_cells, averages.cells, 5)
    for c in (-1, 65_536):
        with pytest.raises(ValueError, match="NM037"):
            weights.update(as_features([3]), c, 1.0)
