"""Attachment scores on gold words, counted as the UD scorer (CoNLL 2018 shared task) counts them.

`uas` and `las_universal` are its UAS and LAS, which compares labels without their subtypes
(`nsubj` for `nsubj:pass`); `las` compares whole labels. `clas` is its CLAS: the F-score, labels
without subtypes, of the content words. A word is one by its label, so gold and prediction may have
different ones. `ucm` and `lcm` (complete match) are the shares of the gold sentences all of whose
words have the right head, and the right label, too. `sents_p`, `sents_r` and `sents_f` count sentences
whose first and last word are both right.

Punctuation counts as any word does; the scores that end in `_no_punct` leave it out. Punctuation is
what has the gold UPOS `PUNCT`, and of the words that have no gold UPOS, as all of a CoNLL-X file, those
of which every character is of a Unicode category P, as the CoNLL-X task had it.

`nonproj_p`, `nonproj_r` and `nonproj_f` are about heads on non-projective arcs: how many that are
predicted are right, and how many that are gold are found. `nonproj_arcs_*` and `nonproj_sents_*`
are shares of the words with a head and of all sentences.

Words of unknown gold head are left out everywhere, and those of unknown gold label (`_`) where labels
count. So are, of the complete matches, sentences of which no word is left. A score with nothing to count
is None.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import SupportsFloat

import numpy as np
from numpy.typing import NDArray
from spacy.lang.lex_attrs import is_punct

from ..shapes import UNKNOWN_HEAD, UNKNOWN_LABEL, unfit
from ..tokens.projectivity import crossing_arcs
from ..treebank.sentences import DEPREL, EMPTY, FORM, UPOS, Sentence

ROOT_HEAD = -1
PUNCT = "PUNCT"

# The universal relations but for those of function words and `punct`
_CLAUSES = {"root", "csubj", "ccomp", "xcomp", "advcl", "acl", "parataxis"}
_NOMINALS = {"nsubj", "obj", "iobj", "obl", "expl", "vocative", "dislocated", "nmod", "appos"}
_MODIFIERS = {"nummod", "amod", "advmod", "discourse"}
_OTHERS = {"conj", "fixed", "flat", "compound", "list", "orphan", "goeswith", "reparandum", "dep"}
CONTENT_LABELS = frozenset(_CLAUSES | _NOMINALS | _MODIFIERS | _OTHERS)

Scores = dict[str, float | None]


@dataclass(frozen=True)
class Parses:
    """The trees of N words, sentence after sentence."""

    heads_N: NDArray[np.int64]  # indices of words here, ROOT_HEAD or UNKNOWN_HEAD
    labels_N: NDArray[np.str_]  # as in UD: that of a root is `root`
    starts_N: NDArray[np.bool_]  # is the word the first of a sentence?
    punct_N: NDArray[np.bool_]  # is it punctuation? Scores ask the gold trees

    def __post_init__(self) -> None:
        sizes = {len(values) for values in vars(self).values()}
        if len(sizes) > 1 or not self.starts_N[:1].all():
            expected = "one value per word in each, and a sentence that starts at the first word"
            raise unfit("the lengths of heads, labels, starts and punctuation", sorted(sizes), expected)


def read_parses(sentences: Iterable[Sentence]) -> Parses:
    """Read the trees of sentences into arrays. Each root has the label `root`, a word of unknown head
    the label "".
    """
    heads: list[int] = []
    labels: list[str] = []
    starts: list[bool] = []
    puncts: list[bool] = []
    for sentence in sentences:
        start = len(heads)
        for columns, head in zip(sentence.words, sentence.heads, strict=True):
            starts.append(len(heads) == start)
            if head is None:
                heads.append(UNKNOWN_HEAD)
                labels.append("")
            else:
                heads.append(ROOT_HEAD if head < 0 else start + head)
                labels.append("root" if head < 0 else columns[DEPREL])
            puncts.append(is_punctuation(columns))
    return Parses(
        heads_N=np.array(heads, dtype=np.int64),
        labels_N=np.array(labels, dtype=str),
        starts_N=np.array(starts, dtype=bool),
        punct_N=np.array(puncts, dtype=bool),
    )


def is_punctuation(columns: list[str]) -> bool:
    """Is a word punctuation? It is if its UPOS is PUNCT; without a UPOS, if all its characters are of a
    Unicode category P.
    """
    return is_punct(columns[FORM]) if columns[UPOS] == EMPTY else columns[UPOS] == PUNCT


def score_parses(gold: Parses, predicted: Parses) -> Scores:
    """Compute all scores of this module by name. A score is a share between 0 and 1, or None if there is
    nothing to count.
    """
    known = gold.heads_N != UNKNOWN_HEAD
    no_punct = known & ~gold.punct_N
    scores: Scores = {}
    for counted_N, suffix in ((known, ""), (no_punct, "_no_punct")):
        for name, score in _attachment(gold, predicted, counted_N).items():
            scores[name + suffix] = score
    spans, found = (sentence_spans(parses.starts_N) for parses in (gold, predicted))
    scores.update(ratios("sents", len(set(spans) & set(found)), len(spans), len(found)))
    scores.update(_non_projectivity(gold, predicted, known))
    return scores


def universal_labels(labels_N: NDArray[np.str_]) -> NDArray[np.str_]:
    """Cut the subtypes off labels: `nsubj` for `nsubj:pass`."""
    return np.array([label.partition(":")[0] for label in labels_N.tolist()], dtype=str)


def sentence_spans(starts_N: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the first word of each sentence and the one after its last."""
    starts = np.flatnonzero(starts_N).tolist()
    return list(pairwise([*starts, len(starts_N)]))


def tree_between(
    parses: Parses, start: int, end: int
) -> tuple[list[int | None], list[str | None]]:
    """Return the heads and labels of the words from `start` to `end` (exclusive). Heads count from
    `start`, and are -1 for roots. Heads that are unknown or outside are None, as are their labels and
    those that are unknown.
    """
    heads: list[int | None] = []
    labels: list[str | None] = []
    pairs = zip(parses.heads_N[start:end].tolist(), parses.labels_N[start:end].tolist(), strict=True)
    for head, label in pairs:
        is_known = head == ROOT_HEAD or start <= head < end
        heads.append(None if not is_known else head if head == ROOT_HEAD else head - start)
        labels.append(label if is_known and label != UNKNOWN_LABEL else None)
    return heads, labels


def crossing_words(parses: Parses) -> NDArray[np.bool_]:
    """Say of each word (N) whether its arc is non-projective."""
    crossing_N = np.zeros(len(parses.heads_N), dtype=bool)
    for start, end in sentence_spans(parses.starts_N):
        heads, _ = tree_between(parses, start, end)
        crossing_N[[start + word for word in crossing_arcs(heads)]] = True
    return crossing_N


def right_words(gold: Parses, predicted: Parses) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Say of each word whether its head is right (N), and whether head and label are right (N).
    Neither is where the gold head is unknown.
    """
    heads_N = (gold.heads_N != UNKNOWN_HEAD) & (gold.heads_N == predicted.heads_N)
    return heads_N, heads_N & (gold.labels_N == predicted.labels_N)


def arc_offsets(parses: Parses) -> NDArray[np.int64]:
    """Return how many words further each head is (N): 0 for a root, and where it is unknown."""
    heads_N = parses.heads_N
    return np.where(heads_N >= 0, heads_N - np.arange(len(heads_N)), 0)


def complete_match(
    gold: Parses, counted_N: NDArray[np.bool_], right_N: NDArray[np.bool_]
) -> float | None:
    """Return the share of the gold sentences in which all counted words are right. Sentences without
    counted words are left out.
    """
    sentences_N = np.cumsum(gold.starts_N)
    n_sentences = len(np.unique(sentences_N[counted_N]))
    n_wrong = len(np.unique(sentences_N[counted_N & ~right_N]))
    return share(n_sentences - n_wrong, n_sentences)


def _attachment(gold: Parses, predicted: Parses, counted_N: NDArray[np.bool_]) -> Scores:
    gold_labels, labels = universal_labels(gold.labels_N), universal_labels(predicted.labels_N)
    head_N = counted_N & (gold.heads_N == predicted.heads_N)
    labelled_N = head_N & (gold_labels == labels)
    has_label_N = counted_N & (gold.labels_N != UNKNOWN_LABEL)
    gold_content_N = has_label_N & np.isin(gold_labels, list(CONTENT_LABELS))
    content_N = has_label_N & np.isin(labels, list(CONTENT_LABELS))
    whole_label_N = head_N & (gold.labels_N == predicted.labels_N)
    n_labelled = has_label_N.sum()
    return {
        "uas": share(head_N.sum(), counted_N.sum()),
        "las": share((whole_label_N & has_label_N).sum(), n_labelled),
        "las_universal": share((labelled_N & has_label_N).sum(), n_labelled),
        "ucm": complete_match(gold, counted_N, head_N),
        "lcm": complete_match(gold, counted_N, whole_label_N | (head_N & ~has_label_N)),
        "clas": share(
            2 * (labelled_N & gold_content_N).sum(), gold_content_N.sum() + content_N.sum()
        ),
    }


def ratios(name: str, n_right: int, n_gold: int, n_predicted: int) -> Scores:
    """Return precision, recall and F."""
    return {
        f"{name}_p": share(n_right, n_predicted),
        f"{name}_r": share(n_right, n_gold),
        f"{name}_f": share(2 * n_right, n_gold + n_predicted),
    }


def _non_projectivity(gold: Parses, predicted: Parses, known_N: NDArray[np.bool_]) -> Scores:
    right_N = known_N & (gold.heads_N == predicted.heads_N)
    gold_N, crossing_N = crossing_words(gold), crossing_words(predicted)
    precision = share((right_N & crossing_N).sum(), (known_N & crossing_N).sum())
    recall = share((right_N & gold_N).sum(), gold_N.sum())
    return {
        "nonproj_p": precision,
        "nonproj_r": recall,
        "nonproj_f": f_score(precision, recall),
        "nonproj_arcs_gold": share(gold_N.sum(), (gold.heads_N != UNKNOWN_HEAD).sum()),
        "nonproj_arcs_predicted": share(crossing_N.sum(), (predicted.heads_N != UNKNOWN_HEAD).sum()),
        "nonproj_sents_gold": _share_of_sentences(gold_N, gold.starts_N),
        "nonproj_sents_predicted": _share_of_sentences(crossing_N, predicted.starts_N),
    }


def _share_of_sentences(words_N: NDArray[np.bool_], starts_N: NDArray[np.bool_]) -> float | None:
    """Return the share of the sentences that have such a word."""
    spans = sentence_spans(starts_N)
    return share(sum(bool(words_N[start:end].any()) for start, end in spans), len(spans))


def f_score(precision: float | None, recall: float | None) -> float | None:
    """Return the harmonic mean of precision and recall, or None if one of the two is None."""
    if precision is None or recall is None:
        return None
    return share(2 * precision * recall, precision + recall) or 0.0


def share(part: SupportsFloat, whole: SupportsFloat) -> float | None:
    """Divide a part by the whole; None if the whole is 0."""
    return float(part) / float(whole) if whole else None
