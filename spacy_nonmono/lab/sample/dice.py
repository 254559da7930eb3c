"""Random choices that come out the same under every version of Python.

`Random.random()` is the only method of the standard generator whose values Python promises to
keep, and every weight is an integer.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Choices made from `Random.random()` alone."""

    def __init__(self, seed: int):
        self._random = Random(seed).random

    def chance(self, p: float) -> bool:
        return self._random() < p

    def choice(self, options: Sequence[T]) -> T:
        return options[int(self._random() * len(options))]

    def weighted(self, weights: dict[str, int]) -> str:
        sums = list(accumulate(weights.values()))
        return list(weights)[bisect_right(sums, int(self._random() * sums[-1]))]

    def zipf(self, options: Sequence[T]) -> T:
        sums = list(accumulate(100_000 // (rank + 4) for rank in range(len(options))))
        return options[bisect_right(sums, int(self._random() * sums[-1]))]
