"""Odd Docs through `update` and parsing: preset boundaries anywhere, whitespace, no words at all, gold
trees that are partial, cross, or are of other tokens than the Doc's."""

import random
from functools import cache
from itertools import takewhile

from spacy.language import Language
from spacy.tokens import Doc, Token
from spacy.training import Example
from thinc.api import Adam

from spacy_nonmono.pipeline.sentences import preset_starts
from tests.pipeline.util import (
    CROSSING,
    FINE_GRAINED,
    SYSTEMS,
    check_doc,
    initialized,
    linear_config,
)
from tests.trees import random_tree

from .harness import Outcome, error_outcome

PIPELINES = [(system, linear) for system in (*SYSTEMS, FINE_GRAINED) for linear in (False, True)]
LETTERS = ["a", "fox", "owls", ".", " ", "\n", "\t ", "\u00a0", "\u3000", "é", "\U0001f98a", "x" * 500]
LABELS = ["nsubj", "obj", "punct", "ROOT", "root", "dep", "new||old", ""]


@cache
def pipeline(system: str, linear: bool) -> tuple[Language, Adam]:
    settings = {"model": linear_config()} if linear else {}
    return initialized(system, CROSSING, **settings), Adam(0.01)


def odd_words(rng: random.Random) -> list[str]:
    return rng.choices(LETTERS, k=rng.choice([0, 1, 1, 2, 3, 5, 8, 20]))


def odd_starts(rng: random.Random, n: int) -> list[bool | None]:
    """Boundaries that are known, excluded, or left to the parser."""
    weights = rng.choice([(1, 0, 0), (1, 1, 1), (0, 1, 1), (0, 1, 0), (8, 1, 1)])
    return rng.choices([None, True, False], weights, k=n)


def odd_doc(nlp: Language, rng: random.Random) -> Doc:
    words = odd_words(rng)
    spaces = [rng.random() < 0.7 for _ in words]
    return Doc(nlp.vocab, words=words, spaces=spaces, sent_starts=odd_starts(rng, len(words)))


def odd_gold(nlp: Language, rng: random.Random, doc: Doc) -> Doc:
    """A reference: the same text, cut at other places now and then; any tree, or half of one."""
    words = [token.text for token in doc]
    spaces = [bool(token.whitespace_) for token in doc]
    if words and rng.random() < 0.4:
        k = rng.randrange(len(words))
        if len(words[k]) > 1:
            words[k : k + 1] = [words[k][:1], words[k][1:]]
            spaces[k:k] = [False]
        elif k + 1 < len(words) and not spaces[k]:
            words[k : k + 2] = [words[k] + words[k + 1]]
            spaces[k : k + 1] = []
    n = len(words)
    heads = [
        word if head < 0 or rng.random() < 0.1 else head for word, head in enumerate(random_tree(rng, n))
    ]
    deps = ["ROOT" if heads[word] == word else rng.choice(LABELS) for word in range(n)]
    gold = Doc(nlp.vocab, words=words, spaces=spaces, heads=heads, deps=deps)
    return gold if rng.random() < 0.9 else Doc(nlp.vocab, words=words, spaces=spaces)


def is_space(token: Token) -> bool:
    return token.is_space


def update(seed: int) -> str:
    """A case: an update on some odd examples, and a parse of odd docs after it."""
    rng = random.Random(seed)
    nlp, sgd = pipeline(*rng.choice(PIPELINES))
    try:
        docs = [odd_doc(nlp, rng) for _ in range(rng.randint(0, 4))]
        examples = [Example(doc, odd_gold(nlp, rng, doc)) for doc in docs]
    except ValueError as error:
        return error_outcome(error)  # spaCy cannot make them
    try:
        if examples:
            nlp.update(examples, sgd=sgd)
        docs = [odd_doc(nlp, rng) for _ in range(3)]
        preset = [preset_starts(doc).tolist() for doc in docs]
        for doc, starts in zip(nlp.pipe(docs), preset, strict=True):
            check_doc(doc)
            # White space is no word: a sentence starts with the first word of it
            words = [token for token in doc if not token.is_space]
            firsts = {sent.start + sum(1 for _ in takewhile(is_space, sent)) for sent in doc.sents}
            rows = list(zip(words, starts, strict=True))[1:]
            if not all(start == 0 or (word.i in firsts) == (start > 0) for word, start in rows):
                return f"{Outcome.DIFFERS.value} a preset boundary of {doc.text!r}"
    except AssertionError as error:
        return f"{Outcome.DIFFERS.value} {error}"
    except Exception as error:
        return error_outcome(error)
    return Outcome.RIGHT.value


def test_odd_docs(fuzz):
    fuzz("odd Docs and examples: update, parse", update, few=60, many=5_000)
