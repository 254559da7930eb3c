"""A layer of minimal recurrent units, number by number."""

from math import exp, tanh

import numpy


def sigmoid(x: float) -> float:
    return 1 / (1 + exp(-x))


def recurrence(
    X: numpy.ndarray, W: numpy.ndarray, b: numpy.ndarray, lengths: list[int]
) -> numpy.ndarray:
    """What `BidirectionalRecurrence` makes of X (N, nI) over docs of so many words: (N, 2 * units).

    W: (2, 2 * units, nI). b: (2, 2 * units).
    """
    units = b.shape[1] // 2
    Y = numpy.zeros((len(X), 2 * units))
    first = 0
    for length in lengths:
        words = list(range(first, first + length))
        first += length
        for direction, order in enumerate((words, words[::-1])):
            for unit in range(units):
                memory = 0.0
                for t in order:
                    gates = (unit, units + unit)
                    sums = (float(W[direction, k] @ X[t] + b[direction, k]) for k in gates)
                    candidate, update = sums
                    z = sigmoid(update)
                    memory = (1 - z) * memory + z * tanh(candidate)
                    Y[t, direction * units + unit] = memory
    return Y
