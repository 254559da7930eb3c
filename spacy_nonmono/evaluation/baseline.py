"""A baseline without a model: every word is attached to the word on its left.

Its label is the most frequent one of the file's gold arcs. Where sentence boundaries are not given
a sentence ends at its final mark, as spaCy's `sentencizer` has it.
"""

from pathlib import Path
from statistics import mode

import numpy as np
import spacy
from spacy.language import Language

from ..shapes import UNKNOWN_LABEL
from ..treebank.docs import make_doc
from ..treebank.multiword import SPLIT
from ..treebank.reader import read_words
from ..treebank.sentences import groups
from .names import DOCUMENTS, SETTINGS
from .scores import ROOT_HEAD, Parses, Scores, read_parses, score_parses


def attach_left(
    path: str | Path, *, n_sents: int = 10, multiword: str = SPLIT, tokenizer: Language | None = None
) -> dict[str, Scores]:
    """Score the baseline on a CoNLL-U file. Returns the scores of each setting, without a speed.

    n_sents: the number of sentences per Doc. multiword: as for the corpus reader. tokenizer: the
    pipeline that cuts tokens, where they are merged.
    """
    nlp = spacy.blank("xx")
    nlp.add_pipe("sentencizer")
    sentences = list(read_words(path, tokenizer or nlp, multiword))
    gold = read_parses(sentences)
    scores = {}
    for setting in SETTINGS:
        starts_N = gold.starts_N
        if setting == DOCUMENTS:
            docs = nlp.pipe(make_doc(nlp.vocab, group) for group in groups(sentences, n_sents))
            starts_N = np.array([token.is_sent_start for doc in docs for token in doc], dtype=bool)
        scores[setting] = score_parses(gold, _chain(gold, starts_N))
        scores[setting]["n_words"] = len(gold.heads_N)
        scores[setting]["n_sents"] = int(gold.starts_N.sum())
    return scores


def _chain(gold: Parses, starts_N: np.ndarray) -> Parses:
    heads_N = np.where(starts_N, ROOT_HEAD, np.arange(len(starts_N)) - 1)
    is_known_N = (gold.heads_N >= 0) & (gold.labels_N != UNKNOWN_LABEL)
    label = mode(gold.labels_N[is_known_N].tolist() or ["dep"])
    return Parses(
        heads_N=heads_N.astype(np.int64),
        labels_N=np.where(starts_N, "root", label).astype(str),
        starts_N=starts_N,
        punct_N=gold.punct_N,
    )
