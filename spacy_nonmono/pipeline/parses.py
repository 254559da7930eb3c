"""What the parser finds: trees, and the derivations that led to them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy

from ..decoding.batch import Batch


class Parse(NamedTuple):
    """The parse of the words of a doc: relative heads (n,), label ids (n,) with -1 for roots, and which
    words start a sentence (n,). Arcs that training lifted are still lifted. scores: how likely each arc
    is (n,), None if they were not asked for."""

    heads: numpy.ndarray
    labels: numpy.ndarray
    starts: numpy.ndarray
    scores: numpy.ndarray | None = None


class Move(NamedTuple):
    """A move of a derivation, as `TransitionSystem.apply` takes it; "" where there is no label.

    score: the probability of the choice; 1 where there was none.
    """

    move: str
    focus: int
    label: str
    score: float


class Derivation(NamedTuple):
    """The moves that parsed one sentence, `start` being the index of its first word in the doc."""

    start: int
    n_words: int
    moves: list[Move]


def parses_of(
    batch: Batch,
    dep_scores: numpy.ndarray | None,
    starts: Sequence[numpy.ndarray],
    lengths: numpy.ndarray,
) -> list[Parse]:
    """Divide a batch that has been decoded into the parses of its docs.

    dep_scores: (N,) of the arcs of all words, None if they were not asked for. starts: (n,) bool per
    doc. lengths: (n_sentences,).
    """
    own = numpy.arange(len(batch.heads))
    offsets = numpy.repeat(numpy.cumsum(lengths) - lengths, lengths)
    relative = numpy.where(batch.heads >= 0, batch.heads + offsets - own, 0)
    ends = numpy.cumsum([len(doc_starts) for doc_starts in starts])[:-1]
    heads, labels = numpy.split(relative, ends), numpy.split(batch.labels, ends)
    scores = [None] * len(starts) if dep_scores is None else numpy.split(dep_scores, ends)
    return [Parse(*row) for row in zip(heads, labels, starts, scores, strict=True)]


def read_derivations(
    batch: Batch, lengths: numpy.ndarray, moves: Sequence[str], labels: Sequence[str]
) -> list[Derivation]:
    """Decode a batch of the sentences of one doc, and name the moves that were made."""
    labels = (*labels, "")  # the last entry serves the id -1
    starts = numpy.cumsum(lengths) - lengths
    found = []
    for start, n_words, made in zip(starts, lengths, batch.derivations(), strict=True):
        named = [
            Move(moves[move], focus, labels[label], score)
            for move, focus, label, score in made
        ]
        found.append(Derivation(int(start), int(n_words), named))
    return found
