"""A corpus reader for CoNLL-U and CoNLL-X files, for `[corpora]` in a spaCy config.

A token is a syntactic word (an integer ID); where multiword tokens are merged, it may be one of these.
It is followed by a space unless its MISC, or for the last word of a multiword token the MISC of the
range, says SpaceAfter=No; inside a multiword token there are no spaces. So the text is that of the
treebank where no multiword token splits up into other letters.

A word with UPOS has no features where FEATS is `_`; without UPOS its features are unknown.

The root's label is `ROOT`, as everywhere in spaCy, whatever it is in the file. A word of unknown head
(`_`) has the label "" and is attached to its sentence's root, so that spaCy derives the right
boundaries.

What a Doc has no place for is kept under `KEPT` in `Doc.user_data` for the writer, as plain tuples
(lists, out of `Doc.to_bytes`) and dicts. There is one entry per sentence: "start" and "end", its
first token and the one after its last; "forms", the words; "comments", "ranges" and "empty_nodes" as in
`Sentence`; and the columns "feats", "head", "deprel", "deps" and "misc", one string per word. The
predicted Doc keeps only what is known before anything is predicted: words, comments, ranges and "misc".
"""

import random
import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy
from spacy.attrs import MORPH, SENT_START
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import registry
from spacy.vocab import Vocab

from ..errors import Errors, Warnings
from ..merged import Reading, forget_readings, mark_known, register_words, set_reading
from .formats import CONLLU, FORMATS
from .multiword import CHOICES, MERGE, SPLIT, merge_words, tokens_of
from .sentences import (
    DEPREL,
    DEPS,
    EMPTY,
    FEATS,
    FORM,
    HEAD,
    LEMMA,
    MISC,
    UPOS,
    XPOS,
    Sentence,
    forms,
    is_before_space,
    read_sentences,
    surface_tokens,
)

KEPT = "spacy_nonmono.conllu"
ROOT_LABEL = "ROOT"
# Of the annotation, those that are kept as they are written
KEPT_COLUMNS = {"feats": FEATS, "head": HEAD, "deprel": DEPREL, "deps": DEPS}


@registry.readers("spacy-nonmono.ConlluCorpus.v1")
def create_conllu_corpus(
    path: Path | None,
    n_sents: int = 10,
    gold_sents: bool = False,
    limit: int = 0,
    gold_tags: bool = False,
    format: str = CONLLU,
    multiword: str = SPLIT,
    gold_words: bool = True,
) -> Callable[[Language], Iterator[Example]]:
    """A reader that turns CoNLL-U or CoNLL-X into Examples.

    path: a file; or a folder of which every `.conllu` file is read, in the order of their names, or
        every `.conllx` file where there are no others.
    n_sents: the number of sentences per Doc; the last Doc of the corpus may have fewer.
    gold_sents: the predicted Doc carries the gold boundaries (setting "gold sentences"), or none
        (setting "documents").
    limit: the largest number of Docs to read; 0 is no limit.
    gold_tags: the predicted Doc carries the gold POS, TAG and MORPH. No tagger is that good: scores
        with them are those of an oracle setting, to be named as such.
    format: "conllu" or "conllx" (see `conllx.py`). A file with the suffix `.conllx` is CoNLL-X in any
        case.
    multiword: "split", and multiword tokens are read as their syntactic words; or "merge", and each is
        one token, as a tokenizer gives it; but where the pipeline's tokenizer cuts it into its words, it
        is split, too (see `multiword.py`).
    gold_words: the predicted Doc has the words of the treebank; or, if false, the tokens that the
        pipeline's tokenizer finds in the text, as with `spacy.Corpus.v1`: so a parser learns from what
        it will get. Then it has neither boundaries nor tags.

    Raises ValueError: NM080 without a path, NM084 for an option out of range. The reader raises what
    `read_sentences` raises, and warns if no head is known (NM586).
    """
    if path is None:
        raise ValueError(Errors.NM080.format(path=path))
    for option, chosen, known in (("format", format, FORMATS), ("multiword", multiword, CHOICES)):
        if chosen not in known:
            expected = " or ".join(known)
            raise ValueError(Errors.NM084.format(option=option, found=chosen, expected=expected))
    if not gold_words and (gold_sents or gold_tags):
        expected = "true, since the boundaries or tags of the treebank are those of its words"
        raise ValueError(Errors.NM084.format(option="gold_words", found=False, expected=expected))
    for option, found, least in (("n_sents", n_sents, 1), ("limit", limit, 0)):
        if found < least:
            expected = f"{least} or more"
            raise ValueError(Errors.NM084.format(option=option, found=found, expected=expected))

    register_words()

    def read_corpus(nlp: Language) -> Iterator[Example]:
        sentences = read_sentences(Path(path), format)
        if multiword == MERGE:
            tokenize = tokens_of(nlp)
            sentences = (merge_words(sentence, tokenize) for sentence in sentences)
        examples: Iterable[Example] = (
            make_example(nlp.vocab, group, gold_sents=gold_sents, gold_tags=gold_tags)
            for group in _groups(sentences, n_sents)
        )
        if multiword == MERGE:
            examples = map(_with_known_words, examples)
        if not gold_words:
            examples = (
                Example(nlp.make_doc(example.reference.text), example.reference) for example in examples
            )
        return _telling_no_heads(islice(examples, limit or None), path)

    return read_corpus


def _with_known_words(example: Example) -> Example:
    mark_known(example.reference)
    return example


def _telling_no_heads(examples: Iterable[Example], path: Path) -> Iterator[Example]:
    """The examples; warns in the end if none of them has a known head (NM586)."""
    is_known = False
    for example in examples:
        is_known = is_known or example.reference.has_annotation("DEP")
        yield example
    if not is_known:
        warnings.warn(Warnings.NM586.format(path=path), stacklevel=2)


@registry.readers("spacy-nonmono.MixedCorpus.v1")
def create_mixed_corpus(
    gold: Callable[[Language], Iterable[Example]],
    silver: Callable[[Language], Iterable[Example]],
    ratio: float = 1.0,
    seed: int = 0,
) -> Callable[[Language], Iterator[Example]]:
    """A reader that gives, each time that it is asked, all of a treebank and the next part of a larger
    one, in random order: gold trees, and such as parsers made, which teach no sentence boundaries. Let
    `max_epochs` be -1, so that `spacy train` asks anew in each epoch.

    gold, silver: readers of the two. The silver one is read bit by bit.
    ratio: the number of silver Docs per gold Doc.
    seed: of the order.

    Raises ValueError (NM084) if `ratio` is negative.
    """
    if ratio < 0:
        raise ValueError(Errors.NM084.format(option="ratio", found=ratio, expected="0 or more"))
    rng = random.Random(seed)
    rest: Iterator[Example] = iter(())

    def read_corpus(nlp: Language) -> Iterator[Example]:
        nonlocal rest
        examples = list(gold(nlp))
        n_silver = round(ratio * len(examples))
        chosen = list(islice(rest, n_silver))
        while len(chosen) < n_silver:
            rest = iter(silver(nlp))
            more = list(islice(rest, n_silver - len(chosen)))
            if not more:
                break
            chosen += more
        for example in chosen:
            unknown = numpy.zeros((len(example.reference),), dtype="uint64")
            example.reference.from_array([SENT_START], unknown)  # type: ignore[arg-type]
            # The words of multiword tokens are those of the treebank
            forget_readings(example.reference)
        examples += chosen
        rng.shuffle(examples)
        yield from examples

    return read_corpus


def make_example(
    vocab: Vocab,
    sentences: list[Sentence],
    *,
    gold_sents: bool = False,
    gold_tags: bool = False,
) -> Example:
    """The sentences as one Example: words to predict from, and the annotation."""
    words = make_words_doc(vocab, sentences, gold_sents=gold_sents, gold_tags=gold_tags)
    return Example(words, make_gold_doc(vocab, sentences))


def make_words_doc(
    vocab: Vocab,
    sentences: list[Sentence],
    *,
    gold_sents: bool = False,
    gold_tags: bool = False,
) -> Doc:
    """A Doc of words and spaces, with the sentence boundaries if `gold_sents` and with POS, TAG and
    MORPH if `gold_tags`."""
    return Doc(
        vocab,
        words=_column(sentences, FORM),
        spaces=[space for sentence in sentences for space in _spaces(sentence)],
        sent_starts=_sent_starts(sentences) if gold_sents else None,
        pos=_column(sentences, UPOS, none="") if gold_tags else None,
        tags=_column(sentences, XPOS, none="") if gold_tags else None,
        morphs=_column(sentences, FEATS, none="") if gold_tags else None,
        user_data={KEPT: _kept(sentences, with_annotation=False)},
    )


def make_gold_doc(vocab: Vocab, sentences: list[Sentence]) -> Doc:
    """A Doc with all annotation."""
    sent_starts = _sent_starts(sentences)
    doc = Doc(
        vocab,
        words=_column(sentences, FORM),
        spaces=[space for sentence in sentences for space in _spaces(sentence)],
        heads=_heads(sentences),
        deps=[dep for sentence in sentences for dep in _deps(sentence)],
        lemmas=[lemma for sentence in sentences for lemma in _lemmas(sentence)],
        pos=_column(sentences, UPOS, none=""),
        tags=_column(sentences, XPOS, none=""),
        morphs=_column(sentences, FEATS, none=""),
        user_data={KEPT: _kept(sentences, with_annotation=True)},
    )
    for i, reading in _readings(sentences).items():
        set_reading(doc[i], reading)
    # spaCy takes "" for a word that has no features; where no tag is known either, they are unknown
    is_unknown = [
        word[UPOS] == word[FEATS] == EMPTY for sentence in sentences for word in sentence.words
    ]
    if any(is_unknown):
        morphs = doc.to_array(MORPH)
        morphs[is_unknown] = 0
        doc.from_array([MORPH], morphs)  # type: ignore[arg-type]
    # spaCy derives boundaries from heads, and may fail to on deep non-projective trees
    starts = numpy.where(numpy.array(sent_starts), 1, -1).astype(numpy.uint64)
    if not numpy.array_equal(doc.to_array(SENT_START), starts):
        doc.from_array([SENT_START], starts)  # type: ignore[arg-type]
    return doc


def _groups(sentences: Iterable[Sentence], size: int) -> Iterator[list[Sentence]]:
    sentences = iter(sentences)
    while group := list(islice(sentences, size)):
        yield group


def _column(sentences: list[Sentence], column: int, none: str | None = None) -> list[str]:
    """A column of all words, with `none` for _."""
    values = [word[column] for sentence in sentences for word in sentence.words]
    return values if none is None else [none if value == EMPTY else value for value in values]


def _spaces(sentence: Sentence) -> list[bool]:
    if not sentence.ranges:
        return [is_before_space(word[MISC]) for word in sentence.words]
    spaces = [False] * len(sentence.words)
    for token in surface_tokens(sentence):
        spaces[token.end - 1] = token.has_space
    return spaces


def _lemmas(sentence: Sentence) -> list[str]:
    # The lemma of the word _ is written _, too
    return [
        "" if word[LEMMA] == EMPTY and word[FORM] != EMPTY else word[LEMMA]
        for word in sentence.words
    ]


def _sent_starts(sentences: list[Sentence]) -> list[bool | int | None]:
    return [word == 0 for sentence in sentences for word in range(len(sentence.words))]


def _heads(sentences: list[Sentence]) -> list[int]:
    """Heads as spaCy has them: indices in the Doc, roots head themselves."""
    heads: list[int] = []
    for sentence in sentences:
        start = len(heads)
        # Without a known root an unknown one takes its place: no word's heads can lead to a cycle
        root = sentence.heads.index(-1 if -1 in sentence.heads else None)
        for head in sentence.heads:
            heads.append(start + (root if head is None or head < 0 else head))
    return heads


def _deps(sentence: Sentence) -> list[str]:
    deps: list[str] = []
    for columns, head in zip(sentence.words, sentence.heads, strict=True):
        if head is None:
            deps.append("")
        elif head == -1:
            deps.append(ROOT_LABEL)
        else:
            deps.append(columns[DEPREL])
    return deps


def _readings(sentences: list[Sentence]) -> dict[int, Reading]:
    """The words of multiword tokens that were made one word each, by the token's place in the Doc."""
    found: dict[int, Reading] = {}
    start = 0
    for sentence in sentences:
        found |= {start + token: reading for token, reading in sentence.readings.items()}
        start += len(sentence.words)
    return found


def _kept(sentences: list[Sentence], *, with_annotation: bool) -> tuple[dict[str, Any], ...]:
    kept: list[dict[str, Any]] = []
    start = 0
    for sentence in sentences:
        end = start + len(sentence.words)
        entry: dict[str, Any] = {
            "start": start,
            "end": end,
            "comments": tuple(sentence.comments),
            "ranges": tuple((i, j, tuple(columns)) for i, j, columns in sentence.ranges),
            "forms": tuple(forms(sentence)),
            "misc": tuple(word[MISC] for word in sentence.words),
        }
        if with_annotation:
            entry["empty_nodes"] = tuple(
                (i, j, tuple(columns)) for i, j, columns in sentence.empty_nodes
            )
            for name, column in KEPT_COLUMNS.items():
                entry[name] = tuple(word[column] for word in sentence.words)
        kept.append(entry)
        start = end
    return tuple(kept)
