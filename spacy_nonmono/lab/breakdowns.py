"""Counts from which accuracy is told by sentence, by sentence length, by arc length, and for some groups
of words.

Counts add up, so runs with several seeds are pooled by summing them. Words of unknown gold head are
left out, as they are everywhere.

The length of an arc is the distance of its two words. Arcs of a length are found or not (recall, of the
gold arcs of that length) and right or wrong (precision, of the predicted ones), as in McDonald & Nivre
(2007). The arc to the root has no length; it is kept at 0, in no bin.

A word is in a group by its gold tree, and by the predicted one: for crossing arcs these differ. "After
the first error" are, of each gold sentence, the predicted arcs that come after the first wrong one in
the order in which Covington's systems and the arc-eager ones build arcs: by the later one of the two
words, then the nearest first; roots come last.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from ..evaluation.fingerprints import fingerprint
from ..evaluation.scores import Parses, crossing_words, sentence_spans
from ..shapes import UNKNOWN_HEAD

Ints = NDArray[np.int64]

# The lower ends of bins; the last one is open
SENTENCE_BINS = (1, 11, 21, 31, 41, 51)
ARC_BINS = (1, 2, 3, 7)
FINE_ARC_BINS = (1, 2, 3, 4, 5, 6, 7, 9, 11, 16, 21)

PROJECTIVE_ARCS, CROSSING_ARCS = "projective arcs", "crossing arcs"
# Those of a gold tree without and with crossing arcs
PROJECTIVE_SENTENCES, CROSSING_SENTENCES = "projective sentences", "non-projective sentences"
AFTER_ERROR = "after the first error"
GROUPS = (PROJECTIVE_ARCS, CROSSING_ARCS, PROJECTIVE_SENTENCES, CROSSING_SENTENCES, AFTER_ERROR)


@dataclass(frozen=True)
class SentenceCounts:
    """Words that are right, by gold sentence (S)."""

    sentences: str  # fingerprint of the gold trees: the same sentences have the same
    lengths_S: Ints
    words_S: Ints  # those of known head
    heads_S: Ints  # with the right head
    labelled_S: Ints  # with the right head and label

    def to_json(self) -> dict[str, Any]:
        return _to_json(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "SentenceCounts":
        """Raises ValueError, TypeError or AttributeError if these are no counts."""
        counts = cls(**_from_json(values))
        _check_lengths(counts.lengths_S, counts.words_S, counts.heads_S, counts.labelled_S)
        return counts


@dataclass(frozen=True)
class ArcCounts:
    """Arcs by length (L = longest + 1), from 0 for those to the root."""

    gold_L: Ints
    predicted_L: Ints  # over words of known head
    heads_L: Ints  # predicted and right; a right arc has the length of the gold one
    labelled_L: Ints  # those with the right label

    def to_json(self) -> dict[str, Any]:
        return _to_json(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "ArcCounts":
        """Raises ValueError, TypeError or AttributeError if these are no counts."""
        counts = cls(**_from_json(values))
        _check_lengths(counts.gold_L, counts.predicted_L, counts.heads_L, counts.labelled_L)
        return counts


@dataclass(frozen=True)
class GroupCounts:
    """Words of known head by group (G), in the order of GROUPS."""

    gold_G: Ints  # in the group by the gold tree
    found_G: Ints  # those with the right head
    found_labelled_G: Ints
    predicted_G: Ints  # in the group by the predicted tree
    right_G: Ints  # those with the right head
    right_labelled_G: Ints

    def to_json(self) -> dict[str, Any]:
        return _to_json(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "GroupCounts":
        """Raises ValueError, TypeError or AttributeError if these are no counts."""
        counts = cls(**_from_json(values))
        _check_lengths(np.zeros(len(GROUPS), dtype=np.int64), *vars(counts).values())
        return counts


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


def count_sentences(gold: Parses, predicted: Parses) -> SentenceCounts:
    """The words of each gold sentence, wherever the predicted ones start."""
    spans = sentence_spans(gold.starts_N)
    starts_S = np.array([start for start, _ in spans], dtype=np.int64)
    known_N = gold.heads_N != UNKNOWN_HEAD
    heads_N, labelled_N = _right(gold, predicted)

    def count(words_N: NDArray[np.bool_]) -> Ints:
        if len(starts_S) == 0:
            return np.zeros(0, dtype=np.int64)
        return np.add.reduceat(words_N.astype(np.int64), starts_S)

    trees = [gold.heads_N.tolist(), gold.labels_N.tolist(), gold.starts_N.tolist()]
    return SentenceCounts(
        sentences=fingerprint(trees),
        lengths_S=np.array([end - start for start, end in spans], dtype=np.int64),
        words_S=count(known_N),
        heads_S=count(heads_N),
        labelled_S=count(labelled_N),
    )


def count_arcs(gold: Parses, predicted: Parses) -> ArcCounts:
    known_N = gold.heads_N != UNKNOWN_HEAD
    heads_N, labelled_N = _right(gold, predicted)
    gold_lengths_N, lengths_N = _arc_lengths(gold), _arc_lengths(predicted)
    n_lengths = int(max(gold_lengths_N.max(initial=0), lengths_N.max(initial=0))) + 1

    def count(lengths_n: Ints) -> Ints:
        return np.bincount(lengths_n, minlength=n_lengths)

    has_head_N = predicted.heads_N != UNKNOWN_HEAD
    return ArcCounts(
        gold_L=count(gold_lengths_N[known_N]),
        predicted_L=count(lengths_N[known_N & has_head_N]),
        heads_L=count(gold_lengths_N[heads_N]),
        labelled_L=count(gold_lengths_N[labelled_N]),
    )


def count_groups(gold: Parses, predicted: Parses) -> GroupCounts:
    known_N = gold.heads_N != UNKNOWN_HEAD
    heads_N, labelled_N = _right(gold, predicted)
    gold_crossing_N, crossing_N = crossing_words(gold), crossing_words(predicted)
    sentences_N = np.cumsum(gold.starts_N)
    hard_N = np.isin(sentences_N, sentences_N[gold_crossing_N])
    after_N = after_first_error(gold, predicted)
    members = {
        PROJECTIVE_ARCS: (~gold_crossing_N, ~crossing_N),
        CROSSING_ARCS: (gold_crossing_N, crossing_N),
        PROJECTIVE_SENTENCES: (~hard_N, ~hard_N),
        CROSSING_SENTENCES: (hard_N, hard_N),
        AFTER_ERROR: (after_N, after_N),
    }

    def count(words_N: NDArray[np.bool_], side: int) -> Ints:
        return np.array([(members[group][side] & words_N).sum() for group in GROUPS])

    return GroupCounts(
        gold_G=count(known_N, 0),
        found_G=count(heads_N, 0),
        found_labelled_G=count(labelled_N, 0),
        predicted_G=count(known_N, 1),
        right_G=count(heads_N, 1),
        right_labelled_G=count(labelled_N, 1),
    )


def after_first_error(gold: Parses, predicted: Parses) -> NDArray[np.bool_]:
    """Does the arc of the word (N) come after the first wrong one of its gold sentence?"""
    heads_N, words_N = predicted.heads_N, np.arange(len(predicted.heads_N))
    has_head_N = heads_N >= 0
    later_N = np.where(has_head_N, np.maximum(heads_N, words_N), len(words_N))
    earlier_N = np.where(has_head_N, np.minimum(heads_N, words_N), len(words_N))
    sentences_N = np.cumsum(gold.starts_N) - 1
    order_N = np.lexsort((-earlier_N, later_N, sentences_N))
    wrong_N = (gold.heads_N != UNKNOWN_HEAD) & (gold.heads_N != heads_N)
    # Errors before each place, and before its sentence
    before_N = np.cumsum(wrong_N[order_N]) - wrong_N[order_N]
    before_S = before_N[gold.starts_N]
    after_N = np.zeros(len(words_N), dtype=bool)
    after_N[order_N] = before_N > before_S[sentences_N]
    return after_N


def add_groups(counts: Sequence[GroupCounts]) -> GroupCounts:
    """The sums."""
    names = vars(counts[0])
    return GroupCounts(**{name: np.sum([getattr(c, name) for c in counts], axis=0) for name in names})


def by_group(counts: GroupCounts) -> dict[str, GroupScores]:
    """Precision and recall of each group; the same where a word is in it by both trees."""
    scores = {}
    for i, group in enumerate(GROUPS):
        gold, predicted = int(counts.gold_G[i]), int(counts.predicted_G[i])
        scores[group] = GroupScores(
            gold=gold,
            predicted=predicted,
            precision=_share(counts.right_G[i], predicted),
            recall=_share(counts.found_G[i], gold),
            labelled_precision=_share(counts.right_labelled_G[i], predicted),
            labelled_recall=_share(counts.found_labelled_G[i], gold),
        )
    return scores


def add_arcs(counts: Sequence[ArcCounts]) -> ArcCounts:
    """The sums, at every length."""
    n_lengths = max(len(one.gold_L) for one in counts)

    def add(name: str) -> Ints:
        total_L = np.zeros(n_lengths, dtype=np.int64)
        for one in counts:
            values_l = getattr(one, name)
            total_L[: len(values_l)] += values_l
        return total_L

    names = ("gold_L", "predicted_L", "heads_L", "labelled_L")
    return ArcCounts(**{name: add(name) for name in names})


def by_sentence_length(
    counts: SentenceCounts, *, bins: Sequence[int] = SENTENCE_BINS
) -> list[LengthScores]:
    """UAS and LAS by the length of the gold sentence.

    bins: the shortest sentence of each bin, ascending; the last bin is open.
    """
    rows: list[LengthScores] = []
    for start, end in _ranges(bins):
        in_bin_S = (counts.lengths_S >= start) & (counts.lengths_S < end)
        words = int(counts.words_S[in_bin_S].sum())
        rows.append(
            LengthScores(
                bin=_bin_name(start, end),
                words=words,
                uas=_share(counts.heads_S[in_bin_S].sum(), words),
                las=_share(counts.labelled_S[in_bin_S].sum(), words),
            )
        )
    return rows


def by_arc_length(counts: ArcCounts, *, bins: Sequence[int] = ARC_BINS) -> list[ArcScores]:
    """Precision and recall by the length of the arc.

    bins: the shortest arc of each bin, ascending; the last bin is open.
    """
    rows: list[ArcScores] = []
    for start, end in _ranges(bins):
        gold, predicted, heads, labelled = (
            int(values_L[start : None if end == np.inf else int(end)].sum())
            for values_L in (counts.gold_L, counts.predicted_L, counts.heads_L, counts.labelled_L)
        )
        rows.append(
            ArcScores(
                bin=_bin_name(start, end),
                gold=gold,
                predicted=predicted,
                precision=_share(heads, predicted),
                recall=_share(heads, gold),
                labelled_precision=_share(labelled, predicted),
                labelled_recall=_share(labelled, gold),
            )
        )
    return rows


def _right(gold: Parses, predicted: Parses) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Has the word the right head; the right head and label?"""
    heads_N = (gold.heads_N != UNKNOWN_HEAD) & (gold.heads_N == predicted.heads_N)
    return heads_N, heads_N & (gold.labels_N == predicted.labels_N)


def _arc_lengths(parses: Parses) -> Ints:
    """0 for the root, and where the head is unknown."""
    heads_N = parses.heads_N
    return np.where(heads_N >= 0, np.abs(heads_N - np.arange(len(heads_N))), 0)


def _ranges(bins: Sequence[int]) -> list[tuple[int, float]]:
    return list(zip(bins, [*bins[1:], np.inf], strict=True))


def _bin_name(start: int, end: float) -> str:
    if end == np.inf:
        return f"{start}+"
    return str(start) if end == start + 1 else f"{start}-{int(end) - 1}"


def _share(part: float, whole: float) -> float | None:
    return float(part / whole) if whole else None


def _to_json(counts: Any) -> dict[str, Any]:
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in vars(counts).items()
    }


def _from_json(values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: np.array(value, dtype=np.int64) if isinstance(value, list) else value
        for name, value in values.items()
    }


def _check_lengths(*counts: Ints) -> None:
    if len({values.shape for values in counts}) > 1 or counts[0].ndim != 1:
        raise ValueError([values.shape for values in counts])
