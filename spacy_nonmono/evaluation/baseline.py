"""A baseline without a model: every word is attached to the word on its left.

Its label is the most frequent one of the file's gold arcs. Where sentence boundaries are not given
a sentence ends at its final mark, as spaCy's `sentencizer` has it.
"""

from collections import Counter
from pathlib import Path

import numpy as np
import spacy
from spacy.language import Language

from ..treebank.corpus import create_conllu_corpus
from ..treebank.multiword import SPLIT
from .evaluate import read_parses
from .names import DOCUMENTS, GOLD_SENTENCES, SETTINGS
from .scores import ROOT_HEAD, Parses, Scores, score_parses


def attach_left(
    path: str | Path, *, n_sents: int = 10, multiword: str = SPLIT, tokenizer: Language | None = None
) -> dict[str, Scores]:
    """The scores of the baseline on a CoNLL-U file, by setting; there is no speed among them.

    n_sents: the number of sentences per Doc. multiword: as for the corpus reader. tokenizer: the
    pipeline that cuts tokens, where they are merged.
    """
    nlp = spacy.blank("xx")
    nlp.add_pipe("sentencizer")
    scores = {}
    for setting in SETTINGS:
        read_corpus = create_conllu_corpus(
            Path(path),
            n_sents=n_sents,
            gold_sents=setting == GOLD_SENTENCES,
            multiword=multiword,
        )
        examples = list(read_corpus(tokenizer or nlp))
        gold = read_parses(example.reference for example in examples)
        if setting == DOCUMENTS:
            docs = list(nlp.pipe(example.predicted for example in examples))
            is_start = [token.is_sent_start for doc in docs for token in doc]
            starts_N = np.array(is_start, dtype=bool)
        else:
            starts_N = gold.starts_N
        scores[setting] = score_parses(gold, _chain(gold, starts_N))
        scores[setting]["n_words"] = len(gold.heads_N)
        scores[setting]["n_sents"] = int(gold.starts_N.sum())
    return scores


def _chain(gold: Parses, starts_N: np.ndarray) -> Parses:
    heads_N = np.where(starts_N, ROOT_HEAD, np.arange(len(starts_N)) - 1)
    return Parses(
        heads_N=heads_N.astype(np.int64),
        labels_N=np.where(starts_N, "root", _most_frequent_label(gold)).astype(str),
        starts_N=starts_N,
        punct_N=gold.punct_N,
    )


def _most_frequent_label(gold: Parses) -> str:
    labels = gold.labels_N[gold.heads_N >= 0].tolist()
    return Counter(labels).most_common(1)[0][0] if labels else "dep"
