"""Scores of a pipeline on a CoNLL-U file, in one or both of two settings.

Gold words in both: syntactic words, or tokens where the pipeline was trained on multiword tokens that
were merged (`treebank/multiword.py`). In "gold_sentences" the sentence boundaries are set on the Doc
beforehand; in "documents" the pipeline finds them in Docs of ten sentences. Words only, unless
`gold_tags` puts the gold tags on the Doc as well: an oracle setting, which the scores tell.
"""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import spacy
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc

from ..errors import Errors, Warnings, count
from ..installed import find_parser, sets_no_heads
from ..treebank.docs import check_words, document_of, make_doc
from ..treebank.multiword import MERGE, SPLIT, learned_words
from ..treebank.reader import read_words
from ..treebank.sentences import (
    DEPREL,
    EMPTY,
    ROOT_LABELS,
    Sentence,
    groups,
    read_confidence,
    tag_of,
)
from .names import GOLD_SENTENCES, SETTINGS
from .progress_bar import parse_shown
from .scores import ROOT_HEAD, Parses, Scores, read_parses, score_parses


@dataclass(frozen=True)
class ParsedFile:
    """A file's gold trees and those that a pipeline gives the same words."""

    gold: Parses
    predicted: Parses
    gold_sentences: list[Sentence]
    sentences: list[Sentence]  # that the pipeline made
    words_per_second: float | None  # through the whole pipeline
    gold_tags: bool
    merged: bool  # multiword tokens, into one word each

    @property
    def tags(self) -> list[str]:
        """The gold tag of each word: its UPOS; where there is none, as in a CoNLL-X file, its XPOS;
        else "".
        """
        words = (word for sentence in self.gold_sentences for word in sentence.words)
        return ["" if tag == EMPTY else tag for tag in map(tag_of, words)]

    def scores(self) -> Scores:
        """Score the predicted trees, as `evaluate` does."""
        return {
            **score_parses(self.gold, self.predicted),
            "n_words": len(self.gold.heads_N),
            "n_sents": int(self.gold.starts_N.sum()),
            "words_per_second": self.words_per_second,
            "gold_tags": self.gold_tags,
            "merged": self.merged,
        }


def evaluate(
    nlp: Language,
    path: str | Path,
    *,
    settings: Sequence[str] = SETTINGS,
    n_sents: int = 10,
    gold_tags: bool = False,
    multiword: str | None = None,
) -> dict[str, Scores]:
    """Score a pipeline on a CoNLL-U file, in some settings.

    Of each setting there are the scores of `score_parses`; the numbers of words and sentences
    (`n_words`, `n_sents`); the words per second through the whole pipeline, timed on a second pass
    (`words_per_second`); and whether the pipeline was given the gold tags (`gold_tags`) and multiword
    tokens count as one word each (`merged`).

    nlp: any pipeline that sets heads.
    settings: some of SETTINGS.
    n_sents: the number of sentences per Doc.
    gold_tags: give the pipeline the gold POS, TAG and MORPH.
    multiword: "split" or "merge", as for the corpus reader; by default as the pipeline was trained.
    """
    return {
        setting: parse_file(
            nlp,
            path,
            setting=setting,
            n_sents=n_sents,
            gold_tags=gold_tags,
            multiword=multiword,
            timed=True,
        ).scores()
        for setting in settings
    }


def parse_file(
    nlp: Language,
    path: str | Path,
    *,
    setting: str = GOLD_SENTENCES,
    n_sents: int = 10,
    gold_tags: bool = False,
    multiword: str | None = None,
    timed: bool = False,
    confidence: bool = False,
) -> ParsedFile:
    """Parse a treebank file. The parameters are those of `evaluate`.

    timed: parse it once more, for the time.
    confidence: with the scores of the arcs, if the parser can give any.

    Raises ValueError: NM102 for an unknown setting, NM103 if the pipeline sets no heads, NM101 if it
    changes the words. Warns if no head of the file is known (NM586).
    """
    if setting not in SETTINGS:
        raise ValueError(Errors.NM102.format(found=setting, known=", ".join(SETTINGS)))
    multiword = multiword or learned_words(nlp)
    gold = list(read_words(path, nlp, multiword))
    if not any(head is not None for sentence in gold for head in sentence.heads):
        warnings.warn(Warnings.NM586.format(path=path), stacklevel=2)
    words = [
        make_doc(nlp.vocab, group, boundaries=setting == GOLD_SENTENCES, tags=gold_tags)
        for group in groups(gold, n_sents)
    ]
    with ExitStack() as stack:
        if confidence:
            with suppress(ValueError):  # there is no such parser, or it is a linear one
                stack.enter_context(dep_scores_on(nlp.get_pipe(find_parser(nlp))))
        docs = list(parse_shown(nlp, (doc.copy() for doc in words), len(words)))
    if docs and not any(doc.has_annotation("DEP") for doc in docs):
        raise sets_no_heads(nlp)
    check_words([t.text for doc in docs for t in doc], [form for one in gold for form in one.forms])
    for doc, before in zip(docs, words, strict=True):
        doc.user_data |= before.user_data  # a component may have made another Doc
    sentences = [one for doc in docs for one in document_of(doc, expand=False).sentences]
    parsed = _parsed_file(gold, sentences, gold_tags=gold_tags, merged=multiword == MERGE)
    if not timed:
        return parsed
    # The first pass filled caches
    return replace(parsed, words_per_second=len(parsed.gold.heads_N) / time_docs(nlp.pipe(words)))


def time_docs(docs: Iterable[Doc]) -> float:
    """Measure the seconds until an iterator has given all its Docs."""
    start = perf_counter()
    for _ in docs:
        pass
    return perf_counter() - start


@contextmanager
def dep_scores_on(parser: Any) -> Iterator[None]:
    """Let a `nonmono_parser` set `token._.dep_score` in the block.

    Raises ValueError (NM056) if its model is a linear one.
    """
    was_on = parser.dep_scores
    parser.dep_scores = True
    try:
        yield
    finally:
        parser.dep_scores = was_on


def read_file_of_trees(
    trees: str | Path,
    path: str | Path,
    *,
    multiword: str = SPLIT,
    tokenizer: Language | None = None,
) -> ParsedFile:
    """Read the trees that any parser wrote to a CoNLL-U file, and the gold trees of the same sentences.

    trees: the predicted trees. path: the gold ones.
    multiword: "split" or "merge", as for the corpus reader.
    tokenizer: the pipeline that cuts tokens, where they are merged.

    Warns of second roots and cycles among them (NM588). Raises ValueError (NM108) if the two have other
    words or other sentences.
    """
    nlp = tokenizer or spacy.blank("xx")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sentences = list(read_words(trees, nlp, multiword))
    # What the reader says of each word is about gold trees
    texts = [str(warning.message) for warning in caught]
    n_impossible = sum(text.startswith(("[NM580]", "[NM581]")) for text in texts)
    if n_impossible:
        warnings.warn(Warnings.NM588.format(path=trees, n=count(n_impossible, "word")), stacklevel=2)
    for sentence in sentences:
        sentence.scores = read_confidence(sentence)
    gold = list(read_words(path, nlp, multiword))
    check_same_sentences(sentences, gold, trees, path)
    return _parsed_file(gold, sentences, gold_tags=False, merged=multiword == MERGE)


def _parsed_file(
    gold: list[Sentence], sentences: list[Sentence], *, gold_tags: bool, merged: bool
) -> ParsedFile:
    trees = read_parses(gold)
    is_gold_root_N = trees.heads_N == ROOT_HEAD
    words_M = np.arange(len(is_gold_root_N))
    predicted = with_root_labels(read_parses(sentences), sentences, gold, is_gold_root_N, words_M)
    return ParsedFile(trees, predicted, gold, sentences, None, gold_tags, merged)


def with_root_labels(
    predicted: Parses,
    sentences: Sequence[Sentence],
    gold: Sequence[Sentence],
    is_gold_root_N: NDArray[np.bool_],
    words_M: NDArray[np.int64],
) -> Parses:
    """Give predicted roots the labels that they are scored with. All roots of a treebank have the label
    `root`. A predicted root with another label than those that mean a root keeps it, and so is wrong,
    unless the gold file has the same label at the same root.

    words_M: the gold word of each predicted one; -1 for none.
    """
    labels_M, gold_N = (
        np.array([word[DEPREL] for one in side for word in one.words], dtype=str)
        for side in (sentences, gold)
    )
    is_same_M = (words_M >= 0) & is_gold_root_N[words_M] & (labels_M == gold_N[words_M])
    is_own_M = ~np.isin(labels_M, ROOT_LABELS) & ~is_same_M
    is_wrong_M = (predicted.heads_N == ROOT_HEAD) & is_own_M
    return replace(predicted, labels_N=np.where(is_wrong_M, labels_M, predicted.labels_N))


def check_same_sentences(
    sentences: Sequence[Sentence], gold: Sequence[Sentence], trees: str | Path, path: str | Path
) -> None:
    """Check that two files have the same words in the same sentences. Raises ValueError (NM108) if they
    have not."""
    for number, (one, other) in enumerate(zip_longest(sentences, gold), start=1):
        found, expected = ("missing" if side is None else side.forms for side in (one, other))
        if found != expected:
            raise ValueError(
                Errors.NM108.format(
                    path=trees, number=number, found=found, gold=path, expected=expected
                )
            )
