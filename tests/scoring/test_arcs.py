"""Arc probabilities and their gradients against numpy."""

import numpy
import pytest

from spacy_nonmono.scoring.neural.arcs import arc_probabilities
from spacy_nonmono.training.arc_loss import arc_loss

BAND = 100


def bucket(distance: int) -> int:
    limits = [1, 2, 3, 4, 6, 9, 14, 24]
    size = sum(abs(distance) > limit for limit in limits)
    return size + (9 if distance > 0 else 0)


def naive_probabilities(heads_NA, deps_NA, root_A, distance):
    n = len(heads_NA)
    width = min(n, 2 * BAND + 1)
    probs_NN, roots_N = numpy.zeros((n, n)), numpy.zeros(n)
    for d in range(n):
        first = max(0, min(d - BAND, n - width))
        scores = {-1: float(deps_NA[d] @ root_A)}
        for h in range(first, first + width):
            if h != d:
                scores[h] = float(heads_NA[h] @ deps_NA[d] + distance[bucket(h - d)])
        total = sum(numpy.exp(score) for score in scores.values())
        for h, score in scores.items():
            if h < 0:
                roots_N[d] = numpy.exp(score) / total
            else:
                probs_NN[d, h] = numpy.exp(score) / total
    return probs_NN, roots_N


def weights(n: int, nA: int, seed: int = 0):
    rng = numpy.random.default_rng(seed)
    shapes = ((n, nA), (n, nA), (nA,), (18,))
    return [rng.normal(0, 0.5, shape).astype("f") for shape in shapes]


@pytest.mark.parametrize("n, nA", [(1, 8), (2, 8), (7, 12), (30, 40), (230, 8)])
def test_probabilities(n: int, nA: int) -> None:
    arrays = weights(n, nA)
    probs_NN, roots_N = arc_probabilities(*arrays)
    naive_NN, naive_N = naive_probabilities(*arrays)
    numpy.testing.assert_allclose(probs_NN, naive_NN, atol=1e-5)
    numpy.testing.assert_allclose(roots_N, naive_N, atol=1e-5)
    numpy.testing.assert_allclose(probs_NN.sum(axis=1) + roots_N, 1.0, atol=1e-5)


def naive_loss(arrays, lengths, gold_N) -> float:
    heads_NA, deps_NA, root_A, distance = arrays
    loss, start = 0.0, 0
    for n in lengths:
        part = slice(start, start + n)
        probs_NN, roots_N = naive_probabilities(heads_NA[part], deps_NA[part], root_A, distance)
        for d, h in enumerate(gold_N[part]):
            if h >= -1:
                loss -= numpy.log(roots_N[d] if h < 0 else probs_NN[d, h])
        start += n
    return float(loss)


def test_loss_and_gradients() -> None:
    lengths = numpy.array([4, 0, 5], dtype="i")
    gold_N = numpy.array([1, -1, 1, -2, 1, -1, 1, 2, 1], dtype="i")
    arrays = [array.astype("float64") for array in weights(9, 18, seed=1)]
    loss, *gradients = arc_loss(*(a.astype("f") for a in arrays), lengths, gold_N, 1.0)
    assert loss == pytest.approx(naive_loss(arrays, lengths, gold_N), rel=1e-4)
    step = 1e-5
    for array, gradient in zip(arrays, gradients, strict=True):
        for index in numpy.ndindex(array.shape):
            array[index] += step
            above = naive_loss(arrays, lengths, gold_N)
            array[index] -= 2 * step
            below = naive_loss(arrays, lengths, gold_N)
            array[index] += step
            assert gradient[index] == pytest.approx((above - below) / (2 * step), abs=1e-3)


def test_unknown_heads_teach_nothing() -> None:
    arrays = weights(3, 8)
    unknown_N = numpy.full((3,), -2, dtype="i")
    loss, *gradients = arc_loss(*arrays, numpy.array([3], dtype="i"), unknown_N, 1.0)
    assert loss == 0.0
    assert all((gradient == 0.0).all() for gradient in gradients)
