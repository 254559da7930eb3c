"""Tokens that are several words of a treebank, such as French "du" for "de le"."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from spacy.tokens import Doc, Token

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


WORDS = "spacy_nonmono_words"


def set_reading(token: Token, reading: Reading) -> None:
    plain = [reading.main, reading.governor, *map(list, reading.parts)]
    user_data: dict[Any, Any] = token.doc.user_data
    user_data["._.", WORDS, token.idx, None] = plain


def get_reading(token: Token) -> Reading | None:
    user_data: dict[Any, Any] = token.doc.user_data
    plain = user_data.get(("._.", WORDS, token.idx, None))
    if plain is None:
        return None
    main, governor, *parts = plain
    return Reading(tuple(Part(*part) for part in parts), main, governor)


def mark_known(doc: Doc) -> None:
    doc.user_data[READINGS] = True


def forget_readings(doc: Doc) -> None:
    doc.user_data.pop(READINGS, None)
    for key in [key for key in doc.user_data if key[:2] == ("._.", WORDS)]:
        del doc.user_data[key]


def main_word(heads: Sequence[int], words: Sequence[int]) -> int:
    """The word whose head and label are those of the token: that whose head lies outside of the token,
    and is not below it. Of several, the one that is nearest to the root of its tree, and of these the
    first, as in spaCy's merging. If there is none, a word whose head is unknown.

    heads: of all words; below 0 for roots and unknown heads. words: those of the token, one or more.
    """
    depths = [(_depth(heads, word, words), word) for word in words if heads[word] != UNKNOWN_HEAD]
    known = [(depth, word) for depth, word in depths if depth >= 0]
    unknown = (word for word in words if heads[word] == UNKNOWN_HEAD)
    return min(known)[1] if known else next(unknown, words[0])


def _depth(heads: Sequence[int], word: int, words: Sequence[int]) -> int:
    """How many arcs lead from the top of the tree to the word; -1 if they lead through the token."""
    for depth in range(len(heads)):
        if heads[word] < 0:
            return depth
        word = heads[word]
        if word in words:
            break
    return -1
