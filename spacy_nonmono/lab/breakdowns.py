"""Accuracy by sentence length, by arc length and for some groups of words, told from counts.

The length of an arc is the distance of its two words. Arcs of a length are found or not (recall, of the
gold arcs of that length) and right or wrong (precision, of the predicted ones), as in McDonald & Nivre
(2007). The arc to the root has no length; it is counted at 0, which is in no bin.
"""

from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from ..evaluation.breakdown import ARC_BINS, SENTENCE_BINS, bin_name, ranges
from ..evaluation.scores import share
from .counts import GROUPS, ArcCounts, GroupCounts, SentenceCounts

FINE_ARC_BINS = (1, 2, 3, 4, 5, 6, 7, 9, 11, 16, 21)  # the lower ends; the last one is open


class LengthScores(TypedDict):
    """Of a bin of sentence lengths; shares are None where there are no words."""

    bin: str
    words: int
    uas: float | None
    las: float | None


class GroupScores(TypedDict):
    """Of a group; those with "labelled" want the label right, too."""

    gold: int
    predicted: int
    precision: float | None
    recall: float | None
    labelled_precision: float | None
    labelled_recall: float | None


class ArcScores(GroupScores):
    """Of a bin of arc lengths."""

    bin: str


def by_group(counts: GroupCounts) -> dict[str, GroupScores]:
    """Precision and recall of each group; the same where a word is in it by both trees."""
    scores = {}
    for i, group in enumerate(GROUPS):
        gold, predicted = int(counts.gold_G[i]), int(counts.predicted_G[i])
        scores[group] = GroupScores(
            gold=gold,
            predicted=predicted,
            precision=share(counts.right_G[i], predicted),
            recall=share(counts.found_G[i], gold),
            labelled_precision=share(counts.right_labelled_G[i], predicted),
            labelled_recall=share(counts.found_labelled_G[i], gold),
        )
    return scores


def by_sentence_length(
    counts: SentenceCounts, *, bins: Sequence[int] = SENTENCE_BINS
) -> list[LengthScores]:
    """UAS and LAS by the length of the gold sentence.

    bins: the shortest sentence of each bin, ascending; the last bin is open.
    """
    rows: list[LengthScores] = []
    for start, end in ranges(bins):
        in_bin_S = (counts.lengths_S >= start) & (counts.lengths_S < end)
        words = int(counts.words_S[in_bin_S].sum())
        rows.append(
            LengthScores(
                bin=bin_name(start, end),
                words=words,
                uas=share(counts.heads_S[in_bin_S].sum(), words),
                las=share(counts.labelled_S[in_bin_S].sum(), words),
            )
        )
    return rows


def by_arc_length(counts: ArcCounts, *, bins: Sequence[int] = ARC_BINS) -> list[ArcScores]:
    """Precision and recall by the length of the arc.

    bins: the shortest arc of each bin, ascending; the last bin is open.
    """
    rows: list[ArcScores] = []
    for start, end in ranges(bins):
        gold, predicted, heads, labelled = (
            int(values_L[start : None if end == np.inf else int(end)].sum())
            for values_L in (counts.gold_L, counts.predicted_L, counts.heads_L, counts.labelled_L)
        )
        rows.append(
            ArcScores(
                bin=bin_name(start, end),
                gold=gold,
                predicted=predicted,
                precision=share(heads, predicted),
                recall=share(heads, gold),
                labelled_precision=share(labelled, predicted),
                labelled_recall=share(labelled, gold),
            )
        )
    return rows
