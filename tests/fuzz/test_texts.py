"""Texts that nobody here wrote: prose, logs, source code, chat, tables and the like, with white space of
every kind. The trees of the words are those of the same text with single blanks.

The prose is of the file that NONMONO_TEXT names, a sentence per line; without it, of some words.
"""

import os
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from textwrap import wrap

import pytest

from tests.pipeline.test_white_space import MODELS, of_words, parser
from tests.pipeline.util import SYSTEMS, check_doc

from .harness import Outcome, error_outcome

WORDS = ["the", "hare", "sleeps", "under", "an", "oak", ".", "Rain", "!", "foxes,", "don't", "hunt", "é"]
SEEDS = 10_000  # of each text


@cache
def lines() -> list[str]:
    file = os.environ.get("NONMONO_TEXT")
    return Path(file).read_text("utf-8").splitlines() if file else []


def prose(rng: random.Random) -> list[str]:
    if not lines():
        return rng.choices(WORDS, k=rng.randint(1, 40))
    first = rng.randrange(len(lines()))
    return " ".join(lines()[first : first + rng.randint(1, 4)]).split() or ["."]


def with_pieces(*pieces: str) -> Callable[[random.Random], list[str]]:
    """Prose with such pieces in it, alone or within words."""

    def make(rng: random.Random) -> list[str]:
        words = prose(rng)
        for _ in range(rng.randint(1, 6)):
            place, piece = rng.randrange(len(words)), rng.choice(pieces)
            cut = rng.randint(0, len(words[place]))
            words[place] = words[place][:cut] + piece + words[place][cut:]
        return words

    return make


TEXTS: dict[str, Callable[[random.Random], list[str]]] = {
    "prose": prose,
    "soft hyphens": with_pieces("\u00ad"),
    "emoji with joiners": with_pieces("\U0001f469\u200d\U0001f4bb", "\U0001f98a", "\u2764\ufe0f"),
    "marks of direction": with_pieces("\u200f", "\u200e", "\u202b", "\u202c", "\u05d0\u05d1"),
    "left-overs of HTML": with_pieces("&nbsp;", "<br/>", "</p>", "&amp;", "<a href='x'>"),
    "a log": with_pieces("2026-11-26T07:00:01.123Z", "[ERROR]", "pid=4711", "10.0.0.1:8080", "-->"),
    "source code": with_pieces("def f(x):", "x = {'a': [1, 2]}", "}", "#!/bin/sh", "\\n", "==="),
    "chat": with_pieces(":-)", "lol", "@fox", "#oak", "...", "!!!1", "https://x.org/a?b=c"),
    "a table": with_pieces("|", "---", "1,5", "%"),
    "marks of byte order": with_pieces("\ufeff", "\u0000", "\ufffd"),
}


def between(*choices: str) -> Callable[[random.Random, list[str]], str]:
    """One of these between words, and at both ends."""

    def join(rng: random.Random, words: list[str]) -> str:
        parts = [rng.choice(["", *choices])]
        for word in words:
            parts += [word, rng.choice([" ", *choices])]
        return "".join(parts)

    return join


WHITE: dict[str, Callable[[random.Random, list[str]], str]] = {
    "double blanks": lambda rng, words: "  ".join(words),
    "tabs": between("\t", " \t"),
    "lines": between("\n", "\r\n"),
    "empty lines": between("\n\n", "\n \n\n"),
    "wrapped": lambda rng, words: "\n".join(wrap(" ".join(words), 60, break_long_words=False)),
    "a poem": lambda rng, words: "\n    ".join(words),
    "no-break spaces": between("\u00a0", " \u00a0 "),
    "other spaces": between("\u2003", "\u3000", "\u2028", "\x0b", "\x85"),
}


def any_text(seed: int) -> str:
    rng = random.Random(seed)
    return parse(rng, rng.choice(list(TEXTS)))


def one_text(seed: int) -> str:
    return parse(random.Random(seed), list(TEXTS)[seed // SEEDS])


def parse(rng: random.Random, text: str) -> str:
    """A text, parsed with single blanks and with other white space."""
    nlp = parser(rng.choice(MODELS), rng.choice(SYSTEMS))
    white = rng.choice(list(WHITE))
    words = " ".join(TEXTS[text](rng)).split()
    try:
        plain, doc = nlp(" ".join(words)), nlp(WHITE[white](rng, words))
        check_doc(plain)
        check_doc(doc)
        for token in doc:
            if token.is_space and any(not word.is_space for word in doc):
                assert not list(token.children) and token.head is not token and token.dep_ == "_SP"
        same = [token.text for token in plain] == [token.text for token in doc if not token.is_space]
        if same and of_words(doc) != of_words(plain):
            return f"{Outcome.DIFFERS.value} {text}, {white}: {doc.text!r}"
    except AssertionError as error:
        return f"{Outcome.DIFFERS.value} {text}, {white}: {error}"
    except Exception as error:
        return error_outcome(error)
    return Outcome.RIGHT.value


def test_texts(fuzz):
    fuzz("texts of others, with other white space", any_text, few=40, many=0)


@pytest.mark.parametrize(("number", "text"), list(enumerate(TEXTS)))
def test_each_text(fuzz, number, text):
    name = f"texts with other white space: {text}"
    fuzz(name, one_text, few=0, many=500, first_seed=number * SEEDS)
