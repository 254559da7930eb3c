"""The gradients of whole updates, numerically, and what an update asks of the exploration policy."""

import numpy
import pytest

from .util import (
    CROSSING,
    NAME,
    PROJECTIVE,
    gold_doc,
    gold_examples,
    initialized,
    overfitted,
    parameters,
    randomize,
    train,
)

SYSTEMS = ["arc_eager_repair", "yamada_matsumoto"]


class Recorded:
    """A policy that follows the oracle."""

    def __init__(self):
        self.asked = []

    def probability(self, n_updates):
        self.asked.append(n_updates)
        return 0.0


def check_gradients(found, loss):
    """Of the weight of every parameter that has the largest gradient. Steps are short, and several are
    tried: a probability may pass the edge of its bucket."""
    gradients = [node.get_grad(name).copy() for node, name in found]
    for (node, name), gradient in zip(found, gradients, strict=True):
        array = node.get_param(name)
        index = numpy.unravel_index(abs(gradient).argmax(), array.shape)
        value = array[index]
        slopes = []
        for step in (2e-3, 1e-3, 5e-4):
            array[index] = value + step
            above = loss()
            array[index] = value - step
            slopes.append((above - loss()) / (2 * step))
            array[index] = value
            if gradient[index] == pytest.approx(slopes[-1], rel=0.05, abs=0.02):
                break
        else:
            pytest.fail(f"{node.name} {name}: {gradient[index]}, not {slopes}")


def clear(found):
    for node, name in found:
        node.set_grad(name, numpy.zeros_like(node.get_param(name)))


@pytest.mark.parametrize("system", SYSTEMS)
def test_update(system, monkeypatch):
    """With a static oracle, whose derivation does not depend on the weights."""
    nlp = initialized(system, oracle="static")
    randomize(nlp, 3, 0.2)
    pipe = nlp.get_pipe(NAME)
    pipe.exploration = Recorded()
    examples = gold_examples(nlp, PROJECTIVE, together=True)
    monkeypatch.setattr(numpy.random, "uniform", lambda: 1.0)  # gold boundaries

    def loss():
        return pipe.update(examples, losses={})[NAME]

    found = parameters(nlp.get_pipe(NAME).model)
    clear(found)
    loss()
    check_gradients(found, loss)
    assert pipe.exploration.asked == list(range(len(pipe.exploration.asked)))
    assert pipe.progress.n_updates == len(pipe.exploration.asked) > 10


@pytest.mark.parametrize("system", SYSTEMS)
def test_rehearse(system):
    """The loss is that of the configurations and of the arcs; the boundaries are learnt, too."""
    nlp = initialized(system, CROSSING)
    randomize(nlp, 1, 0.3)
    nlp.resume_training()
    randomize(nlp, 2, 0.3)
    pipe = nlp.get_pipe(NAME)
    examples = gold_examples(nlp, CROSSING, together=True)

    def loss():
        return pipe.rehearse(examples, losses={})[NAME]

    found = parameters(nlp.get_pipe(NAME).model, "scorer")
    clear(found)
    loss()
    check_gradients(found, loss)


@pytest.mark.parametrize("system", ["arc_eager_unshift", "covington_nonmonotonic"])
def test_rehearsal_brings_trees_back(system):
    nlp = overfitted(system, CROSSING)
    nlp.resume_training()
    examples = gold_examples(nlp, CROSSING)
    flat = [(words, [0] * len(words), ["ROOT", *["x"] * (len(words) - 1)]) for words, *_ in CROSSING]

    def n_right():
        docs = nlp.pipe(example.x.copy() for example in examples)
        pairs = zip(docs, examples, strict=True)
        return sum(a.head.i == b.head.i for doc, one in pairs for a, b in zip(doc, one.y, strict=True))

    n_words = n_right()
    train(nlp, gold_examples(nlp, flat), 4)
    assert n_right() < n_words / 2
    sgd = nlp.create_optimizer()
    sgd.learn_rate = 0.01
    for _ in range(40):
        nlp.rehearse(examples, sgd=sgd)
    assert n_right() == n_words


def test_rehearse_keeps_boundaries():
    nlp = initialized()
    randomize(nlp, 1, 0.3)
    nlp.resume_training()
    randomize(nlp, 2, 0.3)
    pipe = nlp.get_pipe(NAME)
    doc = gold_doc(nlp, CROSSING)
    examples = gold_examples(nlp, CROSSING, together=True)

    def distance():
        own, kept = (
            1 / (1 + numpy.exp(-model.predict([doc]).boundaries[0]))
            for model in (pipe.model, pipe._rehearsal_model)
        )
        return abs(own - kept).mean()

    before = distance()
    sgd = nlp.create_optimizer()
    sgd.learn_rate = 0.01
    for _ in range(15):
        pipe.rehearse(examples, sgd=sgd)
    assert distance() < 0.6 * before


def test_dropout_reaches_the_hidden_units():
    nlp = initialized()
    randomize(nlp, 1, 0.3)
    pipe = nlp.get_pipe(NAME)
    pipe.exploration = Recorded()
    examples = gold_examples(nlp, CROSSING)
    losses = []
    for drop in (0.0, 0.0, 0.5):
        numpy.random.seed(3)
        losses.append(pipe.update(examples, drop=drop, losses={})[NAME])
    assert losses[0] == losses[1] != losses[2]
    assert pipe.model.get_ref("scorer").attrs["dropout_rate"] == 0.5
    train(nlp, examples, 1)
    assert pipe.model.get_ref("scorer").attrs["dropout_rate"] == 0.0
