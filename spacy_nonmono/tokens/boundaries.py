"""Where a Doc says that its sentences start."""

from itertools import pairwise
from typing import Any

import numpy
from spacy.attrs import DEP, SENT_START
from spacy.tokens import Doc

# In the user data of a Doc of a treebank, for each word: the top word of the sentence that starts here
# if no root of that is known, else -1
UNROOTED = "spacy_nonmono.unrooted"


def token_starts(doc: Doc) -> Any:
    """Read where sentences start (n,) int32: 1 at a token where the Doc says so, -1 where it says that
    none starts, 0 where it is silent.

    In a copy of a Doc, in a DocBin and in another process spaCy derives the starts from the trees again,
    and finds none whose root has no label. In a Doc of a treebank such a sentence starts all the same,
    as long as nothing else is known of that word.
    """
    starts = doc.to_array([SENT_START]).astype("int64").astype("i").reshape(-1)
    tops = numpy.array(doc.user_data.get(UNROOTED, ()), dtype="int64")
    if len(tops) and len(tops) == len(doc):
        (firsts,) = numpy.nonzero(tops >= 0)
        starts[firsts[doc.to_array([DEP])[tops[firsts]] == 0]] = 1
    return starts


def sentence_spans(doc: Doc) -> list[tuple[int, int]]:
    """Return the first token of each sentence, and the one behind it; all is one without boundaries."""
    (starts,) = numpy.nonzero(token_starts(doc) == 1)
    return list(pairwise([*sorted({0, *starts.tolist()}), len(doc)]))
