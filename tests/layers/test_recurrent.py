"""The recurrent encoder against its slow twin, its gradients against differences, and in a pipeline."""

from typing import Any

import numpy
import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from spacy.tokens import Doc
from thinc.api import Config, Model, Ragged

from spacy_nonmono.layers import recurrence, recurrent
from spacy_nonmono.layers.recurrent import BidirectionalRecurrence, DocDropout, RecurrentEncoder
from tests.naive.recurrence import recurrence as naive_recurrence

UNITS = 16
WIDTH = 5  # of the input


def random_layer(seed: int, lengths: list[int]) -> tuple[Model, Ragged, numpy.ndarray]:
    """A layer, its input, and a gradient of its output."""
    numpy.random.seed(seed)
    random = numpy.random.default_rng(seed)
    model: Model = BidirectionalRecurrence(UNITS)
    model.set_dim("nI", WIDTH)
    model.initialize()
    weights: Any = model.get_param("b")
    weights += random.normal(size=weights.shape).astype("f")
    X: Any = random.normal(size=(sum(lengths), WIDTH), scale=2.0).astype("f")
    dY = random.normal(size=(sum(lengths), 2 * UNITS)).astype("f")
    return model, Ragged(X, numpy.array(lengths, dtype="i")), dY


def params(model: Model) -> dict[str, Any]:
    return {name: model.get_param(name) for name in model.param_names}


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 1000),
    lengths=st.lists(st.integers(0, 7), max_size=6),
    chunk=st.integers(1, 9),
)
def test_like_twin(seed: int, lengths: list[int], chunk: int):
    model, X, _ = random_layer(seed, lengths)
    expected = naive_recurrence(X.data, **params(model), lengths=lengths)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recurrent, "CHUNK", chunk)
        for Y in (model.predict(X), model(X, is_train=True)[0]):
            # thinc forgets the width of what has no rows
            assert_allclose(Y.data.reshape(expected.shape), expected, atol=3e-6)


@pytest.mark.parametrize("lengths", [[4], [1, 0, 3, 2], []])
def test_gradients(lengths: list[int]):
    model, X, dY = random_layer(1, lengths)
    _, backprop = model(X, is_train=True)
    dX = backprop(Ragged(dY, X.lengths)).data
    found = {"X": dX, **{name: model.get_grad(name) for name in model.param_names}}
    at = {"X": X.data.astype("d"), **{k: v.astype("d") for k, v in params(model).items()}}
    random = numpy.random.default_rng(2)
    for name, values in at.items():
        assert found[name].shape == values.shape
        for k in random.permutation(values.size)[:40]:
            sums = []
            for step in (1e-5, -1e-5):
                moved = values.copy()
                moved.flat[k] += step
                sums.append((naive_recurrence(**at | {name: moved}, lengths=lengths) * dY).sum())
            assert_allclose(found[name].flat[k], (sums[0] - sums[1]) / 2e-5, atol=2e-4, rtol=1e-3)


def test_tanh_is_never_above_one():
    """Of anything that a sum may be: its value and its slope stay those of the function."""
    sums = numpy.concatenate([numpy.linspace(-12, 12, 1600), [1e30, -1e30, numpy.inf, -numpy.inf]])
    gates = numpy.zeros((len(sums), 2 * UNITS), dtype="f")
    gates[:, :UNITS] = sums[:, None]
    fresh = numpy.ones(len(sums), dtype="u1")
    memory = numpy.zeros((len(sums), UNITS), dtype="f")
    bias, state = numpy.zeros(2 * UNITS, dtype="f"), numpy.zeros(UNITS, dtype="f")
    recurrence.forward(gates, bias, fresh, False, memory, 0, state)
    assert_allclose(gates[:, 0], numpy.tanh(sums), atol=7e-7)
    assert abs(gates[:, :UNITS]).max() <= 1
    assert_array_equal(gates[:, UNITS:], 0.5)


def test_wrong_shapes():
    fine = {
        "gates": numpy.zeros((2, 32), dtype="f"),
        "bias": numpy.zeros(32, dtype="f"),
        "memory": numpy.zeros((2, 32), dtype="f"),
        "state": numpy.zeros(16, dtype="f"),
        "fresh": numpy.ones(2, dtype="u1"),
    }
    rest = {"backwards": False, "column": 16}
    recurrence.forward(**fine, **rest)
    smaller = [(name, array[..., :-1].copy()) for name, array in fine.items()]
    smaller += [(name, array[:-1]) for name, array in fine.items() if array.ndim == 2]
    for name, array in smaller:
        with pytest.raises(ValueError, match=r"NM020"):
            recurrence.forward(**fine | {name: array}, **rest)
    for column in (17, -1):
        with pytest.raises(ValueError, match=r"NM020"):
            recurrence.forward(**fine, **rest | {"column": column})
    with pytest.raises(ValueError, match="NM020"):
        recurrence.backward(**fine, **rest, d_memory=numpy.zeros((2, 16), dtype="f"))
    fine["fresh"] = numpy.zeros(2, dtype="u1")
    with pytest.raises(ValueError, match="NM020"):
        recurrence.backward(**fine, **rest, d_memory=numpy.zeros((2, 32), dtype="f"))


def test_encoder_sees_the_whole_doc():
    encoder = RecurrentEncoder(width=8, hidden_width=16, depth=2)
    encoder.initialize(X=[numpy.zeros((2, 8), dtype="f")])
    docs = [numpy.random.normal(size=(n, 8)).astype("f") for n in (30, 0, 30)]
    before = encoder.predict(docs)
    assert [found.shape for found in before] == [(30, 8), (0, 8), (30, 8)]
    docs[0] = docs[0].copy()
    docs[0][15] += 1
    after = encoder.predict(docs)
    assert (abs(after[0] - before[0]).max(axis=1) > 1e-4).all()
    assert_array_equal(after[2], before[2])


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_same_alone_and_together(depth: int):
    encoder = RecurrentEncoder(width=8, hidden_width=16, depth=depth)
    encoder.initialize(X=[numpy.zeros((2, 8), dtype="f")])
    docs = [numpy.random.normal(size=(n, 8)).astype("f") for n in (1, 700, 3, 1100, 20)]
    for together, doc in zip(encoder.predict(docs), docs, strict=True):
        assert_allclose(together, encoder.predict([doc])[0], atol=1e-5)


def test_for_a_component_of_spacy():
    """A tagger learns with it, and is the same after it was saved."""
    config = """
    [model]
    @architectures = "spacy.Tagger.v2"
    [model.tok2vec]
    @architectures = "spacy.Tok2Vec.v2"
    [model.tok2vec.embed]
    @architectures = "spacy.MultiHashEmbed.v2"
    width = 16
    attrs = ["NORM"]
    rows = [100]
    include_static_vectors = false
    [model.tok2vec.encode]
    @architectures = "spacy-nonmono.RecurrentEncoder.v1"
    width = 16
    hidden_width = 16
    depth = 2
    """
    nlp = spacy.blank("xx")
    tagger = nlp.add_pipe("tagger", config=Config().from_str(config))
    words = ["a", "b", "b", "b", "b", "c"]
    examples = []
    for first in ("a", "d"):  # the tag of the last word is decided by the first one
        doc = Doc(nlp.vocab, [first, *words[1:]], tags=["X"] * 5 + [first.upper()])
        examples.append(spacy.training.Example(Doc(nlp.vocab, [first, *words[1:]]), doc))
    optimizer = nlp.initialize(lambda: examples)
    optimizer.learn_rate = 0.01
    for _ in range(100):
        losses = nlp.update(examples, sgd=optimizer, drop=0.0)
    assert losses["tagger"] < 0.5
    again = spacy.blank("xx")
    again.add_pipe("tagger", config=Config().from_str(config))
    again.initialize(lambda: examples)
    again.from_bytes(nlp.to_bytes())
    for example in examples:
        tags = [nlp_.get_pipe("tagger").predict([example.predicted])[0] for nlp_ in (nlp, again)]
        assert_array_equal(*tags)
        assert tagger.labels[int(tags[0][-1])] == example.reference[-1].tag_


def test_dropout_has_one_mask_per_doc():
    layer = DocDropout()
    X = Ragged(numpy.ones((9, 50), dtype="f"), numpy.array([4, 0, 5], dtype="i"))
    assert layer(X, is_train=True)[0] is X
    layer.attrs["dropout_rate"] = 0.4
    Y, backprop = layer(X, is_train=True)
    for first, end in ((0, 4), (4, 9)):
        assert (Y.data[first:end] == Y.data[first]).all()
        assert 0 < (Y.data[first] == 0).sum() < 50
    assert (Y.data[0] != Y.data[4]).any()
    assert_array_equal(backprop(X).data, Y.data)
    assert layer.predict(X) is X


@pytest.mark.parametrize("setting", [{"hidden_width": 100}, {"hidden_width": 0}, {"depth": -1}], ids=str)
def test_layers_that_cannot_be(setting: dict[str, int]):
    ((_, value),) = setting.items()
    with pytest.raises(ValueError, match=rf"NM067.*{value}.*16.*0 or more"):
        RecurrentEncoder(**setting)
