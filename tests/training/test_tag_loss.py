"""The tags as a second task: the loss and its gradients, and tags that come later."""

import numpy
import pytest
from thinc.api import Adam

from spacy_nonmono.training.tag_loss import ROOM, TagTask

WEIGHT = 0.3
TAGS = numpy.array([7, 0, 2**63 + 5, 7, 11], dtype="uint64")
NUMBERS = [0, None, 1, 0, 2]  # in the order in which they come


def vectors(n: int = len(TAGS)) -> numpy.ndarray:
    return numpy.random.default_rng(0).normal(size=(n, 6)).astype("f")


def started() -> TagTask:
    """A task that has seen the tags, with random weights and without gradients."""
    task = TagTask()
    task.update(vectors(), TAGS, WEIGHT)
    rng = numpy.random.default_rng(1)
    for name in ("W", "b"):
        array = task.scorer.get_param(name)
        array += rng.normal(size=array.shape).astype("f")
        task.scorer.set_grad(name, numpy.zeros_like(array))
    return task


def naive(X: numpy.ndarray, W: numpy.ndarray, b: numpy.ndarray) -> float:
    total = 0.0
    for x, number in zip(X, NUMBERS, strict=True):
        if number is not None:
            scores = W @ x + b
            total += numpy.log(numpy.exp(scores).sum()) - scores[number]
    return WEIGHT * total


def test_loss_and_gradients():
    task, X = started(), vectors()
    loss, d_X = task.update(X, TAGS, WEIGHT)
    arrays = [X.astype("d"), *(task.scorer.get_param(name).astype("d") for name in ("W", "b"))]
    assert loss == pytest.approx(naive(*arrays), rel=1e-5)
    gradients = [d_X, *(task.scorer.get_grad(name) for name in ("W", "b"))]
    for array, gradient in zip(arrays, gradients, strict=True):
        for place in numpy.ndindex(array.shape):
            value, losses = array[place], []
            for step in (1e-5, -1e-5):
                array[place] = value + step
                losses.append(naive(*arrays))
            array[place] = value
            numeric = (losses[0] - losses[1]) / 2e-5
            assert gradient[place] == pytest.approx(numeric, abs=1e-4), place


def test_without_tags():
    task = TagTask()
    loss, gradient = task.update(vectors(), TAGS * 0, WEIGHT)
    assert loss == 0 and not gradient.any()
    task.finish_update(Adam(0.001))


def test_it_learns_and_keeps_what_it_knows_when_tags_are_added():
    task, X, sgd = TagTask(), vectors(), Adam(0.1)
    losses = []
    for _ in range(30):
        losses.append(task.update(X, TAGS, WEIGHT)[0])
        task.finish_update(sgd)
    assert losses[-1] < 0.1 * losses[0]
    more = numpy.arange(1000, 1000 + 2 * ROOM).astype("uint64")
    known, same = task.scorer.get_param("W"), X[:1]
    before = task.update(same, TAGS[:1], WEIGHT)[0]
    task.update(vectors(len(more)), more, WEIGHT)
    W = task.scorer.get_param("W")
    assert len(W) == 4 * ROOM and W[:ROOM].tolist() == known.tolist()
    assert task.update(same, TAGS[:1], WEIGHT)[0] < before + WEIGHT * numpy.log(5)
