"""A layer of simple recurrent units, number by number."""

from math import exp, tanh

import numpy


def sigmoid(x: float) -> float:
    return 1 / (1 + exp(-x))


def recurrence(
    X: numpy.ndarray, W: numpy.ndarray, b: numpy.ndarray, lengths: list[int]
) -> numpy.ndarray:
    """What `BidirectionalRecurrence` makes of X (N, nI) over docs of so many words: (N, 2 * units).

    W: (2, 3 * units, nI), or (2, 4 * units, nI) with a projection. b: (2, 3 * units).
    """
    units = b.shape[1] // 3
    Y = numpy.zeros((len(X), 2 * units))
    first = 0
    for length in lengths:
        words = list(range(first, first + length))
        first += length
        for direction, order in enumerate((words, words[::-1])):
            for unit in range(units):
                memory = 0.0
                for t in order:
                    gates = (k * units + unit for k in range(3))
                    sums = (float(W[direction, k] @ X[t] + b[direction, k]) for k in gates)
                    candidate, update, reset = sums
                    if W.shape[1] > 3 * units:
                        skip = float(W[direction, 3 * units + unit] @ X[t])
                    else:
                        skip = float(X[t, direction * units + unit])
                    z, r = sigmoid(update), sigmoid(reset)
                    memory = (1 - z) * memory + z * tanh(candidate)
                    Y[t, direction * units + unit] = r * memory + (1 - r) * skip
    return Y
