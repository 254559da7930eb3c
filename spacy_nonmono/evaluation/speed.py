"""Speeds of pipelines, of the parser alone and of everything, and of parsers by sentence length.

All see the same Docs in turns, so that a machine that slows down slows all of them down; the best of
several rounds counts. What comes before the parser in its pipeline (tok2vec above all) has run on
the Docs beforehand when the parser alone is timed: a listener reads their `tensor`. Documents come
without sentence boundaries.
"""

import gc
from collections.abc import Callable, Iterable, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

from spacy.language import Language
from spacy.tokens import Doc

from ..errors import Errors
from ..installed import find_parser
from ..treebank.docs import make_doc
from ..treebank.multiword import MERGE, SPLIT, learned_words
from ..treebank.reader import read_sentences, read_words
from ..treebank.sentences import Sentence, groups
from .evaluate import time_docs

DOC_SENTENCES, DOC_WORDS = 10, 200


class LengthSpeed(NamedTuple):
    """The speed of a parser in sentences of one length. choices_per_word: how many moves had an
    alternative; None for spaCy's parser, which does not tell.
    """

    words_per_second: float
    choices_per_word: float | None


class Speeds(TypedDict):
    """The words per second of pipelines, and of their parsers alone. components: their names."""

    component: list[float]
    pipeline: list[float]
    components: list[str]
    n_words: int
    repeat: int
    gold_tags: bool


class Contestant:
    """A pipeline with its Docs: `words` as they are read, `prepared` up to the parser."""

    def __init__(self, nlp: Language, words: list[Doc]) -> None:
        self.nlp, self.words = nlp, words
        self.parser = find_parser(nlp, or_spacys=True)
        from_parser_on = nlp.pipe_names[nlp.pipe_names.index(self.parser) :]
        self.prepared = list(nlp.pipe((doc.copy() for doc in words), disable=from_parser_on))

    def time_component(self) -> float:
        """Seconds that the parser takes by itself."""
        component: Any = self.nlp.get_pipe(self.parser)
        size = self.nlp.batch_size
        return _time(lambda docs: component.pipe(docs, batch_size=size), self.prepared)

    def time_pipeline(self) -> float:
        """Seconds that the whole pipeline takes."""
        return _time(self.nlp.pipe, self.words)


def measure_speeds(
    pipelines: Iterable[Language],
    path: str | Path,
    *,
    repeat: int = 5,
    gold_tags: bool = False,
) -> Speeds:
    """Time pipelines on a CoNLL-U file, in this thread.

    repeat: rounds, of which the best counts.
    gold_tags: give the pipelines the gold POS, TAG and MORPH.

    Raises ValueError: NM110 for a pipeline without a parser, NM112 for a file without words.
    """
    pipelines = list(pipelines)
    # All get the same words, whatever their tokenizers cut
    multiword = MERGE if MERGE in map(learned_words, pipelines) else SPLIT
    sentences = list(read_words(path, pipelines[0], multiword))
    contestants = [_enter(nlp, sentences, gold_tags) for nlp in pipelines]
    n_words = sum(len(doc) for doc in contestants[0].words)
    if not n_words:
        raise ValueError(Errors.NM112.format(path=path))
    return Speeds(
        component=_words_per_second(n_words, [one.time_component for one in contestants], repeat),
        pipeline=_words_per_second(n_words, [one.time_pipeline for one in contestants], repeat),
        components=[one.parser for one in contestants],
        n_words=n_words,
        repeat=repeat,
        gold_tags=gold_tags,
    )


def measure_lengths(
    nlp: Language, path: str | Path, lengths: Sequence[int], *, n_words: int = 20_000, repeat: int = 3
) -> list[LengthSpeed]:
    """Time the parser alone in sentences of each of some lengths, in this thread.

    The words are those of a CoNLL-U file, again and again, cut into sentences whose boundaries are
    preset.

    n_words: about so many for each length, one sentence at least.
    repeat: rounds, of which the best counts.

    Raises ValueError: NM110 for a pipeline without a parser, NM112 for a file without words.
    """
    words = [form for sentence in read_sentences(Path(path)) for form in sentence.forms]
    if not words:
        raise ValueError(Errors.NM112.format(path=path))
    speeds = []
    for length in lengths:
        n_sents = max(n_words // length, 1)
        # Docs of about as many words as those of ten sentences have
        n_sents_doc = max(DOC_WORDS // length, 1)
        endless = cycle(words)
        docs = []
        for first in range(0, n_sents, n_sents_doc):
            n = min(n_sents_doc, n_sents - first)
            starts: list[bool | int | None] = [i == 0 for _ in range(n) for i in range(length)]
            docs.append(Doc(nlp.vocab, list(islice(endless, n * length)), sent_starts=starts))
        timed = Contestant(nlp, docs)
        seconds = min(timed.time_component() for _ in range(repeat))
        choices = count_choices(nlp.get_pipe(timed.parser), timed.prepared)
        per_word = None if choices is None else choices / (n_sents * length)
        speeds.append(LengthSpeed(n_sents * length / seconds, per_word))
    return speeds


def count_choices(parser: Any, docs: Iterable[Doc]) -> int | None:
    """Count the choices that a `nonmono_parser` makes to parse docs; None for another component."""
    if not hasattr(parser, "prepare"):
        return None
    n_choices = 0
    for doc in docs:
        batch, _ = parser.prepare([doc])
        batch.parse()
        n_choices += batch.n_choices
    return n_choices


def _enter(nlp: Language, sentences: list[Sentence], gold_tags: bool) -> Contestant:
    words = [make_doc(nlp.vocab, group, tags=gold_tags) for group in groups(sentences, DOC_SENTENCES)]
    return Contestant(nlp, words)


def _words_per_second(n_words: int, timers: list[Callable[[], float]], repeat: int) -> list[float]:
    rounds = [[time() for time in timers] for _ in range(repeat)]
    return [n_words / min(seconds) for seconds in zip(*rounds, strict=True)]


def _time(parse: Callable[[Iterable[Doc]], Iterable[Doc]], docs: list[Doc]) -> float:
    copies = [doc.copy() for doc in docs]  # with their tensors
    gc.collect()
    return time_docs(parse(copies))
