"""Counts that a benchmark's cell keeps: of right words by sentence, by the length of the arc, by part of
speech, and for some groups of words. `breakdowns` tells accuracy from them.

A word is of a kind by its gold tree, and by the predicted one: the lengths of its two arcs may differ.
Words of unknown gold head are left out, as they are everywhere.

The length of an arc is the distance of its two words; that of an arc to the root is 0. "After the first
error" are, of each gold sentence, the predicted arcs that come after the first wrong one in the order in
which Covington's systems and the arc-eager ones build arcs: by the later one of the two words, then the
nearest first; roots come last. Parts of speech are counted without punctuation, over arcs of all lengths
and over far ones, as in Zhu, Qiu & Huang (2015, figure 6).
"""

from collections.abc import Mapping, Sequence
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from ..evaluation.fingerprints import fingerprint
from ..evaluation.scores import (
    Parses,
    arc_offsets,
    crossing_words,
    right_words,
    sentence_spans,
)
from ..shapes import UNKNOWN_HEAD

Bools = NDArray[np.bool_]
# By the name of a kind six numbers: of the words that are of it by the gold tree, all, those with the
# right head, and those with the right head and label; then the same of the words that are of it by the
# predicted tree
KindCounts = dict[str, list[int]]

FAR = 6  # The words of an arc that is far are so far apart, or farther

PROJECTIVE_ARCS, CROSSING_ARCS = "projective arcs", "crossing arcs"
# Those of a gold tree without and with crossing arcs
PROJECTIVE_SENTENCES, CROSSING_SENTENCES = "projective sentences", "non-projective sentences"
AFTER_ERROR = "after the first error"


class SentenceCounts(TypedDict):
    """How many words of each gold sentence (S) are right."""

    sentences: str  # fingerprint of the gold trees: the same sentences have the same
    lengths_S: list[int]
    words_S: list[int]  # those of known head
    heads_S: list[int]  # with the right head
    labelled_S: list[int]  # with the right head and label


def count_sentences(gold: Parses, predicted: Parses) -> SentenceCounts:
    """Count the right words of each gold sentence, whatever the predicted sentences are."""
    spans = sentence_spans(gold.starts_N)
    heads_N, labelled_N = right_words(gold, predicted)

    def count(words_N: Bools) -> list[int]:
        return [int(words_N[start:end].sum()) for start, end in spans]

    trees = [gold.heads_N.tolist(), gold.labels_N.tolist(), gold.starts_N.tolist()]
    return SentenceCounts(
        sentences=fingerprint(trees),
        lengths_S=[end - start for start, end in spans],
        words_S=count(gold.heads_N != UNKNOWN_HEAD),
        heads_S=count(heads_N),
        labelled_S=count(labelled_N),
    )


def count_arcs(gold: Parses, predicted: Parses) -> KindCounts:
    """Count the arcs of each length, gold or predicted, that occurs."""
    gold_N, predicted_N = np.abs(arc_offsets(gold)), np.abs(arc_offsets(predicted))
    has_head_N = predicted.heads_N != UNKNOWN_HEAD
    lengths = np.union1d(gold_N, predicted_N).tolist()
    members = {str(n): (gold_N == n, has_head_N & (predicted_N == n)) for n in lengths}
    return _count(gold, predicted, members)


def count_groups(gold: Parses, predicted: Parses) -> KindCounts:
    """Count words by whether their arc crosses another one, whether their sentence has such an arc, and
    whether they come after the first error."""
    gold_N, predicted_N = crossing_words(gold), crossing_words(predicted)
    sentences_N = np.cumsum(gold.starts_N)
    hard_N = np.isin(sentences_N, sentences_N[gold_N])
    after_N = after_first_error(gold, predicted)
    members = {
        PROJECTIVE_ARCS: (~gold_N, ~predicted_N),
        CROSSING_ARCS: (gold_N, predicted_N),
        PROJECTIVE_SENTENCES: (~hard_N, ~hard_N),
        CROSSING_SENTENCES: (hard_N, hard_N),
        AFTER_ERROR: (after_N, after_N),
    }
    return _count(gold, predicted, members)


def count_tags(
    gold: Parses, predicted: Parses, tags: Sequence[str], *, far: bool = False
) -> KindCounts:
    """Count words without punctuation by their gold tags (N). The most frequent tag comes first.

    far: count only words whose gold arc is far.
    """
    tags_N = np.array(tags, dtype=str)
    kept_N = (gold.heads_N != UNKNOWN_HEAD) & ~gold.punct_N
    found = sorted(set(tags_N[kept_N].tolist()), key=lambda tag: (-(tags_N[kept_N] == tag).sum(), tag))
    counted_N = kept_N & (np.abs(arc_offsets(gold)) >= FAR) if far else kept_N
    return _count(gold, predicted, {tag: (counted_N & (tags_N == tag),) * 2 for tag in found})


def _count(
    gold: Parses, predicted: Parses, members: Mapping[str, tuple[Bools, Bools]]
) -> KindCounts:
    """Count the words of each kind.

    members: by kind the words that are of it by the gold tree, and by the predicted tree.
    """
    counted = (gold.heads_N != UNKNOWN_HEAD, *right_words(gold, predicted))
    return {
        kind: [int((of_kind_N & words_N).sum()) for of_kind_N in sides for words_N in counted]
        for kind, sides in members.items()
    }


def after_first_error(gold: Parses, predicted: Parses) -> Bools:
    """Tell for each word (N) whether its arc comes after the first wrong arc of its gold sentence."""
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
