"""Where a parser errs: accuracy by kinds of arcs, of words and of sentences.

An arc has a kind, such as its label or its length, in the gold tree and in the predicted one. Recall is
the share of the gold arcs of a kind that are found, precision that of the predicted ones that are right:
with the right head, or where it says "labelled" with the right head and label. F is their harmonic mean.
Words and sentences have their kinds from the gold tree.

Words of unknown gold head are left out, and those of unknown gold label (`_`) where labels count, as in
`scores.py`: all rows of a table together are the scores there. A share with nothing to count is None.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from ..shapes import UNKNOWN_HEAD, UNKNOWN_LABEL
from .confusions import find_confusions
from .evaluate import ParsedFile
from .names import (
    CONFUSIONS,
    CROSSING,
    CROSSING_SENTENCES,
    KINDS,
    LABEL,
    LENGTH,
    SENTENCE_LENGTH,
    UPOS,
)
from .scores import (
    ROOT_HEAD,
    Parses,
    arc_lengths,
    complete_match,
    crossing_words,
    f_score,
    right_words,
    sentence_spans,
    share,
)

Bools = NDArray[np.bool_]

# The lower ends of bins; the last one is open
SENTENCE_BINS = (1, 11, 21, 31, 41, 51)
ARC_BINS = (1, 2, 3, 7)


class ArcScores(TypedDict):
    """Of a kind of arcs. gold, predicted: their numbers. right: gold ones that are found."""

    kind: str
    gold: int
    predicted: int
    right: int
    precision: float | None
    recall: float | None
    f: float | None
    labelled_right: int
    labelled_precision: float | None
    labelled_recall: float | None
    labelled_f: float | None


class WordScores(TypedDict):
    """Of a kind of words."""

    kind: str
    words: int
    uas: float | None
    las: float | None


class SentenceScores(WordScores):
    """Of a kind of sentences; ucm, lcm: complete match."""

    sentences: int
    ucm: float | None
    lcm: float | None


@dataclass(frozen=True)
class Judged:
    """The words of two trees."""

    counted_N: Bools  # is the gold head known?
    has_label_N: Bools  # and the gold label?
    has_head_N: Bools  # in the predicted tree
    heads_N: Bools  # right head
    labelled_N: Bools  # right head and label


def break_down(parsed: ParsedFile, kinds: Sequence[str] = KINDS) -> dict[str, Any]:
    """The tables of these KINDS, each a list of rows, and the CONFUSIONS."""
    gold, predicted, tags = parsed.gold, parsed.predicted, parsed.tags
    tables = {
        LABEL: by_label(gold, predicted),
        UPOS: by_tag(gold, predicted, tags),
        LENGTH: by_arc_length(gold, predicted),
        CROSSING: by_crossing(gold, predicted),
        CROSSING_SENTENCES: by_crossing_sentences(gold, predicted),
        SENTENCE_LENGTH: by_sentence_length(gold, predicted),
    }
    chosen = [*kinds, *([CROSSING_SENTENCES] if CROSSING in kinds else [])]
    return {
        **{name: rows for name, rows in tables.items() if name in chosen},
        CONFUSIONS: find_confusions(gold, predicted, tags, parsed.gold_sentences),
    }


def by_label(gold: Parses, predicted: Parses) -> list[ArcScores]:
    """The most frequent gold label first. Words of unknown gold label are left out."""
    judged = _judge(gold, predicted)
    gold_N = np.where(judged.has_label_N, gold.labels_N, "")
    labels_N = np.where(judged.has_label_N & judged.has_head_N, predicted.labels_N, "")
    sizes = Counter(gold_N.tolist())
    labels = (sizes.keys() | set(labels_N.tolist())) - {""}
    return [
        _arc_scores(label, judged, gold_N == label, labels_N == label)
        for label in sorted(labels, key=lambda label: (-sizes[label], label))
    ]


def by_tag(gold: Parses, predicted: Parses, tags: Sequence[str]) -> list[WordScores]:
    """By the gold tag of the word, the most frequent one first.

    tags: (N,), "" where there is none.
    """
    judged = _judge(gold, predicted)
    tags_N = np.array(tags, dtype=str)
    sizes = Counter(tags_N[judged.counted_N].tolist())
    return [
        _word_scores(tag or "_", judged, tags_N == tag)
        for tag in sorted(sizes, key=lambda tag: (-sizes[tag], tag))
    ]


def by_arc_length(
    gold: Parses, predicted: Parses, *, bins: Sequence[int] = ARC_BINS
) -> list[ArcScores]:
    """By the distance of word and head; first the arcs to the root, which have no length.

    bins: the shortest arc of each bin, ascending; the last bin is open.
    """
    judged = _judge(gold, predicted)
    is_root = gold.heads_N == ROOT_HEAD, predicted.heads_N == ROOT_HEAD
    rows = [_arc_scores("root", judged, *is_root)]
    gold_N, lengths_N = arc_lengths(gold), arc_lengths(predicted)
    for start, end in ranges(bins):
        in_bin = ((values_N >= start) & (values_N < end) for values_N in (gold_N, lengths_N))
        rows.append(_arc_scores(bin_name(start, end), judged, *in_bin))
    return rows


def by_crossing(gold: Parses, predicted: Parses) -> list[ArcScores]:
    """Arcs that are projective, and those that are not."""
    judged = _judge(gold, predicted)
    gold_N, crossing_N = crossing_words(gold), crossing_words(predicted)
    return [
        _arc_scores("projective", judged, ~gold_N, ~crossing_N),
        _arc_scores("crossing", judged, gold_N, crossing_N),
    ]


def by_crossing_sentences(gold: Parses, predicted: Parses) -> list[SentenceScores]:
    """Sentences whose gold trees have crossing arcs, and those whose have none."""
    judged = _judge(gold, predicted)
    sentences_N = np.cumsum(gold.starts_N)
    crossing_N = np.isin(sentences_N, sentences_N[crossing_words(gold)])
    return [
        _sentence_scores("without crossing arcs", judged, gold, ~crossing_N),
        _sentence_scores("with crossing arcs", judged, gold, crossing_N),
    ]


def by_sentence_length(
    gold: Parses, predicted: Parses, *, bins: Sequence[int] = SENTENCE_BINS
) -> list[SentenceScores]:
    """By the number of words of the gold sentence.

    bins: the shortest sentence of each bin, ascending; the last bin is open.
    """
    judged = _judge(gold, predicted)
    sizes = [end - start for start, end in sentence_spans(gold.starts_N)]
    sizes_N = np.repeat(np.array(sizes, dtype=np.int64), sizes)
    return [
        _sentence_scores(bin_name(start, end), judged, gold, (sizes_N >= start) & (sizes_N < end))
        for start, end in ranges(bins)
    ]


def ranges(bins: Sequence[int]) -> list[tuple[int, float]]:
    """Of each bin its lower end and that of the next one, the last of which is infinite."""
    return list(zip(bins, [*bins[1:], np.inf], strict=True))


def bin_name(start: int, end: float) -> str:
    if end == np.inf:
        return f"{start}+"
    return str(start) if end == start + 1 else f"{start}-{int(end) - 1}"


def _judge(gold: Parses, predicted: Parses) -> Judged:
    counted_N = gold.heads_N != UNKNOWN_HEAD
    heads_N, labelled_N = right_words(gold, predicted)
    return Judged(
        counted_N=counted_N,
        has_label_N=counted_N & (gold.labels_N != UNKNOWN_LABEL),
        has_head_N=predicted.heads_N != UNKNOWN_HEAD,
        heads_N=heads_N,
        labelled_N=labelled_N,
    )


def _arc_scores(kind: str, judged: Judged, gold_N: Bools, predicted_N: Bools) -> ArcScores:
    """gold_N, predicted_N: is the word's arc of this kind in the gold tree, in the predicted one?"""
    predicted_N = predicted_N & judged.has_head_N

    def rate(counted_N: Bools, right_N: Bools) -> tuple[int, float | None, float | None, float | None]:
        found = int((counted_N & right_N & gold_N).sum())
        recall = share(found, (counted_N & gold_N).sum())
        precision = share((counted_N & right_N & predicted_N).sum(), (counted_N & predicted_N).sum())
        return found, precision, recall, f_score(precision, recall)

    right, precision, recall, f = rate(judged.counted_N, judged.heads_N)
    labelled = rate(judged.has_label_N, judged.labelled_N)
    return ArcScores(
        kind=kind,
        gold=int((judged.counted_N & gold_N).sum()),
        predicted=int((judged.counted_N & predicted_N).sum()),
        right=right,
        precision=precision,
        recall=recall,
        f=f,
        labelled_right=labelled[0],
        labelled_precision=labelled[1],
        labelled_recall=labelled[2],
        labelled_f=labelled[3],
    )


def _word_scores(kind: str, judged: Judged, words_N: Bools) -> WordScores:
    """words_N: is the word of this kind?"""
    counted_N, has_label_N = judged.counted_N & words_N, judged.has_label_N & words_N
    return WordScores(
        kind=kind,
        words=int(counted_N.sum()),
        uas=share((judged.heads_N & counted_N).sum(), counted_N.sum()),
        las=share((judged.labelled_N & has_label_N).sum(), has_label_N.sum()),
    )


def _sentence_scores(kind: str, judged: Judged, gold: Parses, words_N: Bools) -> SentenceScores:
    """words_N: is the word in a sentence of this kind?"""
    counted_N = judged.counted_N & words_N
    right_N = judged.labelled_N | (judged.heads_N & ~judged.has_label_N)
    return SentenceScores(
        **_word_scores(kind, judged, words_N),
        sentences=int((gold.starts_N & words_N).sum()),
        ucm=complete_match(gold, counted_N, judged.heads_N),
        lcm=complete_match(gold, counted_N, right_N),
    )
