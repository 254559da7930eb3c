"""Scores of a pipeline on a CoNLL-U file, in one or both of two settings.

Gold words in both: syntactic words, or tokens where the pipeline was trained on multiword tokens that
were merged (`treebank/multiword.py`). In "gold_sentences" the sentence boundaries are set on the Doc
beforehand; in "documents" the pipeline finds them in Docs of ten sentences. Words only, unless
`gold_tags` puts the gold tags on the Doc as well: an oracle setting, which the scores tell.
"""

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from time import perf_counter

import numpy as np
import spacy
from numpy.typing import NDArray
from spacy.lang.lex_attrs import is_punct
from spacy.language import Language
from spacy.tokens import Doc, Token

from ..errors import Errors, Warnings, count
from ..progress import parse_shown
from ..shapes import UNKNOWN_HEAD
from ..treebank.corpus import KEPT, ROOT_LABEL, create_conllu_corpus
from ..treebank.multiword import MERGE, SPLIT, learned_words
from ..treebank.sentences import EMPTY, ROOT_LABELS
from .names import GOLD_SENTENCES, SETTINGS
from .scores import ROOT_HEAD, Parses, Scores, score_parses

PUNCT = "PUNCT"


@dataclass(frozen=True)
class ParsedFile:
    """A file's gold trees and those that a pipeline gives the same words."""

    gold: Parses
    predicted: Parses
    gold_docs: list[Doc]  # with all that the file says
    docs: list[Doc]  # that the pipeline made
    words_per_second: float | None  # through the whole pipeline, on a second pass
    gold_tags: bool
    merged: bool  # multiword tokens, into one word each

    @property
    def tags(self) -> list[str]:
        """The gold tags of all words."""
        return [gold_tag(token) for doc in self.gold_docs for token in doc]

    def scores(self) -> Scores:
        """As `evaluate` gives them."""
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
    """The scores of `score_parses` in each setting, and the numbers of words and sentences (`n_words`,
    `n_sents`), the words per second through the whole pipeline (`words_per_second`), timed on a
    second pass, whether it was given the gold tags (`gold_tags`), and whether multiword tokens count as
    one word each (`merged`).

    nlp: any pipeline that sets heads.
    settings: some of SETTINGS.
    n_sents: the number of sentences per Doc.
    gold_tags: give the pipeline the gold POS, TAG and MORPH.
    multiword: "split" or "merge", as for the corpus reader; by default as the pipeline was trained.
    """
    return {
        setting: parse_file(
            nlp, path, setting=setting, n_sents=n_sents, gold_tags=gold_tags, multiword=multiword
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
) -> ParsedFile:
    """Parse a CoNLL-U file twice: once for the trees, once for the time. The parameters are those of
    `evaluate`.

    Raises ValueError: NM102 for an unknown setting, NM103 if the pipeline sets no heads.
    """
    if setting not in SETTINGS:
        raise ValueError(Errors.NM102.format(found=setting, known=", ".join(SETTINGS)))
    multiword = multiword or learned_words(nlp)
    read_corpus = create_conllu_corpus(
        Path(path),
        n_sents=n_sents,
        gold_sents=setting == GOLD_SENTENCES,
        gold_tags=gold_tags,
        multiword=multiword,
    )
    examples = list(read_corpus(nlp))
    words = [example.predicted for example in examples]
    # The first pass fills caches
    docs = list(parse_shown(nlp, (doc.copy() for doc in words), len(words)))
    start = perf_counter()
    for _ in nlp.pipe(words):
        pass
    seconds = perf_counter() - start
    check_heads(nlp, docs)
    gold_docs = [example.reference for example in examples]
    gold = read_parses(gold_docs)
    return ParsedFile(
        gold=gold,
        predicted=read_parses(docs),
        gold_docs=gold_docs,
        docs=docs,
        words_per_second=len(gold.heads_N) / seconds,
        gold_tags=gold_tags,
        merged=multiword == MERGE,
    )


def read_file_of_trees(
    trees: str | Path,
    path: str | Path,
    *,
    multiword: str = SPLIT,
    tokenizer: Language | None = None,
) -> ParsedFile:
    """The trees that any parser wrote to a CoNLL-U file, beside the gold ones of the same sentences.

    trees: the predicted trees. path: the gold ones.
    multiword: "split" or "merge", as for the corpus reader.
    tokenizer: the pipeline that cuts tokens, where they are merged.

    Warns of second roots and cycles among them (NM588). Raises ValueError (NM108) if the two have other
    words or other sentences.
    """
    nlp = tokenizer or spacy.blank("xx")
    read_trees, read_gold = (
        create_conllu_corpus(Path(file), gold_sents=True, multiword=multiword) for file in (trees, path)
    )
    with warnings.catch_warnings():
        # What the reader says of each word is about gold trees
        warnings.filterwarnings("ignore", r"\[NM58[013]\]")
        docs = [example.reference for example in read_trees(nlp)]
    predicted = read_parses(docs)
    is_forgotten_N = (predicted.heads_N == UNKNOWN_HEAD) & (_file_column(docs, "head") != EMPTY)
    n_impossible = int(is_forgotten_N.sum())
    if n_impossible:
        warnings.warn(Warnings.NM588.format(path=trees, n=count(n_impossible, "word")), stacklevel=2)
    gold_docs = [example.reference for example in read_gold(nlp)]
    _check_same_sentences(docs, gold_docs, trees, path)
    return ParsedFile(
        gold=read_parses(gold_docs),
        predicted=_with_root_labels(predicted, docs, gold_docs),
        gold_docs=gold_docs,
        docs=docs,
        words_per_second=None,
        gold_tags=False,
        merged=multiword == MERGE,
    )


def _file_column(docs: Sequence[Doc], name: str) -> NDArray[np.str_]:
    """A column of all words as the file has it, of those that the reader keeps."""
    return np.array(
        [value for doc in docs for kept in doc.user_data[KEPT] for value in kept[name]], dtype=str
    )


def _with_root_labels(predicted: Parses, docs: Sequence[Doc], gold_docs: Sequence[Doc]) -> Parses:
    """The reader of treebanks calls every root ROOT. Here a root keeps a label of its own, which is
    wrong, unless the gold file has the same."""
    labels_N, gold_N = (_file_column(all_docs, "deprel") for all_docs in (docs, gold_docs))
    is_own_N = ~np.isin(labels_N, ROOT_LABELS) & (labels_N != gold_N)
    is_wrong_N = (predicted.heads_N == ROOT_HEAD) & is_own_N
    return replace(predicted, labels_N=np.where(is_wrong_N, labels_N, predicted.labels_N))


def _check_same_sentences(
    docs: Sequence[Doc], gold_docs: Sequence[Doc], trees: str | Path, path: str | Path
) -> None:
    sentences, gold_sentences = (
        [[token.text for token in sent] for doc in all_docs for sent in doc.sents]
        for all_docs in (docs, gold_docs)
    )
    for number, (one, other) in enumerate(zip_longest(sentences, gold_sentences), start=1):
        if one != other:
            found, expected = ("missing" if words is None else words for words in (one, other))
            raise ValueError(
                Errors.NM108.format(
                    path=trees, number=number, found=found, gold=path, expected=expected
                )
            )


def check_heads(nlp: Language, docs: Sequence[Doc]) -> None:
    """Raises ValueError (NM103) if the pipeline, which made the Docs, sets no heads."""
    if docs and not any(doc.has_annotation("DEP") for doc in docs):
        raise ValueError(Errors.NM103.format(components=", ".join(nlp.pipe_names) or "none"))


def read_parses(docs: Iterable[Doc]) -> Parses:
    """The trees of Docs; a word without a label has an unknown head."""
    heads: list[int] = []
    labels: list[str] = []
    starts: list[bool] = []
    puncts: list[bool] = []
    for doc in docs:
        offset = len(heads)
        for token in doc:
            is_root = token.head.i == token.i
            if not token.dep:
                heads.append(UNKNOWN_HEAD)
            else:
                heads.append(ROOT_HEAD if is_root else offset + token.head.i)
            labels.append("root" if is_root and token.dep_ == ROOT_LABEL else token.dep_)
            starts.append(token.i == 0 or bool(token.is_sent_start))
            puncts.append(is_punctuation(token))
    return Parses(
        heads_N=np.array(heads, dtype=np.int64),
        labels_N=np.array(labels, dtype=str),
        starts_N=np.array(starts, dtype=bool),
        punct_N=np.array(puncts, dtype=bool),
    )


def gold_tag(token: Token) -> str:
    """UPOS; where there is none, as in a CoNLL-X file, XPOS."""
    return token.pos_ or token.tag_


def is_punctuation(token: Token) -> bool:
    """Is its UPOS PUNCT; or if it has none, does it consist of characters of the categories P?"""
    return token.pos_ == PUNCT if token.pos else is_punct(token.text)
