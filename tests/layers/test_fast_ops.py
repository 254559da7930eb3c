"""Faster operations, against those of thinc."""

import pickle
from copy import deepcopy

import numpy
import pytest
import spacy
from spacy.ml.models.tok2vec import MaxoutWindowEncoder, MultiHashEmbed, build_Tok2Vec_model
from spacy.tokens import Doc
from thinc.api import LayerNorm, Maxout, Model, NumpyOps, chain, fix_random_seed

from spacy_nonmono.layers import fast_ops
from spacy_nonmono.layers.fast_ops import (
    FastNumpyOps,
    Tok2Vec,
    embed_types,
    with_fast_ops,
)


@pytest.mark.parametrize("shape", [(5, 96), (3, 16), (4, 7), (1, 1), (2, 50), (0, 8)])
def test_layer_norm(shape):
    rng = numpy.random.default_rng(0)
    X, dY = (rng.normal(0.5, 2, shape).astype("f") for _ in range(2))
    slow = LayerNorm(shape[1])
    slow.initialize()
    for name in ("G", "b"):
        slow.set_param(name, rng.normal(0, 1, shape[1]).astype("f"))
    fast = with_fast_ops(slow.copy())
    found = []
    for model in (slow, fast):
        Y, backprop = model(X, is_train=True)
        dX = backprop(dY)
        found.append([Y, dX, *(model.get_grad(name) for name in ("G", "b"))])
    for expected, got in zip(*found, strict=True):
        numpy.testing.assert_allclose(got, expected, rtol=1e-3, atol=1e-4)


def test_layers_are_replaced_and_saved_as_thinc_saves_them():
    def make():
        return chain(Maxout(8, 6, nP=2, normalize=True, dropout=0.1), Maxout(4, 8, normalize=True))

    fix_random_seed(0)
    slow = make().initialize()
    fast = with_fast_ops(make().initialize())
    fast.from_bytes(slow.to_bytes())
    X = numpy.random.default_rng(0).normal(0, 1, (5, 6)).astype("f")
    for model in (fast, fast.copy(), deepcopy(fast), pickle.loads(pickle.dumps(fast))):
        numpy.testing.assert_allclose(model.predict(X), slow.predict(X), rtol=1e-4, atol=1e-5)
        assert all(type(node.ops) is FastNumpyOps for node in model.walk())
        assert model.to_bytes() == slow.to_bytes()


def test_other_operations_are_left_alone(monkeypatch):
    """Those of a GPU, say, or of Apple."""

    class OtherOps(NumpyOps):
        name = "other"

    model = with_fast_ops(Maxout(8, 6, nP=2, normalize=True).initialize())
    for node in model.walk():
        node.ops = OtherOps()
    monkeypatch.setattr(fast_ops, "normalize", None)
    Y, backprop = model(numpy.ones((5, 6), dtype="f"), is_train=True)
    assert backprop(Y).shape == (5, 6)
    assert all(type(node.ops) is OtherOps for node in model.walk())


def test_tok2vec_predicts_in_parts(monkeypatch):
    """Its vectors are those of spaCy's, and nothing of one Doc gets into those of the next."""
    monkeypatch.setattr("spacy_nonmono.layers.minibatch.PART", 7)
    monkeypatch.setattr("spacy_nonmono.layers.fast_ops.N_TYPES", 3)
    vocab = spacy.blank("xx").vocab
    docs = [Doc(vocab, words=[f"w{k}" for k in range(n)]) for n in (3, 0, 4, 1, 20, 0, 2)]

    def parts():
        embed = MultiHashEmbed(16, ["NORM", "SHAPE"], [50, 50], include_static_vectors=False)
        return embed, MaxoutWindowEncoder(16, window_size=1, maxout_pieces=2, depth=2)

    fix_random_seed(0)
    slow, fast = build_Tok2Vec_model(*parts()), Tok2Vec(*parts())
    for model in (slow, fast):
        model.initialize(X=docs)
    fast.from_bytes(slow.to_bytes())
    assert fast.to_bytes() == slow.to_bytes()
    for model in (fast, fast.copy()):
        for array, expected in zip(model.predict(docs), slow.predict(docs), strict=True):
            assert array.shape == expected.shape
            numpy.testing.assert_allclose(array, expected, rtol=1e-4, atol=1e-5)
    assert fast.predict([]) == []


@pytest.mark.parametrize("drop", [0.1, 0.5])
def test_dropout_masks(drop):
    fix_random_seed(0)
    mask = FastNumpyOps().get_dropout_mask((200, 300), drop)
    assert mask.shape == (200, 300) and mask.dtype == numpy.float32
    assert (mask == 0).mean() == pytest.approx(drop, abs=0.01)
    numpy.testing.assert_allclose(mask[mask != 0], 1 / (1 - drop), rtol=1e-4)


@pytest.mark.parametrize("drop", [None, 0.0, 1.0])
def test_no_dropout_and_nothing_else(drop):
    for ops in (FastNumpyOps(), NumpyOps()):
        assert ops.get_dropout_mask((3, 2), drop).tolist() == [[float(drop != 1.0)] * 2] * 3


@pytest.mark.parametrize("multiplier", [None, 0])
def test_equal_words_are_embedded_once(multiplier, monkeypatch):
    """As if each were embedded by itself, even where all have the same key."""
    monkeypatch.setattr(fast_ops, "FEW", 5)
    if multiplier is not None:
        monkeypatch.setattr(fast_ops, "MULTIPLIER", numpy.uint64(multiplier))
    vocab = spacy.blank("xx").vocab
    docs = [Doc(vocab, words=words) for words in ([], ["a", "B", "a"], ["b", "a"], [])]
    embed = MultiHashEmbed(16, ["NORM", "SHAPE"], [50, 50], include_static_vectors=False)
    embed.initialize(X=docs)
    seen = []
    extract = embed.layers[0]
    embed.replace_node(extract, Model(extract.name, lambda _, X, is_train: (extract.predict(X), None)))
    watched = embed.layers[1]
    embed.replace_node(
        watched, Model("watched", lambda _, X, is_train: (seen.append(X) or watched.predict(X), None))
    )
    found = embed_types(embed, docs)
    assert [len(X) for (X,) in seen] == [3 if multiplier is None else 5]
    for ours, theirs in zip(found, embed.predict(docs), strict=True):
        numpy.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)
    assert embed_types(embed, docs[:2]) == [] == embed_types(embed, [])
