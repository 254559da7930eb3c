"""Losses and gradients of a batch: of the recorded states, and of the sentence boundaries."""

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy
from thinc.api import Model, NumpyOps

from ..scoring.neural.model import ProductGradients, param
from ..shapes import check_values
from .recorded_states import choice_loss, scatter_state_rows, sum_state_rows

# An array of numpy or, on a GPU, of cupy; the docstrings give the shapes.
Array: TypeAlias = Any

# States that go through the layers together: bounds the memory of a batch of long sentences.
CHUNK = 8192


class States(NamedTuple):
    """The states that a rollout recorded; see `rollout`. All arrays are on the CPU. A row is a focus of
    a configuration, which has several only in list systems."""

    token_rows: numpy.ndarray
    atom_rows: numpy.ndarray
    valid: numpy.ndarray
    correct: numpy.ndarray
    sizes: numpy.ndarray

    def part(self, which: slice, rows: slice) -> "States":
        """Take some configurations, with their rows."""
        token_rows, atom_rows, valid, correct = (array[rows] for array in self[:-1])
        return States(token_rows, atom_rows, valid, correct, self.sizes[which])


def class_probabilities(model: Model, products: Array, states: States) -> Array:
    """Compute the probabilities of the valid classes of recorded states: (S, nO)."""
    hidden = activate(gather(model, products, states))
    scores = hidden @ param(model, "out_W").T
    valid = model.ops.xp.asarray(states.valid, dtype=bool)
    return softmax(model.ops.xp, scores + param(model, "out_b"), valid, states.sizes)[0]


def gather(model: Model, products: Array, states: States) -> Array:
    """Sum the rows of each state: (S, nH)."""
    atoms, bias = param(model, "atoms"), param(model, "bias")
    if isinstance(model.ops, NumpyOps):
        return sum_state_rows(products, atoms, bias, states.token_rows, states.atom_rows)
    xp = model.ops.xp
    total = xp.repeat(bias[None], len(states.token_rows), axis=0)
    token_rows, atom_rows = xp.asarray(states.token_rows), xp.asarray(states.atom_rows)
    for f in range(token_rows.shape[1]):
        total += products[f, token_rows[:, f]]
    for f in range(atom_rows.shape[1]):
        total += atoms[atom_rows[:, f]]
    return total


def used_rows(
    token_rows: numpy.ndarray, n_words: int
) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Find the products that a batch of states uses, position after position.

    token_rows: (S, nF), from 0 to n_words. Returns rows (S, nF), the place of each state's products
    among the R that are used; words (R,), to which they belong, in ascending order for each position;
    starts (nF + 1,), where a position begins.
    """
    check_values("token_rows", token_rows, 0, n_words)
    width = n_words + 1
    firsts = numpy.arange(token_rows.shape[1] + 1) * width  # of each position, in one long row
    keys = token_rows + firsts[:-1]
    is_used = numpy.zeros((firsts[-1],), dtype=bool)
    is_used[keys] = True
    places = numpy.cumsum(is_used, dtype="i") - 1
    used = numpy.flatnonzero(is_used)
    return places.take(keys), used % width, numpy.searchsorted(used, firsts)


def activate(pre: Array) -> Array:
    """Apply the activation function of the hidden layer, a ReLU."""
    return numpy.maximum(pre, 0)


def scatter(
    model: Model,
    d_pre: Array,
    used: numpy.ndarray,
    atom_rows: numpy.ndarray,
    d_products: Array,
    d_atoms: Array,
) -> None:
    """Add the gradient of each state to the rows that it summed, in place.

    used: (S, nF), rows of d_products (R, nR); see `used_rows`.
    """
    if isinstance(model.ops, NumpyOps):
        scatter_state_rows(d_pre, used, atom_rows, d_products, d_atoms)
        return
    for rows, gradient in ((used, d_products), (atom_rows, d_atoms)):
        on_device = model.ops.xp.asarray(rows)
        for f in range(rows.shape[1]):
            model.ops.scatter_add(gradient, on_device[:, f], d_pre)


def sigmoid(scores: Array) -> Array:
    """Compute the logistic function."""
    return 0.5 + 0.5 * numpy.tanh(0.5 * scores)  # exp would overflow


def softmax(xp, scores: Array, mask: Array, sizes: numpy.ndarray) -> tuple[Array, Array]:
    """Compute the probabilities among the classes of a mask, over all rows of a configuration, and the
    logarithm of the sum that divides them, in every row."""
    masked = xp.where(mask, scores, -xp.inf)
    highest = over_rows(xp, numpy.maximum, masked.max(axis=1), sizes)
    exps = xp.exp(masked - highest)
    total = over_rows(xp, numpy.add, exps.sum(axis=1), sizes)
    return exps / total, xp.log(total) + highest


def over_rows(xp, function: numpy.ufunc, values: Array, sizes: numpy.ndarray) -> Array:
    """Apply a function to the values (S,) of each configuration's rows, and give every row the result:
    (S, 1)."""
    if len(sizes) < len(values):
        # List systems; cupy cannot do this.
        on_cpu = values if xp is numpy else values.get()
        starts = numpy.cumsum(sizes) - sizes
        values = xp.asarray(numpy.repeat(function.reduceat(on_cpu, starts), sizes))
    return values[:, None]


def chunks(sizes: numpy.ndarray) -> Iterator[tuple[slice, slice]]:
    """Divide configurations, and their rows, into parts of about `CHUNK` rows."""
    ends = numpy.cumsum(sizes)
    first = row = 0
    while first < len(sizes):
        end = max(first + 1, int(numpy.searchsorted(ends, row + CHUNK, side="right")))
        yield slice(first, end), slice(row, int(ends[end - 1]))
        first, row = end, int(ends[end - 1])


def state_loss(
    model: Model, products: Array, states: States, targets: Array | None = None
) -> tuple[float, ProductGradients]:
    """Compute the loss of the recorded states and the gradient of the products. The gradients of the
    model's own parameters are added to those that it has.

    The loss is -log of the probability mass on the correct classes among the valid ones; with targets
    (S, nO), the cross-entropy with those probabilities.
    """
    xp = model.ops.xp
    used, words, starts = used_rows(states.token_rows, products.shape[1] - 1)
    d_products = xp.zeros((len(words), products.shape[2]), dtype="f")
    d_atoms = xp.zeros_like(param(model, "atoms"))
    loss = 0.0
    for which, rows in chunks(states.sizes):
        part = states.part(which, rows)
        target = None if targets is None else targets[rows]
        part_loss, d_pre = chunk_loss(model, products, part, target)
        scatter(model, d_pre, used[rows], part.atom_rows, d_products, d_atoms)
        loss += part_loss
    model.inc_grad("atoms", d_atoms)
    return loss, ProductGradients(d_products, words, starts)


def chunk_loss(
    model: Model,
    products: Array,
    states: States,
    target: Array | None,
) -> tuple[float, Array]:
    """Compute the loss of some states and the gradient of their sums (S, nH)."""
    ops, xp = model.ops, model.ops.xp
    out_W = param(model, "out_W")
    hidden = activate(gather(model, products, states))
    is_on = hidden > 0
    drop = model.attrs["dropout_rate"]
    mask = ops.get_dropout_mask(hidden.shape, drop)
    hidden = hidden * mask
    scores = hidden @ out_W.T + param(model, "out_b")
    on_cpu = isinstance(ops, NumpyOps)
    d_scores: Array
    if on_cpu and target is None:
        loss, d_scores = choice_loss(scores, states.valid, states.correct, states.sizes)
    else:
        loss, d_scores = array_loss(xp, scores, states, target)
    model.inc_grad("out_W", d_scores.T @ hidden)
    model.inc_grad("out_b", d_scores.sum(axis=0))
    d_pre: Array = (d_scores @ out_W) * mask * is_on
    model.inc_grad("bias", d_pre.sum(axis=0))
    return loss, d_pre


def array_loss(xp, scores: Array, states: States, target: Array | None) -> tuple[float, Array]:
    """Do what `choice_loss` does, on any device; or compute the cross-entropy with targets. Returns the
    loss and the gradient (S, nO)."""
    valid = xp.asarray(states.valid, dtype=bool)
    probs, log_total = softmax(xp, scores, valid, states.sizes)
    if target is None:
        correct = valid & xp.asarray(states.correct, dtype=bool)
        target, log_correct = softmax(xp, scores, correct, states.sizes)
        rows = xp.asarray(numpy.repeat(states.sizes, states.sizes)[:, None])
        loss = float(((log_total - log_correct) / rows).sum())
    else:
        loss = -float((target * xp.log(probs + 1e-30)).sum())
    return loss, (probs - target).astype("f")


def boundary_loss(
    model: Model, scores: list[Array], starts: list[numpy.ndarray]
) -> tuple[float, list[Array]]:
    """Compute the binary cross-entropy of the sentence boundaries and its gradients.

    scores: (n, 1) a doc. starts: (n,) a doc, 1 starts a sentence, -1 does not, 0 unknown, skipped. The
    first word of a doc always starts one and is skipped.
    """
    xp = model.ops.xp
    loss = 0.0
    gradients = []
    for doc_scores, doc_starts in zip(scores, starts, strict=True):
        known = doc_starts != 0
        known[:1] = False
        weight = xp.asarray(known[:, None], dtype="f")
        gold = xp.asarray((doc_starts > 0)[:, None], dtype="f")
        probs = sigmoid(doc_scores)
        loss -= float((weight * xp.log(xp.where(gold > 0, probs, 1.0 - probs) + 1e-30)).sum())
        gradients.append((probs - gold) * weight)
    return loss, gradients
