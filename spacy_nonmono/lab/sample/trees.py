"""Pieces of a tree: words that point at their heads, and phrases, lists of them in word order."""

from collections.abc import Sequence
from typing import NamedTuple

from .lexicon import Lexeme


class Word:
    """A node of a tree in the making: `head` is another word, None for the root."""

    __slots__ = ("deprel", "form", "head", "kind", "lexeme", "plural", "space_after", "upos")

    def __init__(self, form: str, upos: str, head: "Word | None" = None, deprel: str = "root"):
        self.form = form
        self.upos = upos
        self.head = head
        self.deprel = deprel
        self.lexeme: Lexeme | None = None
        self.plural = False
        self.space_after = True
        self.kind = ""


class Phrase(NamedTuple):
    head: Word
    words: list[Word]
    gap: Word | None = None  # the word inside that governs what the phrase leaves out
    nouns: Sequence[Word] = ()  # heads of its own arguments: what a clause can be extraposed from


def attach(phrase: Phrase, head: Word, deprel: str, kind: str = "") -> list[Word]:
    phrase.head.head, phrase.head.deprel = head, deprel
    phrase.head.kind = phrase.head.kind or kind
    return phrase.words


def is_person(word: Word) -> bool:
    return bool(word.lexeme and word.lexeme.group in ("person", "name"))
