"""Faster operations, against those of thinc."""

import numpy
import pytest
from thinc.api import LayerNorm, Maxout, NumpyOps, chain, fix_random_seed

from spacy_nonmono.scoring.fast_ops import FastNumpyOps, fast_layer_norm, with_fast_ops


@pytest.mark.parametrize("shape", [(5, 96), (3, 16), (4, 7), (1, 1), (2, 50), (0, 8)])
def test_layer_norm(shape):
    rng = numpy.random.default_rng(0)
    X, dY = (rng.normal(0.5, 2, shape).astype("f") for _ in range(2))
    slow = LayerNorm(shape[1])
    slow.initialize()
    for name in ("G", "b"):
        slow.set_param(name, rng.normal(0, 1, shape[1]).astype("f"))
    fast = fast_layer_norm(slow)
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
    assert all(type(node.ops) is FastNumpyOps for node in fast.walk())
    fast.from_bytes(slow.to_bytes())
    X = numpy.random.default_rng(0).normal(0, 1, (5, 6)).astype("f")
    numpy.testing.assert_allclose(fast.predict(X), slow.predict(X), rtol=1e-4, atol=1e-5)
    assert fast.to_bytes() == slow.to_bytes()


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
