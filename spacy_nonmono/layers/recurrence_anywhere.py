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
    skip: Array,
    skip_column: int,
    fresh: Array,
    backwards: bool,
    memory: Array,
    state: Array,
    out: Array,
    out_column: int,
) -> None:
    xp = get_array_module(gates)
    units = memory.shape[1]
    gates[:, : 3 * units] += bias
    candidate, update, reset = split(gates, units)
    candidate[:] = xp.tanh(candidate)
    for gate in (update, reset):
        gate[:] = 0.5 + 0.5 * xp.tanh(0.5 * gate)
    for words, is_first in steps(fresh, backwards):
        if is_first:
            now = xp.where(fresh[words][:, None], 0, state)
        now = now[: len(words)] + update[words] * (candidate[words] - now[: len(words)])
        memory[words] = now
    state[:] = memory[0 if backwards else -1]
    passing = skip[:, skip_column : skip_column + units]
    out[:, out_column : out_column + units] = passing + reset * (memory - passing)


def backward(
    gates: Array,
    bias: Array,
    skip: Array,
    skip_column: int,
    fresh: Array,
    backwards: bool,
    memory: Array,
    state: Array,
    d_out: Array,
    out_column: int,
    d_skip: Array,
    d_skip_column: int,
) -> None:
    xp = get_array_module(gates)
    units = memory.shape[1]
    candidate, update, reset = split(gates, units)
    passing = skip[:, skip_column : skip_column + units]
    d = d_out[:, out_column : out_column + units]
    before = xp.zeros_like(memory)
    if backwards:
        before[:-1] = memory[1:]
    else:
        before[1:] = memory[:-1]
    before *= fresh[:, None] == 0
    d_memory = d * reset
    carried = xp.zeros_like(d_memory)
    for words, _ in reversed(steps(fresh, backwards)):
        carried[: len(words)] += d_memory[words]
        d_memory[words] = carried[: len(words)]
        carried[: len(words)] *= 1 - update[words]
    d_reset = d * (memory - passing) * reset * (1 - reset)
    d_skip[:, d_skip_column : d_skip_column + units] = d * (1 - reset)
    d_update = d_memory * (candidate - before) * update * (1 - update)
    candidate[:] = d_memory * update * (1 - candidate * candidate)
    update[:] = d_update
    reset[:] = d_reset


def split(gates: Array, units: int) -> tuple[Array, Array, Array]:
    """Views of candidate, update and reset."""
    return gates[:, :units], gates[:, units : 2 * units], gates[:, 2 * units : 3 * units]


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
