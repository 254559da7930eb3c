"""Where a Doc says that its sentences start."""

from itertools import pairwise
from typing import Any

import numpy
from spacy.attrs import DEP, HEAD, SENT_START
from spacy.tokens import Doc

# In the user data of a Doc of a treebank, for each word: whether a sentence starts here whose root is
# unknown
UNROOTED = "spacy_nonmono.unrooted"


def token_starts(doc: Doc) -> Any:
    """Read where sentences start (n,) int32: 1 at a token where the Doc says so, -1 where it says that
    none starts, 0 where it is silent.

    In a copy of a Doc, in a DocBin and in another process spaCy derives the starts from the trees again,
    and finds none whose root has no label. In a Doc of a treebank such a sentence starts all the same,
    unless a labelled arc leads over its start: then the Doc has been parsed since.
    """
    starts = doc.to_array([SENT_START]).astype("int64").astype("i").reshape(-1)
    unrooted = numpy.array(doc.user_data.get(UNROOTED, ()), dtype=bool)
    if len(unrooted) and len(unrooted) == len(doc):
        offsets, deps = doc.to_array([HEAD, DEP]).reshape(-1, 2).T
        is_arc = (offsets != 0) & (deps != 0)
        heads = numpy.where(is_arc, offsets.astype("int64") + numpy.arange(len(doc)), -1)
        starts[unrooted & ~within_arcs(heads)] = 1
    return starts


def within_arcs(heads: numpy.ndarray) -> Any:
    """Find out which words (n,) bool stand within a known arc or at its right end, so that no sentence
    starts there. heads: below 0 where there is no arc."""
    (words,) = numpy.nonzero(heads >= 0)
    n_arcs = numpy.zeros((len(heads) + 1,), dtype="i")
    numpy.add.at(n_arcs, numpy.minimum(words, heads[words]) + 1, 1)
    numpy.add.at(n_arcs, numpy.maximum(words, heads[words]) + 1, -1)
    return numpy.cumsum(n_arcs)[:-1] > 0


def sentence_spans(doc: Doc) -> list[tuple[int, int]]:
    """Return the first token of each sentence, and the one behind it; all is one without boundaries."""
    (starts,) = numpy.nonzero(token_starts(doc) == 1)
    return list(pairwise([*sorted({0, *starts.tolist()}), len(doc)]))
