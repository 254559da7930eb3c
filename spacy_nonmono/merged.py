"""Tokens that are several words of a treebank, such as French "du" for "de le"."""

from typing import NamedTuple

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
