"""Accuracy by the length of sentences and of arcs, and for other kinds of words, told from counts.

Recall is the share of the gold arcs of a kind that are found, precision the share of the predicted ones
that are right, as in McDonald & Nivre (2007). The arcs to the root, of length 0, are in no bin.
"""

from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from ..evaluation.breakdown import ARC_BINS, SENTENCE_BINS, bin_name, ranges
from ..evaluation.scores import share
from .counts import KindCounts, SentenceCounts

FINE_ARC_BINS = (1, 2, 3, 4, 5, 6, 7, 9, 11, 16, 21)  # the lower ends; the last one is open


class LengthScores(TypedDict):
    """The accuracy in sentences of one bin of lengths. A share is None if there are no words."""

    bin: str
    words: int
    uas: float | None
    las: float | None


class KindScores(TypedDict):
    """Precision and recall of words of one kind, None if there is nothing to count.

    Shares with "labelled" in their name count words whose head and label are right, the others words
    whose head is right.
    """

    gold: int
    predicted: int
    precision: float | None
    recall: float | None
    labelled_precision: float | None
    labelled_recall: float | None


class ArcScores(KindScores):
    """Precision and recall of the arcs of one bin of lengths."""

    bin: str


def add_counts(counts: Sequence[KindCounts]) -> KindCounts:
    """Add the counts of several files or seeds, kind by kind."""
    total: KindCounts = {}
    for one in counts:
        for kind, numbers in one.items():
            total[kind] = [a + b for a, b in zip(total.get(kind, [0] * 6), numbers, strict=True)]
    return total


def kind_scores(numbers: Sequence[int]) -> KindScores:
    """Return precision and recall of a kind, from its six numbers (`KindCounts`)."""
    gold, found, found_labelled, predicted, right, right_labelled = numbers
    return KindScores(
        gold=gold,
        predicted=predicted,
        precision=share(right, predicted),
        recall=share(found, gold),
        labelled_precision=share(right_labelled, predicted),
        labelled_recall=share(found_labelled, gold),
    )


def by_arc_length(counts: KindCounts, *, bins: Sequence[int] = ARC_BINS) -> list[ArcScores]:
    """Return precision and recall by the length of the arc, a row for each bin.

    bins: the shortest arc of each bin, ascending; the last bin is open.
    """
    rows = []
    for start, end in ranges(bins):
        of_bin = [{"": numbers} for n, numbers in counts.items() if start <= int(n) < end]
        scores = kind_scores(add_counts(of_bin).get("", [0] * 6))
        rows.append(ArcScores(bin=bin_name(start, end), **scores))
    return rows


def by_sentence_length(
    counts: SentenceCounts, *, bins: Sequence[int] = SENTENCE_BINS
) -> list[LengthScores]:
    """Return UAS and LAS by the length of the gold sentence, a row for each bin.

    bins: the shortest sentence of each bin, ascending; the last bin is open.
    """
    rows = []
    lengths_S = np.array(counts["lengths_S"], dtype=np.int64)
    for start, end in ranges(bins):
        in_bin_S = (start <= lengths_S) & (lengths_S < end)
        words, heads, labelled = (
            int(np.array(values_S, dtype=np.int64)[in_bin_S].sum())
            for values_S in (counts["words_S"], counts["heads_S"], counts["labelled_S"])
        )
        name = bin_name(start, end)
        rows.append(
            LengthScores(bin=name, words=words, uas=share(heads, words), las=share(labelled, words))
        )
    return rows
