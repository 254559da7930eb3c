"""Tokens that are several words of a treebank, such as French "du" for "de le"."""

from collections.abc import Sequence
from typing import NamedTuple

from .shapes import UNKNOWN_HEAD

# Where a gold Doc has the words of its multiword tokens, in its user data: {token: Reading}
READINGS = "spacy_nonmono.readings"
# The table of a pipeline, for `tables.find_table`
EXPANSIONS = "expansions"
OUTSIDE = -1


class Part(NamedTuple):
    """A word of a multiword token. head: the number of another word of the token; OUTSIDE for the head
    of the token. label: of the arc; that of the main word is the token's."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int
    label: str


class Reading(NamedTuple):
    """The words of a multiword token. main: which one has the head and the label of the token.
    governor: which one is the head of what depends on the token."""

    parts: tuple[Part, ...]
    main: int
    governor: int


def main_word(heads: Sequence[int], words: Sequence[int]) -> int:
    """The word whose head and label are those of the token: that whose head lies outside of the token.
    Of several, the one that is nearest to the root of its tree, and of these the first, as in spaCy's
    merging.

    heads: of all words; below 0 for roots and unknown heads. words: those of the token, one or more.
    """
    outside = [word for word in words if heads[word] not in words]
    known = [word for word in outside if heads[word] != UNKNOWN_HEAD]
    return min(known or outside or words, key=lambda word: _depth(heads, word))


def _depth(heads: Sequence[int], word: int) -> int:
    """How many arcs lead from the top of the tree to the word."""
    for depth in range(len(heads)):
        if heads[word] < 0:
            return depth
        word = heads[word]
    return len(heads)
