"""What `recurrence` does, in operations on whole arrays, for other devices: the first words of all docs,
then the second ones, and so on."""

from typing import Any

import numpy
from thinc.util import get_array_module

# An array of numpy or, on a GPU, of cupy
Array = Any


def forward(
    gates: Array,
    bias: Array,
    fresh: Array,
    backwards: bool,
    memory: Array,
    column: int,
    state: Array,
) -> None:
    xp = get_array_module(gates)
    units = len(state)
    gates += bias
    candidate, update = gates[:, :units], gates[:, units:]
    candidate[:] = xp.tanh(candidate)
    update[:] = 0.5 + 0.5 * xp.tanh(0.5 * update)
    ours = memory[:, column : column + units]
    for words, is_first in steps(fresh, backwards):
        if is_first:
            now = xp.where(fresh[words][:, None], 0, state)
        now = now[: len(words)] + update[words] * (candidate[words] - now[: len(words)])
        ours[words] = now
    state[:] = ours[0 if backwards else -1]


def backward(
    gates: Array,
    bias: Array,
    fresh: Array,
    backwards: bool,
    memory: Array,
    column: int,
    state: Array,
    d_memory: Array,
) -> None:
    xp = get_array_module(gates)
    units = len(state)
    candidate, update = gates[:, :units], gates[:, units:]
    ours = memory[:, column : column + units]
    before = xp.zeros_like(ours)
    if backwards:
        before[:-1] = ours[1:]
    else:
        before[1:] = ours[:-1]
    before *= fresh[:, None] == 0
    d = d_memory[:, column : column + units].copy()
    carried = xp.zeros_like(d)
    for words, _ in reversed(steps(fresh, backwards)):
        carried[: len(words)] += d[words]
        d[words] = carried[: len(words)]
        carried[: len(words)] *= 1 - update[words]
    d_update = d * (candidate - before) * update * (1 - update)
    candidate[:] = d * update * (1 - candidate * candidate)
    update[:] = d_update


def steps(fresh: Array, backwards: bool) -> list[tuple[Array, bool]]:
    """The first words of all docs, the second ones, ...; the longest doc comes first. What is not fresh
    at first goes on with a doc, so it starts one here."""
    xp = get_array_module(fresh)
    starts = numpy.array(fresh if xp is numpy else fresh.get(), dtype=bool)
    n = len(starts)
    starts = starts[::-1] if backwards else starts
    first = numpy.flatnonzero(starts | (numpy.arange(n) == 0))
    lengths = numpy.diff(first, append=n)
    order = numpy.argsort(-lengths, kind="stable")
    found = []
    for k in range(int(lengths.max(initial=0))):
        words = first[order[lengths[order] > k]] + k
        found.append((xp.asarray(n - 1 - words if backwards else words), k == 0))
    return found
