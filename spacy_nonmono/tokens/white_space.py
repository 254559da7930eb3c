"""White space in Docs. spaCy makes tokens of line breaks and of all blanks but single ones. They are no
words: the parser does not see them. But a treebank says itself what its words are."""

from collections.abc import Sequence
from typing import Any

import numpy
from spacy.attrs import IS_SPACE
from spacy.tokens import Doc
from thinc.api import Ops

# In the user data of a Doc of a treebank: its sentences (see `treebank/docs.py`)
KEPT = "spacy_nonmono.sentences"


def words_of(doc: Doc) -> Any:
    """(n_words,) int64: which tokens are words."""
    if KEPT in doc.user_data:
        return numpy.arange(len(doc))
    return numpy.flatnonzero(doc.to_array([IS_SPACE]) == 0)


def has_words(docs: Sequence[Doc]) -> bool:
    """Return whether there is something to learn from. To parse, nobody needs to ask: layers take no
    words."""
    return any(len(words_of(doc)) for doc in docs)


def word_rows(ops: Ops, rows: Sequence[Any], words: Sequence[Any]) -> list[Any]:
    """Take the rows of the words from arrays that have a row per token."""
    return [
        of_doc if len(of_doc) == len(which) else of_doc[ops.asarray1i(which)]
        for of_doc, which in zip(rows, words, strict=True)
    ]


def token_rows(
    ops: Ops, rows: Sequence[Any], docs: Sequence[Doc], words: Sequence[Any]
) -> list[Any]:
    """Arrays with a row per word, with rows of zeros for the white space."""
    found = []
    for of_doc, doc, which in zip(rows, docs, words, strict=True):
        if len(of_doc) == len(doc):
            found.append(of_doc)
            continue
        wide: Any = ops.alloc2f(len(doc), of_doc.shape[1])
        wide[ops.asarray1i(which)] = of_doc
        found.append(wide)
    return found
