"""Counts that a benchmark's cell keeps, from which accuracy is told by sentence, by arc length, and for
some groups of words.

Words of unknown gold head are left out, as they are everywhere. A word is in a group by its gold tree,
and by the predicted one: for crossing arcs these differ. "After the first error" are, of each gold
sentence, the predicted arcs that come after the first wrong one in the order in which Covington's
systems and the arc-eager ones build arcs: by the later one of the two words, then the nearest first;
roots come last.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..evaluation.fingerprints import fingerprint
from ..evaluation.scores import Parses, arc_lengths, crossing_words, right_words, sentence_spans
from ..shapes import UNKNOWN_HEAD

Ints = NDArray[np.int64]

PROJECTIVE_ARCS, CROSSING_ARCS = "projective arcs", "crossing arcs"
# Those of a gold tree without and with crossing arcs
PROJECTIVE_SENTENCES, CROSSING_SENTENCES = "projective sentences", "non-projective sentences"
AFTER_ERROR = "after the first error"
GROUPS = (PROJECTIVE_ARCS, CROSSING_ARCS, PROJECTIVE_SENTENCES, CROSSING_SENTENCES, AFTER_ERROR)

C = TypeVar("C", bound="Counts")


@dataclass(frozen=True)
class Counts:
    """Arrays of numbers (`Ints`), and maybe what they are of, each as long as the others."""

    length: ClassVar[int | None] = None  # where it is always the same

    def to_json(self) -> dict[str, Any]:
        return {
            name: value.tolist() if isinstance(value, np.ndarray) else value
            for name, value in vars(self).items()
        }

    @classmethod
    def from_json(cls: type[C], values: dict[str, Any]) -> C:
        """Raises ValueError, TypeError or AttributeError if these are no counts."""
        arrays = {field.name for field in fields(cls) if field.type == Ints}
        counts = cls(
            **{
                name: np.array(value, dtype=np.int64) if name in arrays else value
                for name, value in values.items()
            }
        )
        shapes = {np.shape(value) for value in vars(counts).values() if not isinstance(value, str)}
        if len(shapes) > 1 or not all(len(shape) == 1 for shape in shapes):
            raise ValueError(values)
        if cls.length is not None and shapes != {(cls.length,)}:
            raise ValueError(values)
        return counts

    @classmethod
    def total(cls: type[C], counts: Sequence[C]) -> C:
        """The sums of counts that are nothing but arrays; zeros follow what is shorter than others."""
        longest = max(len(values) for one in counts for values in vars(one).values())

        def add(name: str) -> Ints:
            total = np.zeros(longest, dtype=np.int64)
            for one in counts:
                values = getattr(one, name)
                total[: len(values)] += values
            return total

        return cls(**{field.name: add(field.name) for field in fields(cls)})


@dataclass(frozen=True)
class SentenceCounts(Counts):
    """Words that are right, by gold sentence (S)."""

    sentences: str  # fingerprint of the gold trees: the same sentences have the same
    lengths_S: Ints
    words_S: Ints  # those of known head
    heads_S: Ints  # with the right head
    labelled_S: Ints  # with the right head and label


@dataclass(frozen=True)
class ArcCounts(Counts):
    """Arcs by length (L = longest + 1), from 0 for those to the root."""

    gold_L: Ints
    predicted_L: Ints  # over words of known head
    heads_L: Ints  # predicted and right; a right arc has the length of the gold one
    labelled_L: Ints  # those with the right label


@dataclass(frozen=True)
class GroupCounts(Counts):
    """Words of known head by group (G), in the order of GROUPS."""

    length: ClassVar[int | None] = len(GROUPS)
    gold_G: Ints  # in the group by the gold tree
    found_G: Ints  # those with the right head
    found_labelled_G: Ints
    predicted_G: Ints  # in the group by the predicted tree
    right_G: Ints  # those with the right head
    right_labelled_G: Ints


def count_sentences(gold: Parses, predicted: Parses) -> SentenceCounts:
    """The words of each gold sentence, wherever the predicted ones start."""
    spans = sentence_spans(gold.starts_N)
    starts_S = np.array([start for start, _ in spans], dtype=np.int64)
    known_N = gold.heads_N != UNKNOWN_HEAD
    heads_N, labelled_N = right_words(gold, predicted)

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
    heads_N, labelled_N = right_words(gold, predicted)
    gold_lengths_N, lengths_N = arc_lengths(gold), arc_lengths(predicted)
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
    heads_N, labelled_N = right_words(gold, predicted)
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
