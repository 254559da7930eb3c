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
from .scores import ROOT_HEAD, Parses, arc_offsets, complete_match, f_score, share
from .words import WordTable

# The lower ends of bins; the last one is open
SENTENCE_BINS = (1, 11, 21, 31, 41, 51)
ARC_BINS = (1, 2, 3, 7)
ARCS = ("projective", "crossing")
SENTENCES = ("without crossing arcs", "with crossing arcs")


def break_down(parsed: ParsedFile, kinds: Sequence[str] = KINDS) -> dict[str, Any]:
    """Make the tables of some KINDS, each of which is a list of rows, and find the CONFUSIONS."""
    words = WordTable(parsed)
    gold, predicted, tags_N = words.gold, words.predicted, words.tags_N
    sizes_N = np.bincount(words.sentences_N)[words.sentences_N]
    labels_N = np.where(words.has_label_N, gold.labels_N, "")
    guesses_N = np.where(words.has_label_N & words.has_head_N, predicted.labels_N, "")
    crossing_N, guessed_crossing_N = (
        np.where(side_N, *ARCS[::-1]) for side_N in (words.crossing_N, words.predicted_crossing_N)
    )
    hard_N = np.isin(words.sentences_N, words.sentences_N[words.crossing_N])
    lengths = ["root", *bin_names(ARC_BINS)]
    tables = {
        LABEL: _arcs(words, commonest(labels_N, guesses_N), labels_N, guesses_N),
        UPOS: _words(words, commonest(tags_N[words.counted_N]), tags_N),
        LENGTH: _arcs(words, lengths, _lengths(gold), _lengths(predicted)),
        CROSSING: _arcs(words, ARCS, crossing_N, guessed_crossing_N),
        CROSSING_SENTENCES: _sentences(words, SENTENCES, np.where(hard_N, *SENTENCES[::-1])),
        SENTENCE_LENGTH: _sentences(
            words, bin_names(SENTENCE_BINS), _binned(sizes_N, SENTENCE_BINS)
        ),
    }
    chosen = [*kinds, *([CROSSING_SENTENCES] if CROSSING in kinds else [])]
    return {
        **{name: rows for name, rows in tables.items() if name in chosen},
        CONFUSIONS: find_confusions(words),
    }


def commonest(*kinds: NDArray[np.str_]) -> list[str]:
    """List each kind of some arrays, but not "". Those that are frequent in the first array come
    first.
    """
    sizes = Counter(kinds[0].tolist())
    found = set().union(*(one.tolist() for one in kinds)) - {""}
    return sorted(found, key=lambda kind: (-sizes[kind], kind))


def ranges(bins: Sequence[int]) -> list[tuple[int, float]]:
    """Return the ends of bins: the lower end of each bin, and that of the next one. After the last
    bin it is infinite.
    """
    return list(zip(bins, [*bins[1:], np.inf], strict=True))


def bin_name(start: int, end: float) -> str:
    """Name a bin of whole numbers from `start` to below `end`: "3-6", "2", or "7+" without an end."""
    if end == np.inf:
        return f"{start}+"
    return str(start) if end == start + 1 else f"{start}-{int(end) - 1}"


def bin_names(bins: Sequence[int]) -> list[str]:
    """Name bins by their lower ends, of which the last bin has no upper one."""
    return [bin_name(start, end) for start, end in ranges(bins)]


def _binned(values_N: NDArray[np.int64], bins: Sequence[int]) -> NDArray[np.str_]:
    """Return the name of the bin of each value, or "" for a value below all bins."""
    return np.array(["", *bin_names(bins)])[np.digitize(values_N, bins)]


def _lengths(parses: Parses) -> NDArray[np.str_]:
    """Return the name of the bin that each arc is in by its length, or "root" for an arc to the root."""
    return np.where(parses.heads_N == ROOT_HEAD, "root", _binned(np.abs(arc_offsets(parses)), ARC_BINS))


def _words(words: WordTable, kinds: Sequence[str], kinds_N: NDArray[np.str_]) -> list[Row]:
    """Return a row of words for each kind. kinds_N: those of the words."""
    rows = []
    for kind in kinds:
        counted_N, has_label_N = (
            side_N & (kinds_N == kind) for side_N in (words.counted_N, words.has_label_N)
        )
        rows.append(
            {
                "kind": kind,
                "words": int(counted_N.sum()),
                "uas": share((words.right_N & counted_N).sum(), counted_N.sum()),
                "las": share((words.labelled_N & has_label_N).sum(), has_label_N.sum()),
            }
        )
    return rows


def _sentences(words: WordTable, kinds: Sequence[str], kinds_N: NDArray[np.str_]) -> list[Row]:
    """Return a row of sentences for each kind. kinds_N: those of the sentences of the words."""
    right_N = words.labelled_N | (words.right_N & ~words.has_label_N)
    rows = _words(words, kinds, kinds_N)
    for row in rows:
        words_N = kinds_N == row["kind"]
        row["sentences"] = int((words.gold.starts_N & words_N).sum())
        row["ucm"] = complete_match(words.gold, words.counted_N & words_N, words.right_N)
        row["lcm"] = complete_match(words.gold, words.counted_N & words_N, right_N)
    return rows


def _arcs(
    words: WordTable, kinds: Sequence[str], gold_N: NDArray[np.str_], predicted_N: NDArray[np.str_]
) -> list[Row]:
    """Return a row of arcs for each kind. gold_N, predicted_N: those of the arcs in both trees."""
    sides = (
        ("", words.counted_N, words.right_N),
        ("labelled_", words.has_label_N, words.labelled_N),
    )
    rows = []
    for kind in kinds:
        of_gold_N = gold_N == kind
        of_predicted_N = (predicted_N == kind) & words.has_head_N
        n_gold, n_predicted = (
            int((words.counted_N & of_N).sum()) for of_N in (of_gold_N, of_predicted_N)
        )
        row: Row = {"kind": kind, "gold": n_gold, "predicted": n_predicted}
        for prefix, counted_N, right_N in sides:
            right_N = counted_N & right_N
            found = int((right_N & of_gold_N).sum())
            recall = share(found, (counted_N & of_gold_N).sum())
            precision = share((right_N & of_predicted_N).sum(), (counted_N & of_predicted_N).sum())
            values = (found, precision, recall, f_score(precision, recall))
            names = ("right", "precision", "recall", "f")
            row |= {prefix + name: value for name, value in zip(names, values, strict=True)}
        rows.append(row)
    return rows
