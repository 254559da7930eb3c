"""Errors by the part of speech of the word, over arcs of all lengths and over long ones.

As in Zhu, Qiu & Huang (2015, figure 6). Punctuation and words of unknown gold head are left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..evaluation.scores import Parses
from ..shapes import UNKNOWN_HEAD
from .counts import Counts, Ints

FAR = 6  # The words of an arc that is far are so far apart, or farther


@dataclass(frozen=True)
class TagCounts(Counts):
    """Words and those with the right head, by gold tag (T); those of far gold arcs are counted apart,
    too. The arc to the root is not far."""

    tags: list[str]  # the most frequent one first
    words_T: Ints
    heads_T: Ints
    far_words_T: Ints
    far_heads_T: Ints

    def errors(self, *, far: bool = False) -> tuple[list[int], list[float | None]]:
        """Of each tag the words, and the share of them whose head is wrong, None without words."""
        words_T = self.far_words_T if far else self.words_T
        heads_T = self.far_heads_T if far else self.heads_T
        pairs = zip(words_T.tolist(), heads_T.tolist(), strict=True)
        return words_T.tolist(), [1 - heads / words if words else None for words, heads in pairs]


def count_tags(gold: Parses, predicted: Parses, tags: Sequence[str]) -> TagCounts:
    """tags: (N,) gold tags."""
    tags_N = np.array(tags, dtype=str)
    counted_N = (gold.heads_N != UNKNOWN_HEAD) & ~gold.punct_N
    right_N = gold.heads_N == predicted.heads_N
    lengths_N = np.abs(gold.heads_N - np.arange(len(tags_N)))
    far_N = counted_N & (gold.heads_N >= 0) & (lengths_N >= FAR)
    found, sizes = np.unique(tags_N[counted_N], return_counts=True)
    order = sorted(range(len(found)), key=lambda t: (-sizes[t], found[t]))
    names = [str(found[t]) for t in order]

    def count(words_N: NDArray[np.bool_]) -> Ints:
        return np.array([(words_N & (tags_N == name)).sum() for name in names], dtype=np.int64)

    return TagCounts(
        tags=names,
        words_T=count(counted_N),
        heads_T=count(counted_N & right_N),
        far_words_T=count(far_N),
        far_heads_T=count(far_N & right_N),
    )
