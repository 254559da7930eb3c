"""Corpus readers for `[corpora]` in a spaCy config; `docs.py` tells what is in their Docs."""

import logging
import random
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy
from spacy.attrs import SENT_START
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import minibatch
from spacy.vocab import Vocab

from ..errors import Errors, Warnings
from ..tokens.boundaries import UNROOTED
from ..tokens.merged import forget_readings, mark_known, register_words
from .docs import make_doc
from .formats import CONLLU, FORMATS
from .multiword import CHOICES, MERGE, SPLIT
from .reader import read_sentences, read_words
from .sentences import FORM, Sentence, groups


def read_docs(path: str | Path, vocab: Vocab, n_sents: int = 10) -> Iterator[Doc]:
    """Read a treebank, or what `parse` wrote, as Docs with trees, tags and lemmas, for spaCy's
    `DependencyMatcher` and other programs.

    path: a file or a folder, as `read_sentences` takes it; of CoNLL-X the suffix tells.
    n_sents: the number of sentences per Doc, 1 or more; the last Doc may have fewer.

    Raises ValueError (NM084) for another number, and what `read_sentences` raises.
    """
    if n_sents < 1:
        raise ValueError(Errors.NM084.format(option="n_sents", found=n_sents, expected="1 or more"))
    for group in groups(read_sentences(Path(path)), n_sents):
        yield make_doc(vocab, group, tags=True, lemmas=True, trees=True)


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
    """Return a reader that turns CoNLL-U or CoNLL-X into Examples.

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

    if multiword == MERGE:
        register_words()

    def read_corpus(nlp: Language) -> Iterator[Example]:
        sentences = read_words(path, nlp, multiword, format)
        if not gold_words:
            sentences = map(_check_spelled, sentences)

        def make(group: list[Sentence]) -> Example:
            reference = make_doc(nlp.vocab, group, tags=True, lemmas=True, trees=True)
            if multiword == MERGE:
                mark_known(reference)
            if not gold_words:
                return Example(nlp.make_doc(reference.text), reference)
            return Example(make_doc(nlp.vocab, group, boundaries=gold_sents, tags=gold_tags), reference)

        examples = map(make, groups(sentences, n_sents))
        return _telling_no_heads(islice(examples, limit or None), path)

    return read_corpus


def _check_spelled(sentence: Sentence) -> Sentence:
    """Raise ValueError (NM084) for words without a place in the text."""
    for found in sentence.ranges:
        if not sentence.is_spelled(found):
            words = " ".join(sentence.forms[found.start : found.end])
            expected = (
                f'true, or "merge" for `multiword`, since {words!r} does not spell '
                f"{found.columns[FORM]!r}"
            )
            raise ValueError(Errors.NM084.format(option="gold_words", found=False, expected=expected))
    return sentence


def _telling_no_heads(examples: Iterable[Example], path: Path) -> Iterator[Example]:
    """Yield the examples, and warn in the end if none of them has a known head (NM586)."""
    is_known = False
    for example in examples:
        is_known = is_known or example.reference.has_annotation("DEP")
        yield example
    if not is_known:
        warnings.warn(Warnings.NM586.format(path=path), stacklevel=2)


def create_mixed_corpus(
    gold: Callable[[Language], Iterable[Example]],
    silver: Callable[[Language], Iterable[Example]],
    ratio: float = 1.0,
    seed: int = 0,
) -> Callable[[Language], Iterator[Example]]:
    """Return a reader that gives, each time that it is asked, all of a treebank and the next part of a
    larger one, in random order: gold trees, and such as parsers made, which teach no boundaries. Let
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
            example.reference.user_data.pop(UNROOTED, None)
            # The words of multiword tokens are those of the treebank
            forget_readings(example.reference)
        examples += chosen
        rng.shuffle(examples)
        yield from examples

    return read_corpus


@dataclass(frozen=True)
class WithoutW086:
    """Filters spaCy's log: W086 wants frozen components among the `annotating_components`."""

    components: tuple[str, ...]

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        return "[W086]" not in text or not any(repr(name) in text for name in self.components)


def create_annotated_corpus(
    corpus: Callable[[Language], Iterable[Example]], components: list[str]
) -> Callable[[Language], Iterator[Example]]:
    """Return a reader that adds to the predicted Docs of another one what components set that do not
    learn, such as the vectors of a frozen transformer. They run once over the corpus, where
    `annotating_components` run in each step, and what they set is kept in memory. If `max_epochs` is
    -1, they run in each epoch.

    corpus: the other reader.
    components: their names. None runs while it is disabled, as frozen ones are while a pipeline is
        initialized, which needs nothing of them.

    The reader raises KeyError (spaCy's E001) if the pipeline lacks a component, ValueError (NM092) if
    one learns.
    """

    def read_corpus(nlp: Language) -> Iterator[Example]:
        frozen = nlp.config.interpolate()["training"]["frozen_components"]
        for name in components:
            learns = getattr(nlp.get_pipe(name), "is_trainable", False)
            if learns and name not in frozen:
                raise ValueError(Errors.NM092.format(name=name))
        running = [name for name in components if name not in nlp.disabled]
        log = logging.getLogger("spacy")
        # spaCy warns when the pipeline has been initialized, and then reads anew
        (log.removeFilter if running else log.addFilter)(WithoutW086(tuple(components)))
        for batch in minibatch(corpus(nlp), nlp.batch_size):
            with nlp.select_pipes(enable=running):
                docs = list(nlp.pipe([example.predicted for example in batch]))
            for example, doc in zip(batch, docs, strict=True):
                example.predicted = doc
                yield example

    return read_corpus
