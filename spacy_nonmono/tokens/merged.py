"""Tokens that are several words of a treebank, such as French "du" for "de le", and how a Doc carries
these words.

They are plain lists, texts and numbers in `Doc.user_data`, under the keys of spaCy's own extension
attributes. So they are in what `Doc.to_bytes`, pickle and DocBin (`store_user_data=True`) make of a
Doc, and move with their tokens in `Doc.from_docs` and `Span.as_doc`.
"""

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

from spacy.tokens import Doc, Token

from ..errors import Warnings
from .heads import words_on_cycles

OUTSIDE = -1
WORDS = "words"  # Token._.words
MULTIWORD_TOKENS = "multiword_tokens"  # the component
# In keys of user data
EXTENSION, STORED, KNOWN = "._.", "spacy_nonmono_words", "spacy_nonmono_words_known"


class Part(NamedTuple):
    """A word of a multiword token.

    head: the number of another word of the token; OUTSIDE for the head of the token.
    label: of the arc; that of the main word is the token's. "" where head and label are unknown.
    """

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int
    label: str


class Reading(NamedTuple):
    """The words of a multiword token.

    main: which one has the head and the label of the token.
    governor: which one is the head of what depends on the token.
    """

    parts: tuple[Part, ...]
    main: int
    governor: int

    def to_plain(self) -> list[Any]:
        return [self.main, self.governor, *map(list, self.parts)]

    @classmethod
    def from_plain(cls, found: Sequence[Any]) -> "Reading":
        """Raises TypeError or ValueError for what is not the words of a token."""
        main, governor, *rows = found
        parts = tuple(
            Part(str(form), str(lemma), str(upos), str(xpos), str(feats), int(head), str(label))
            for form, lemma, upos, xpos, feats, head, label in rows
        )
        check_tree([part.head for part in parts], main, governor)
        return cls(parts, int(main), int(governor))


def check_tree(heads: Sequence[int], main: int, governor: int) -> None:
    """Raises ValueError unless each word leads out of the token."""
    n = len(heads)
    are_there = all(OUTSIDE <= head < n for head in heads) and {main, governor} <= set(range(n))
    if not are_there or heads[main] != OUTSIDE or words_on_cycles(heads):
        raise ValueError("words that are no tree")


def set_reading(token: Token, reading: Reading) -> None:
    """Give a token its words."""
    _data(token.doc)[EXTENSION, STORED, token.idx, None] = [token.text, *reading.to_plain()]


def get_reading(token: Token) -> Reading | None:
    """Return the words of a token, None if it is one word, or was merged with others since.

    Raises ValueError or TypeError if others have changed the user data.
    """
    stored = _data(token.doc).get((EXTENSION, STORED, token.idx, None))
    if stored is None or stored[0] != token.text:
        return None
    return Reading.from_plain(stored[1:])


def get_readings(doc: Doc) -> dict[int, Reading]:
    """Return the words of all tokens that are several, by the place of the token."""
    if not any(key[1] == STORED for key in _keys(doc)):
        return {}
    pairs = ((token.i, get_reading(token)) for token in doc)
    return {i: reading for i, reading in pairs if reading}


def mark_known(doc: Doc) -> None:
    """Note that the words of all multiword tokens are on the Doc: the other tokens are one word each."""
    _data(doc)[EXTENSION, KNOWN, 0, len(doc.text)] = True


def is_known(doc: Doc) -> bool:
    """Return whether `mark_known` was called for the Doc, or for each Doc that it was joined from."""
    spans = [(key[2], key[3]) for key in _keys(doc) if key[1] == KNOWN]
    return all(any(start <= token.idx < end for start, end in spans) for token in doc)


def forget_readings(doc: Doc) -> None:
    """Remove all words of multiword tokens, and the note of `mark_known`."""
    for key in _keys(doc):
        del _data(doc)[key]


def _keys(doc: Doc) -> list[tuple[Any, ...]]:
    """Return the keys of this module in the `user_data` of a Doc."""
    keys = (key for key in _data(doc) if isinstance(key, tuple) and len(key) == 4)
    return [key for key in keys if key[:2] in ((EXTENSION, STORED), (EXTENSION, KNOWN))]


def _data(doc: Doc) -> dict[Any, Any]:
    return doc.user_data


def get_words(token: Token) -> tuple[Part, ...] | None:
    reading = get_reading(token)
    return reading and reading.parts


def register_words() -> None:
    """Let tokens have `Token._.words`. Warns if another extension has this name (NM592)."""
    if not Token.has_extension(WORDS):
        Token.set_extension(WORDS, getter=get_words)
    elif get_words not in Token.get_extension(WORDS):
        warnings.warn(Warnings.NM592.format(name=WORDS), stacklevel=2)
