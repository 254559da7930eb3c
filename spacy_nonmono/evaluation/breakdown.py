"""Where a parser errs: accuracy by kinds of arcs, of words and of sentences.

An arc has a kind, such as its label or its length, in the gold tree and in the predicted one. Recall is
the share of the gold arcs of a kind that are found, precision that of the predicted ones that are right:
with the right head, or where it says "labelled" with the right head and label. F is their harmonic mean.
Words and sentences have their kinds from the gold tree.

- A row of arcs has their numbers, `gold` and `predicted`; `right`, of the gold ones that are found;
  `precision`, `recall` and `f`; and the latter four as `labelled_right` and so on.
- A row of words has the number of `words`, `uas` and `las`.
- A row of sentences has that, the number of `sentences`, and `ucm` and `lcm`, complete match.

Words of unknown gold head are left out, and those of unknown gold label (`_`) where labels count, as in
`scores.py`: all rows of a table together are the scores there. A share with nothing to count is None.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..shapes import UNKNOWN_HEAD, UNKNOWN_LABEL
from .confusions import Row, find_confusions
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
    share,
)

Bools = NDArray[np.bool_]

# The lower ends of bins; the last one is open
SENTENCE_BINS = (1, 11, 21, 31, 41, 51)
ARC_BINS = (1, 2, 3, 7)
ARCS = ("projective", "crossing")
SENTENCES = ("without crossing arcs", "with crossing arcs")


def break_down(parsed: ParsedFile, kinds: Sequence[str] = KINDS) -> dict[str, Any]:
    """The tables of these KINDS, each a list of rows, and the CONFUSIONS."""
    gold, predicted, tags = parsed.gold, parsed.predicted, parsed.tags
    words = _Words(gold, predicted)
    crossing_N, sentences_N = crossing_words(gold), np.cumsum(gold.starts_N)
    sizes_N = np.bincount(sentences_N)[sentences_N]
    tags_N = np.array([tag or "_" for tag in tags], dtype=str)
    labels_N = np.where(words.has_label_N, gold.labels_N, "")
    guesses_N = np.where(words.has_label_N & words.has_head_N, predicted.labels_N, "")
    both_crossing = (np.where(crossing_words(side), *ARCS[::-1]) for side in (gold, predicted))
    hard_N = np.isin(sentences_N, sentences_N[crossing_N])
    tables = {
        LABEL: words.arcs(commonest(labels_N, guesses_N), labels_N, guesses_N),
        UPOS: words.words(commonest(tags_N[words.counted_N]), tags_N),
        LENGTH: words.arcs(["root", *bin_names(ARC_BINS)], _lengths(gold), _lengths(predicted)),
        CROSSING: words.arcs(ARCS, *both_crossing),
        CROSSING_SENTENCES: words.sentences(SENTENCES, np.where(hard_N, *SENTENCES[::-1])),
        SENTENCE_LENGTH: words.sentences(bin_names(SENTENCE_BINS), _binned(sizes_N, SENTENCE_BINS)),
    }
    chosen = [*kinds, *([CROSSING_SENTENCES] if CROSSING in kinds else [])]
    return {
        **{name: rows for name, rows in tables.items() if name in chosen},
        CONFUSIONS: find_confusions(gold, predicted, tags, parsed.gold_sentences),
    }


def commonest(*kinds: NDArray[np.str_]) -> list[str]:
    """The kinds that there are but "", those first that are the most frequent in the first array."""
    sizes = Counter(kinds[0].tolist())
    found = set().union(*(one.tolist() for one in kinds)) - {""}
    return sorted(found, key=lambda kind: (-sizes[kind], kind))


def ranges(bins: Sequence[int]) -> list[tuple[int, float]]:
    """Of each bin its lower end and that of the next one, the last of which is infinite."""
    return list(zip(bins, [*bins[1:], np.inf], strict=True))


def bin_name(start: int, end: float) -> str:
    if end == np.inf:
        return f"{start}+"
    return str(start) if end == start + 1 else f"{start}-{int(end) - 1}"


def bin_names(bins: Sequence[int]) -> list[str]:
    return [bin_name(start, end) for start, end in ranges(bins)]


def _binned(values_N: NDArray[np.int64], bins: Sequence[int]) -> NDArray[np.str_]:
    """The names of the bins that values are in; "" for what is below all."""
    return np.array(["", *bin_names(bins)])[np.digitize(values_N, bins)]


def _lengths(parses: Parses) -> NDArray[np.str_]:
    """The arcs to the root have none."""
    return np.where(parses.heads_N == ROOT_HEAD, "root", _binned(arc_lengths(parses), ARC_BINS))


class _Words:
    """The words of two trees, and rows for each of some `kinds` of them. kinds_N: those of the words."""

    def __init__(self, gold: Parses, predicted: Parses) -> None:
        self.gold = gold
        self.counted_N = gold.heads_N != UNKNOWN_HEAD
        self.has_label_N = self.counted_N & (gold.labels_N != UNKNOWN_LABEL)
        self.has_head_N = predicted.heads_N != UNKNOWN_HEAD
        self.right_N, self.labelled_N = right_words(gold, predicted)

    def arcs(
        self, kinds: Sequence[str], gold_N: NDArray[np.str_], predicted_N: NDArray[np.str_]
    ) -> list[Row]:
        return [self._arcs(kind, gold_N == kind, predicted_N == kind) for kind in kinds]

    def words(self, kinds: Sequence[str], kinds_N: NDArray[np.str_]) -> list[Row]:
        return [self._words(kind, kinds_N == kind) for kind in kinds]

    def sentences(self, kinds: Sequence[str], kinds_N: NDArray[np.str_]) -> list[Row]:
        right_N = self.labelled_N | (self.right_N & ~self.has_label_N)
        rows = self.words(kinds, kinds_N)
        for row in rows:
            words_N = kinds_N == row["kind"]
            row["sentences"] = int((self.gold.starts_N & words_N).sum())
            row["ucm"] = complete_match(self.gold, self.counted_N & words_N, self.right_N)
            row["lcm"] = complete_match(self.gold, self.counted_N & words_N, right_N)
        return rows

    def _words(self, kind: str, words_N: Bools) -> Row:
        counted_N, has_label_N = self.counted_N & words_N, self.has_label_N & words_N
        return {
            "kind": kind,
            "words": int(counted_N.sum()),
            "uas": share((self.right_N & counted_N).sum(), counted_N.sum()),
            "las": share((self.labelled_N & has_label_N).sum(), has_label_N.sum()),
        }

    def _arcs(self, kind: str, gold_N: Bools, predicted_N: Bools) -> Row:
        """gold_N, predicted_N: is the word's arc of this kind in the gold tree, in the predicted one?"""
        predicted_N = predicted_N & self.has_head_N
        n_gold, n_predicted = (int((self.counted_N & of_N).sum()) for of_N in (gold_N, predicted_N))
        row: Row = {"kind": kind, "gold": n_gold, "predicted": n_predicted}
        sides = (("", self.counted_N, self.right_N), ("labelled_", self.has_label_N, self.labelled_N))
        for prefix, counted_N, right_N in sides:
            right_N = counted_N & right_N
            found = int((right_N & gold_N).sum())
            recall = share(found, (counted_N & gold_N).sum())
            precision = share((right_N & predicted_N).sum(), (counted_N & predicted_N).sum())
            values = (found, precision, recall, f_score(precision, recall))
            names = ("right", "precision", "recall", "f")
            row |= {prefix + name: value for name, value in zip(names, values, strict=True)}
        return row
