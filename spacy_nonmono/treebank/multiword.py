"""Multiword tokens, such as French "du" for the words "de" and "le": as tokens, or as their words.

A treebank of Universal Dependencies has trees of syntactic words, but a tokenizer of spaCy gives the
tokens that stand in the text. A parser that is to parse text learns from trees of these.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from spacy.language import Language
from thinc.api import Config

from ..merged import MULTIWORD_TOKENS, OUTSIDE, Part, Reading, main_word
from ..shapes import UNKNOWN_HEAD
from .sentences import (
    DEPREL,
    DEPS,
    EMPTY,
    FEATS,
    FORM,
    HEAD,
    ID,
    LEMMA,
    UPOS,
    XPOS,
    Sentence,
    forms,
)

MERGE, SPLIT = CHOICES = ("merge", "split")
READER = "spacy-nonmono.ConlluCorpus.v1"
N_FORMS = 10_000


def merge_words(sentence: Sentence, tokenize: Callable[[str], tuple[str, ...]]) -> Sentence:
    """The sentence with each multiword token as one word, but where the tokenizer cuts it into its
    words, as that of English does with "don't".

    Head, label and UPOS are those of one of its words (`merged.main_word`). As in spaCy's conversion,
    the lemmas are joined by spaces, the XPOS by `_`, and the values of a feature by commas. Empty nodes
    and DEPS are left out, since they are of the words.

    tokenize: the tokens of a form.
    """
    words = forms(sentence)
    merged = {
        start: (end, columns)
        for start, end, columns in sentence.ranges
        if list(tokenize(columns[FORM - 1])) != words[start:end]
    }
    if not merged:
        return sentence
    groups: list[range] = []
    while not groups or groups[-1].stop < len(words):
        start = groups[-1].stop if groups else 0
        groups.append(range(start, merged[start][0] if start in merged else start + 1))
    heads = [UNKNOWN_HEAD if head is None else head for head in sentence.heads]
    token_of = {word: token for token, group in enumerate(groups) for word in group}
    result = Sentence(comments=sentence.comments)
    for token, group in enumerate(groups):
        word = main_word(heads, group)
        head = sentence.heads[word]
        columns = list(sentence.words[word])
        if group.start in merged:
            result.readings[token] = _reading(sentence, group, word)
            columns = _joined([sentence.words[word] for word in group], columns, merged[group.start][1])
        columns[ID] = str(token + 1)
        if head is not None and head >= 0:
            head = token_of[head]
            columns[HEAD] = str(head + 1)
        columns[DEPS] = EMPTY
        result.words.append(columns)
        result.heads.append(head)
    result.ranges = [
        (token_of[start], token_of[start] + end - start, columns)
        for start, end, columns in sentence.ranges
        if start not in merged
    ]
    return result


def _reading(sentence: Sentence, group: range, main: int) -> Reading:
    """The words of a token, of which `main` has its head."""
    parts = []
    for word in group:
        head, columns = sentence.heads[word], sentence.words[word]
        inner = head - group.start if head is not None and head in group else OUTSIDE
        form, lemma, upos, xpos, feats = columns[FORM:HEAD]
        parts.append(Part(form, lemma, upos, xpos, feats, inner, columns[DEPREL]))
    outside = (head for word, head in enumerate(sentence.heads) if word not in group)
    heads = Counter(head for head in outside if head is not None and head in group)
    governor = heads.most_common(1)[0][0] if heads else main
    return Reading(tuple(parts), main - group.start, governor - group.start)


def _joined(words: list[list[str]], main: list[str], surface: list[str]) -> list[str]:
    """The columns of a token. surface: those of its range, without ID."""
    features: dict[str, set[str]] = {}
    for word in words:
        for pair in word[FEATS].split("|") if word[FEATS] != EMPTY else ():
            name, _, values = pair.partition("=")
            features.setdefault(name, set()).update(values.split(","))
    feats = (f"{name}={','.join(sorted(features[name]))}" for name in sorted(features, key=str.lower))
    joined = {
        FORM: surface[FORM - 1],
        LEMMA: " ".join(_known(words, LEMMA)),
        UPOS: main[UPOS],
        XPOS: "_".join(_known(words, XPOS)),
        FEATS: "|".join(feats),
        HEAD: main[HEAD],
        DEPREL: main[DEPREL],
    }
    return ["", *(joined[column] or EMPTY for column in range(FORM, DEPS)), EMPTY, surface[-1]]


def _known(words: list[list[str]], column: int) -> list[str]:
    return [word[column] for word in words if word[column] != EMPTY]


def tokens_of(nlp: Language) -> Callable[[str], tuple[str, ...]]:
    """What cuts a form as the pipeline's tokenizer does."""

    @lru_cache(maxsize=N_FORMS)
    def tokenize(form: str) -> tuple[str, ...]:
        return tuple(token.text for token in nlp.make_doc(form))

    return tokenize


def learned_words(nlp: Language) -> str:
    """Whether a pipeline was trained on multiword tokens that were merged or split; "split" where its
    config does not say."""
    corpora = nlp.config.interpolate().get("corpora", {})
    dev: Any = corpora.get("dev", {}) if isinstance(corpora, dict) else {}
    return str(dev.get("multiword", SPLIT)) if isinstance(dev, dict) else SPLIT


def split_words(config: Config) -> None:
    """Let all readers of a config split, since what follows is about the words of the treebank. So there
    is nothing to learn for the component of multiword tokens, which is taken out."""
    if MULTIWORD_TOKENS in config.get("components", {}):
        del config["components"][MULTIWORD_TOKENS]
        config["nlp"]["pipeline"].remove(MULTIWORD_TOKENS)
    for reader in _readers(config.get("corpora", {})):
        if reader.get("@readers") == READER and "multiword" in reader:
            reader["multiword"] = SPLIT


def _readers(section: Any) -> Iterator[dict[str, Any]]:
    if isinstance(section, dict):
        yield section
        for value in section.values():
            yield from _readers(value)
