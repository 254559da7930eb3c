"""Scores of a pipeline on a CoNLL-U file, in one or both of two settings.

Gold words in both. In "gold_sentences" the sentence boundaries are set on the Doc beforehand; in
"documents" the pipeline finds them in Docs of ten sentences.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from time import perf_counter

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from ..errors import Errors
from ..treebank.corpus import ROOT_LABEL, create_conllu_corpus
from .scores import ROOT_HEAD, UNKNOWN_HEAD, Parses, Scores, score_parses

GOLD_SENTENCES = "gold_sentences"
DOCUMENTS = "documents"
SETTINGS = (GOLD_SENTENCES, DOCUMENTS)


def evaluate(
    nlp: Language, path: str | Path, *, settings: Sequence[str] = SETTINGS, n_sents: int = 10
) -> dict[str, Scores]:
    """The scores of `score_parses` a setting, and the numbers of words and sentences (`n_words`,
    `n_sents`) and the words a second through the whole pipeline (`words_per_second`), timed on a
    second pass.

    nlp: any pipeline that sets heads.
    settings: of SETTINGS.
    n_sents: sentences a Doc.
    """
    for setting in settings:
        if setting not in SETTINGS:
            raise ValueError(Errors.NM102.format(found=setting, known=", ".join(SETTINGS)))
    return {setting: _evaluate_setting(nlp, Path(path), setting, n_sents) for setting in settings}


def read_parses(docs: Iterable[Doc]) -> Parses:
    """The trees of Docs; a word without a label has an unknown head."""
    heads: list[int] = []
    labels: list[str] = []
    starts: list[bool] = []
    for doc in docs:
        offset = len(heads)
        for token in doc:
            is_root = token.head.i == token.i
            if not token.dep:
                heads.append(UNKNOWN_HEAD)
            else:
                heads.append(ROOT_HEAD if is_root else offset + token.head.i)
            labels.append("root" if token.dep_ == ROOT_LABEL else token.dep_)
            starts.append(token.i == 0 or bool(token.is_sent_start))
    return Parses(
        heads_N=np.array(heads, dtype=np.int64),
        labels_N=np.array(labels, dtype=str),
        starts_N=np.array(starts, dtype=bool),
    )


def _evaluate_setting(nlp: Language, path: Path, setting: str, n_sents: int) -> Scores:
    read_corpus = create_conllu_corpus(path, n_sents=n_sents, gold_sents=setting == GOLD_SENTENCES)
    examples = list(read_corpus(nlp))
    words = [example.predicted for example in examples]
    # The first pass fills caches, and is scored; the second is timed
    docs = list(nlp.pipe([doc.copy() for doc in words]))
    start = perf_counter()
    for _ in nlp.pipe(words):
        pass
    seconds = perf_counter() - start
    if not any(token.dep for doc in docs for token in doc):
        raise ValueError(Errors.NM103.format(components=", ".join(nlp.pipe_names)))
    gold = read_parses(example.reference for example in examples)
    scores = score_parses(gold, read_parses(docs))
    scores["n_words"] = len(gold.heads_N)
    scores["n_sents"] = int(gold.starts_N.sum())
    scores["words_per_second"] = len(gold.heads_N) / seconds
    return scores
