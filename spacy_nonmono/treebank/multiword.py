"""Multiword tokens, such as French "du" for the words "de" and "le": as tokens, or as their words.

A treebank of Universal Dependencies has trees of syntactic words, but a tokenizer of spaCy gives the
tokens that stand in the text. A parser that is to parse text learns from trees of these.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import accumulate
from typing import Any

from spacy.language import Language
from thinc.api import Config

from ..errors import Warnings, name_some
from ..shapes import UNKNOWN_HEAD
from ..tokens.heads import contract, main_word
from ..tokens.merged import MULTIWORD_TOKENS, OUTSIDE, Part, Reading
from .sentences import (
    DEPREL,
    DEPS,
    EMPTY,
    FEATS,
    FORM,
    HEAD,
    ID,
    LEMMA,
    MISC,
    UPOS,
    XPOS,
    Sentence,
)

MERGE, SPLIT = CHOICES = ("merge", "split")
READER = "spacy-nonmono.ConlluCorpus.v1"
N_FORMS = 10_000


def merge_words(sentence: Sentence, tokenize: Callable[[str], tuple[str, ...]]) -> Sentence:
    """Return the sentence with each multiword token as one word, but where the tokenizer cuts it into
    its words, as that of English does with "don't".

    Head, label and UPOS are those of one of its words (`heads.main_word`). As in spaCy's conversion,
    the lemmas are joined by spaces, the XPOS by `_`, and the values of a feature by commas. Empty nodes
    and DEPS are left out, since they are of the words.

    tokenize: the tokens of a form.
    """
    words = sentence.forms
    merged = {
        found.start: found
        for found in sentence.ranges
        if list(tokenize(found.columns[FORM])) != words[found.start : found.end]
    }
    if not merged:
        return sentence
    groups: list[range] = []
    while not groups or groups[-1].stop < len(words):
        start = groups[-1].stop if groups else 0
        groups.append(range(start, merged[start].end if start in merged else start + 1))
    heads = [UNKNOWN_HEAD if head is None else head for head in sentence.heads]
    numbers = {word: number for number, group in enumerate(groups, start=1) for word in group}
    mains = [main_word(heads, group) for group in groups]
    heads_of_tokens = contract(heads, groups)
    pairs = zip(mains, heads_of_tokens, strict=True)
    lost = [words[main] for main, head in pairs if head == UNKNOWN_HEAD != heads[main]]
    if lost:
        name = sentence.sent_id or " ".join(words)
        warnings.warn(Warnings.NM598.format(name=name, words=name_some(lost)), stacklevel=2)
    rows: list[list[str]] = []
    readings = {}
    for row in sentence.rows:
        if row[ID].isdecimal():
            number = numbers[int(row[ID]) - 1]
            group, word, head = groups[number - 1], mains[number - 1], heads_of_tokens[number - 1]
            if int(row[ID]) - 1 != group.start:
                continue
            columns = sentence.words[word]
            if group.start in merged:
                readings[number - 1] = _reading(sentence, group, word)
                surface = merged[group.start].columns
                columns = _joined(sentence.words[group.start : group.stop], columns, surface)
            columns = [str(number), *columns[FORM:]]
            columns[HEAD] = EMPTY if head == UNKNOWN_HEAD else str(head + 1)
            columns[DEPS] = EMPTY
            rows.append(columns)
        elif len(row) == 1:
            rows.append(row)
        elif "-" in row[ID]:
            first, _, last = row[ID].partition("-")
            if int(first) - 1 not in merged:
                rows.append([f"{numbers[int(first) - 1]}-{numbers[int(last) - 1]}", *row[FORM:]])
    return Sentence(rows, readings=readings, header=sentence.header)


def _reading(sentence: Sentence, group: range, main: int) -> Reading:
    """Return the words of a token, of which `main` has its head."""
    own = sentence.heads
    parts = []
    for word in group:
        head, columns = own[word], sentence.words[word]
        inner = head - group.start if head is not None and head in group else OUTSIDE
        form, lemma, upos, xpos, feats = columns[FORM:HEAD]
        label = "" if head is None else columns[DEPREL]
        parts.append(Part(form, lemma, upos, xpos, feats, inner, label))
    outside = (head for word, head in enumerate(own) if word not in group)
    heads = Counter(head for head in outside if head is not None and head in group)
    governor = heads.most_common(1)[0][0] if heads else main
    return Reading(tuple(parts), main - group.start, governor - group.start)


def _joined(words: list[list[str]], main: list[str], surface: list[str]) -> list[str]:
    """Return the columns of a token. surface: those of its range."""
    features: dict[str, set[str]] = {}
    for word in words:
        for pair in word[FEATS].split("|") if word[FEATS] != EMPTY else ():
            name, _, values = pair.partition("=")
            features.setdefault(name, set()).update(values.split(","))
    feats = (f"{name}={','.join(sorted(features[name]))}" for name in sorted(features, key=str.lower))
    joined = list(surface)
    joined[LEMMA] = " ".join(_known(words, LEMMA)) or EMPTY
    joined[UPOS] = main[UPOS]
    joined[XPOS] = "_".join(_known(words, XPOS)) or EMPTY
    joined[FEATS] = "|".join(feats) or EMPTY
    joined[DEPREL] = main[DEPREL]
    return joined


def _known(words: list[list[str]], column: int) -> list[str]:
    return [word[column] for word in words if word[column] != EMPTY]


def restore_words(sentence: Sentence) -> Sentence:
    """Return the sentence with its readings as multiword tokens: what `merge_words` merged."""
    readings = sentence.readings
    if not readings:
        return sentence
    n_words = [len(readings[i].parts) if i in readings else 1 for i in range(len(sentence.words))]
    numbers = list(accumulate(n_words, initial=1))
    heads = {EMPTY: EMPTY, "0": "0"}
    for i, number in enumerate(numbers):
        heads[str(i + 1)] = str(number + (readings[i].governor if i in readings else 0))
    rows: list[list[str]] = []
    i = 0
    for row in sentence.rows:
        if row[ID].isdecimal():
            row = [str(numbers[i]), *row[FORM:HEAD], heads[row[HEAD]], *row[DEPREL:]]
            rows += _expanded(row, readings[i]) if i in readings else [row]
            i += 1
        elif len(row) == 1:
            rows.append(row)
        elif "-" in row[ID]:
            first, _, last = row[ID].partition("-")
            rows.append([f"{numbers[int(first) - 1]}-{numbers[int(last)] - 1}", *row[FORM:]])
        else:
            before, _, number_there = row[ID].partition(".")
            rows.append([f"{numbers[int(before)] - 1}.{number_there}", *row[FORM:]])
    scores = [score for score, n in zip(sentence.scores, n_words, strict=False) for _ in range(n)]
    return Sentence(rows, scores, header=sentence.header)


def _expanded(row: list[str], reading: Reading) -> Iterator[list[str]]:
    """Yield the rows of a multiword token and of its words.

    row: that of the token as one word, with the number of the first word. Its lemmas and tags are those
    of its words, if they are as many; else those of the reading, where the token has any.
    """
    number, n = int(row[ID]), len(reading.parts)
    yield [f"{number}-{number + n - 1}", row[FORM], *[EMPTY] * 7, *row[MISC:]]
    lemmas = _divided(row[LEMMA], " ", [part.lemma for part in reading.parts])
    tags = _divided(row[XPOS], "_", [part.xpos for part in reading.parts])
    for word, part in enumerate(reading.parts):
        own_head, own_label = str(number + part.head), part.label
        if word == reading.main:
            own_head, own_label = row[HEAD], row[DEPREL]
        elif not part.label:
            own_head, own_label = EMPTY, EMPTY
        elif part.head == OUTSIDE:
            # There is one root
            own_head = row[HEAD] if row[HEAD] != "0" else str(number + reading.main)
        own = [lemmas[word], part.upos, tags[word], part.feats]
        # Features are known where UPOS is
        known = (row[k] != EMPTY for k in (LEMMA, UPOS, XPOS, UPOS))
        texts = [text if is_one and text else EMPTY for text, is_one in zip(own, known, strict=True)]
        others = [EMPTY] * (len(row) - DEPS)
        yield [str(number + word), part.form, *texts, own_head, own_label, *others]


def _divided(text: str, separator: str, own: list[str]) -> list[str]:
    """Divide what was joined; `own` are the values of the reading, one per word."""
    found = text.split(separator)
    joined = separator.join(value for value in own if value != EMPTY)
    return own if text == joined or len(found) != len(own) else found


def tokens_of(nlp: Language) -> Callable[[str], tuple[str, ...]]:
    """Return a function that cuts a form as the pipeline's tokenizer does."""

    @lru_cache(maxsize=N_FORMS)
    def tokenize(form: str) -> tuple[str, ...]:
        return tuple(token.text for token in nlp.make_doc(form))

    return tokenize


def learned_words(nlp: Language) -> str:
    """Return whether a pipeline was trained on multiword tokens that were merged or split; "split" where
    its config does not say."""
    corpora = nlp.config.interpolate().get("corpora", {})
    dev: Any = corpora.get("dev", {}) if isinstance(corpora, dict) else {}
    return str(dev.get("multiword", SPLIT)) if isinstance(dev, dict) else SPLIT


def split_words(config: Config) -> None:
    """Let all readers of a config give the words of the treebank, which what follows is about. So the
    component of multiword tokens has nothing to learn, and is taken out."""
    if MULTIWORD_TOKENS in config.get("components", {}):
        del config["components"][MULTIWORD_TOKENS]
        names = config["nlp"]["pipeline"]
        config["nlp"]["pipeline"] = [name for name in names if name != MULTIWORD_TOKENS]
    for reader in _readers(config.get("corpora", {})):
        if reader.get("@readers") == READER and "multiword" in reader:
            reader.update(multiword=SPLIT, gold_words=True)


def _readers(section: Any) -> Iterator[dict[str, Any]]:
    if isinstance(section, dict):
        yield section
        for value in section.values():
            yield from _readers(value)
