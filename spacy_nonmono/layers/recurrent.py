"""Minimal recurrent units: layers that see the whole doc, in both directions, at little cost.

Feng et al. (2024), "Were RNNs All We Needed?", with a candidate between -1 and 1. Both gates of all
words are one matrix product. The recurrence itself has no matrix in it: a few operations per unit and
word. It goes from word to word, so it runs on the CPU, also where the matrices are on another device.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy
from thinc.api import (
    LayerNorm,
    Linear,
    Model,
    chain,
    list2ragged,
    ragged2list,
    residual,
    with_array,
)
from thinc.types import Floats2d, Ragged

from ..errors import Errors
from . import recurrence  # type: ignore[attr-defined]  # Cython
from .fast_ops import taking_no_rows, with_fast_ops

# Words that go through a layer together when it predicts: the gates stay in the cache.
CHUNK = 500


def RecurrentEncoder(
    width: int | None = None, hidden_width: int = 96, depth: int = 2
) -> Model[list[Floats2d], list[Floats2d]]:
    """Make layers that give each word a vector which depends on the whole doc: the vector that comes in,
    plus what `depth` recurrent layers make of it, normalized.

    width: of the vectors that come in and go out; None: as those of the first docs. hidden_width:
    the units of each direction of a layer, a multiple of 16. depth: with 0, vectors are normalized only.

    Raises ValueError (NM067) for another hidden width or depth.
    """
    if hidden_width < 1 or hidden_width % recurrence.MULTIPLE or depth < 0:
        raise ValueError(
            Errors.NM067.format(width=hidden_width, depth=depth, multiple=recurrence.MULTIPLE)
        )
    layers: list[Model] = []
    for _ in range(depth):
        layers += [BidirectionalRecurrence(hidden_width), DocDropout()]
    projection: Model[Floats2d, Floats2d] = Linear(nO=width)
    whole_doc = [residual(chain(*layers, with_array(projection)))] if depth else []
    model: Model[list[Floats2d], list[Floats2d]] = chain(
        list2ragged(), *whole_doc, with_array(LayerNorm(nI=width)), ragged2list()
    )
    if depth:
        model.set_ref("projection", projection)
    if width is not None:
        model.set_dim("nO", width)
    model.init = partial(init_encoder, model.init)
    return with_fast_ops(taking_no_rows(model))


def init_encoder(init: Callable, model: Model, X: Any = None, Y: Any = None) -> None:
    """Give the layers their shapes; without a width in the config it is that of the vectors X."""
    if X is not None and model.has_ref("projection"):
        model.get_ref("projection").set_dim("nO", X[0].shape[1])
    init(model, X, Y)


def BidirectionalRecurrence(units: int) -> Model[Ragged, Ragged]:
    """Make one layer of minimal recurrent units, which goes over each doc forwards and backwards.

    Returns (N, 2 * units). units: of a direction, a multiple of 16.
    """
    return Model(
        "bidirectional_recurrence",
        forward,
        init=init,
        dims={"nI": None, "nO": 2 * units},
        params={"W": None, "b": None},  # (2, 2 * units, nI); (2, 2 * units)
    )


def init(model: Model, X: Ragged | None = None, Y: Ragged | None = None) -> None:
    """Draw the weights of a layer for vectors of the width of X."""
    if X is not None:
        model.set_dim("nI", X.data.shape[1], force=True)
    nI, nO = model.get_dim("nI"), model.get_dim("nO")
    units = nO // 2
    ops: Any = model.ops
    W = numpy.random.normal(0.0, nI**-0.5, (2, 2 * units, nI)).astype("f")
    # Some units remember for long from the start, others forget at once.
    b = numpy.zeros((2, 2 * units), dtype="f")
    b[:, units:] = numpy.linspace(-3.0, 1.0, units)
    model.set_param("W", ops.asarray(W))
    model.set_param("b", ops.asarray(b))


def forward(
    model: Model[Ragged, Ragged], Xr: Ragged, is_train: bool
) -> tuple[Ragged, Callable[[Ragged], Ragged]]:
    """Run a layer over docs, in both directions."""
    ops: Any = model.ops
    X: Any = ops.asarray2f(Xr.data)
    W: Any = model.get_param("W")
    b = ops.to_numpy(model.get_param("b"))
    n, units = len(X), model.get_dim("nO") // 2
    fresh = edges(ops.to_numpy(Xr.lengths))
    Y = numpy.empty((n, 2 * units), dtype="f")
    step = max(n, 1) if is_train else CHUNK
    parts = [slice(start, min(start + step, n)) for start in range(0, n, step)]
    kept = []
    for d, ordered in enumerate((parts, parts[::-1])):
        state = numpy.zeros((units,), dtype="f")
        for rows in ordered:
            gates = ops.to_numpy(X[rows] @ W[d].T)
            recurrence.forward(gates, b[d], fresh[d, rows], d == 1, Y[rows], d * units, state)
        if n:
            kept.append(gates)

    def backprop(dYr: Ragged) -> Ragged:
        dY = ops.to_numpy(ops.as_contig(dYr.data))
        dX, dW, db = (ops.xp.zeros_like(array) for array in (X, W, model.get_param("b")))
        for d, gates in enumerate(kept):
            state = numpy.zeros((units,), dtype="f")
            recurrence.backward(gates, b[d], fresh[d], d == 1, Y, d * units, state, dY)
            d_gates = ops.asarray(gates)
            dW[d] = d_gates.T @ X
            db[d] = d_gates.sum(axis=0)
            dX += d_gates @ W[d]
        model.inc_grad("W", dW)
        model.inc_grad("b", db)
        return Ragged(dX, dYr.lengths)

    return Ragged(ops.asarray(Y), Xr.lengths), backprop


def edges(lengths: numpy.ndarray) -> numpy.ndarray:
    """Mark where docs start, forwards and backwards: (2, N), 1 or 0."""
    ends = numpy.cumsum(lengths)
    fresh = numpy.zeros((2, int(lengths.sum())), dtype="u1")
    long = lengths > 0
    fresh[0, (ends - lengths)[long]] = 1
    fresh[1, ends[long] - 1] = 1
    return fresh


def DocDropout() -> Model[Ragged, Ragged]:
    """Make a layer of dropout with one mask for all words of a doc, so that what the recurrence
    remembers is not cut up (Gal & Ghahramani 2016)."""
    return Model("doc_dropout", drop, attrs={"dropout_rate": 0.0})


def drop(
    model: Model[Ragged, Ragged], Xr: Ragged, is_train: bool
) -> tuple[Ragged, Callable[[Ragged], Ragged]]:
    """Multiply the vectors of each doc by a mask, in training."""
    rate = model.attrs["dropout_rate"]
    if not is_train or not rate:
        return Xr, lambda dYr: dYr
    masks: Any = model.ops.get_dropout_mask((len(Xr.lengths), Xr.data.shape[1]), rate)
    docs: Any = numpy.repeat(numpy.arange(len(masks)), model.ops.to_numpy(Xr.lengths))
    mask = masks[model.ops.asarray1i(docs)]
    return Ragged(Xr.data * mask, Xr.lengths), lambda dYr: Ragged(dYr.data * mask, dYr.lengths)
