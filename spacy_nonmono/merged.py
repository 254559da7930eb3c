"""Tokens that are several words of a treebank, such as French "du" for "de le"."""

from typing import Any, NamedTuple

from spacy.tokens import Doc, Token

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
    doc.user_data["spacy_nonmono.known"] = True


def forget_readings(doc: Doc) -> None:
    doc.user_data.pop("spacy_nonmono.known", None)
    for key in [key for key in doc.user_data if key[:2] == ("._.", WORDS)]:
        del doc.user_data[key]
