"""How far two annotators agree, A and B, who have given trees to the same sentences.

- `heads`, `labels`, `arcs`: of the words, those with the same head, with the same label, and with both.
  `agreed` is their share, which is UAS for heads and LAS for arcs. `kappa` is what remains of it without
  chance (Cohen 1960, "A coefficient of agreement for nominal scales"): (agreed - chance) / (1 - chance).
  Chance is the agreement of two annotators who draw each category as often as A and B have it, but at
  random. The category of a label is the label; that of a head is its distance from the word, to the left
  or to the right, and the root is one of its own; that of an arc is both.
- `label` and `upos`: for each kind of word the number of words that have it in A (`a`) and in B (`b`);
  `agreed`, of those that have it in both, the ones with the same head and label; and `f`,
  2 * agreed / (a + b).

All of this is the same if A and B change places. Words that have no head in one of the files are left
out, and where labels count, those that have no label. A share with nothing to count is None, and so is
kappa where chance is 1.

Kappa takes each head by itself, although the heads of a sentence depend on each other. Skjærholt (2014,
"A chance-corrected measure of inter-annotator agreement for syntax") compares whole trees by their edit
distance, with Krippendorff's alpha. That is not here.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..shapes import UNKNOWN_HEAD, UNKNOWN_LABEL
from ..treebank.reader import read_sentences
from ..treebank.sentences import DEPREL, EMPTY, ROOT_LABELS, Sentence, tag_of
from .breakdown import commonest
from .confusions import Row
from .evaluate import ParsedFile, check_same_sentences
from .names import LABEL, UPOS
from .scores import ROOT_HEAD, Parses, arc_offsets, read_parses, share
from .words import WordTable

# The numbers of words that are left out: without a head, or with heads but without a label
N_WORDS, N_NO_HEAD, N_NO_LABEL = "n_words", "n_no_head", "n_no_label"
HEADS, LABELS, ARCS = "heads", "labels", "arcs"


def read_annotators(a: str | Path, b: str | Path) -> ParsedFile:
    """Read two files of trees, the gold ones being A's and the predicted ones B's, although neither is
    better. What one of them does not know is unknown in both.

    Raises ValueError (NM108) if the two have other words or other sentences.
    """
    of_a, of_b = (list(read_sentences(Path(path))) for path in (a, b))
    check_same_sentences(of_b, of_a, b, a)
    sides = read_with_roots(of_a), read_with_roots(of_b)
    has_head_N = np.all([one.heads_N != UNKNOWN_HEAD for one in sides], axis=0)
    has_label_N = np.all([one.labels_N != UNKNOWN_LABEL for one in sides], axis=0)
    gold, predicted = (
        replace(
            one,
            heads_N=np.where(has_head_N, one.heads_N, UNKNOWN_HEAD),
            labels_N=np.where(has_head_N, np.where(has_label_N, one.labels_N, UNKNOWN_LABEL), ""),
        )
        for one in sides
    )
    return ParsedFile(gold, predicted, of_a, of_b, None, gold_tags=False, merged=False)


def measure_agreement(parsed: ParsedFile) -> dict[str, Any]:
    """Measure all that this module defines, by name."""
    words = WordTable(parsed)
    head_N, label_N = words.counted_N, words.has_label_N
    same_N = words.labelled_N & label_N
    a, b = words.gold, words.predicted
    b_tags_N = np.array([tag_of(word) for one in parsed.sentences for word in one.words], dtype=str)
    return {
        N_WORDS: int(head_N.sum()),
        N_NO_HEAD: int((~head_N).sum()),
        N_NO_LABEL: int((head_N & ~label_N).sum()),
        HEADS: _agreement(arc_offsets(a), arc_offsets(b), head_N),
        LABELS: _agreement(a.labels_N, b.labels_N, label_N),
        ARCS: _agreement(_arcs(a), _arcs(b), label_N),
        LABEL: _rows(same_N, a.labels_N, b.labels_N, label_N),
        UPOS: _rows(same_N, words.tags_N, b_tags_N, label_N),
    }


def kappa(a_N: NDArray[Any], b_N: NDArray[Any]) -> float | None:
    """Return Cohen's kappa of N pairs of categories; None if there are none, or if all are the same."""
    n = len(a_N)
    _, codes = np.unique(np.concatenate([a_N, b_N]), return_inverse=True)
    counts = [np.bincount(side, minlength=codes.max(initial=0) + 1) for side in (codes[:n], codes[n:])]
    # In whole numbers: chance may be 1 exactly
    chance = int(counts[0] @ counts[1])
    return share(n * int((a_N == b_N).sum()) - chance, n * n - chance)


def read_with_roots(sentences: Sequence[Sentence]) -> Parses:
    """Read trees with the labels of their roots, which may be other ones than `root`."""
    parses = read_parses(sentences)
    labels_N = np.array([word[DEPREL] for one in sentences for word in one.words], dtype=str)
    is_own_N = (parses.heads_N == ROOT_HEAD) & ~np.isin(labels_N, [*ROOT_LABELS, EMPTY])
    return replace(parses, labels_N=np.where(is_own_N, labels_N, parses.labels_N))


def _arcs(parses: Parses) -> NDArray[np.str_]:
    pairs = zip(arc_offsets(parses).tolist(), parses.labels_N.tolist(), strict=True)
    return np.array([f"{offset} {label}" for offset, label in pairs], dtype=str)


def _agreement(
    a_N: NDArray[Any], b_N: NDArray[Any], counted_N: NDArray[np.bool_]
) -> dict[str, float | None]:
    a_N, b_N = a_N[counted_N], b_N[counted_N]
    return {"agreed": share((a_N == b_N).sum(), len(a_N)), "kappa": kappa(a_N, b_N)}


def _rows(
    same_N: NDArray[np.bool_],
    a_N: NDArray[np.str_],
    b_N: NDArray[np.str_],
    counted_N: NDArray[np.bool_],
) -> list[Row]:
    rows = []
    for kind in commonest(np.concatenate([a_N[counted_N], b_N[counted_N]])):
        is_a_N, is_b_N = (counted_N & (side_N == kind) for side_N in (a_N, b_N))
        n_a, n_b = int(is_a_N.sum()), int(is_b_N.sum())
        agreed = int((same_N & is_a_N & is_b_N).sum())
        rows.append({"kind": kind, "a": n_a, "b": n_b, "agreed": agreed, "f": 2 * agreed / (n_a + n_b)})
    return rows
