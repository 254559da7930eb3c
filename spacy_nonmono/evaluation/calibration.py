"""How far the scores of arcs can be taken at their word: of the arcs with a score of 0.8, 80 % should be
right.

Arcs are put into bins of equal width by their scores, the upper edge being part of a bin. The expected
calibration error (Guo et al. 2017, "On Calibration of Modern Neural Networks") is the mean absolute
difference of a bin's mean score and its share of right arcs, weighted by the words in the bins. An arc
is right with head and whole label, as `las` counts; words of unknown gold head are left out.

Scores that are too high or too low everywhere are mended by a scaling of their log-odds (Platt 1999,
"Probabilistic Outputs for Support Vector Machines"), which is fitted to a file.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language

from ..errors import Errors
from ..installed import find_parser
from .evaluate import dep_scores_on, parse_file
from .names import GOLD_SENTENCES
from .words import WordTable

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Calibration:
    """The scores of the words of B bins, and how many of them are right."""

    edges_B1: Floats  # from 0 to 1
    words_B: NDArray[np.int64]
    scores_B: Floats  # mean score; NaN in an empty bin
    right_B: Floats  # share of right arcs; NaN in an empty bin

    @property
    def error(self) -> float:
        """The expected calibration error; NaN without words."""
        n_words = self.words_B.sum()
        if n_words == 0:
            return float("nan")
        gaps_B = np.nan_to_num(abs(self.scores_B - self.right_B))
        return float((self.words_B * gaps_B).sum() / n_words)


def calibrate(
    nlp: Language, path: str | Path, *, setting: str = GOLD_SENTENCES, n_bins: int = 10
) -> Calibration:
    """Parse a CoNLL-U file as `evaluate` does, with the scores of the arcs.

    nlp: a pipeline with a `nonmono_parser`, whose `dep_scores` is switched on meanwhile.
    setting: of `evaluate.SETTINGS`.

    Raises ValueError: NM110 if there is no such parser, NM056 if its model is a linear one; and the
    errors of `parse_file`.
    """
    parser: Any = nlp.get_pipe(find_parser(nlp))
    scores_N, right_N = parse_scores(nlp, parser, path, setting)
    return bin_scores(scores_N, right_N, n_bins=n_bins)


def fit_scores(
    nlp: Language, path: str | Path, *, setting: str = GOLD_SENTENCES, n_bins: int = 10
) -> Calibration:
    """Give the parser the scaling that makes its scores right in a CoNLL-U file.

    Returns what can be expected of it elsewhere: the scores of each half of the file, scaled by what
    the other half gives. Raises ValueError (NM106) for a file without known arcs, and what `calibrate`
    raises.
    """
    parser: Any = nlp.get_pipe(find_parser(nlp))
    before, unscaled = parser.scaling, type(parser.scaling)()
    parser.scaling = unscaled
    try:
        scores_N, right_N = parse_scores(nlp, parser, path, setting)
    finally:
        parser.scaling = before
    if not len(scores_N):
        raise ValueError(Errors.NM106.format(path=path))
    middle = len(scores_N) // 2
    halves = slice(None, middle), slice(middle, None)
    scaled = [
        unscaled.fit(scores_N[other], right_N[other]).scale(scores_N[half])
        for half, other in zip(halves, reversed(halves), strict=True)
    ]
    parser.scaling = unscaled.fit(scores_N, right_N)
    return bin_scores(np.concatenate(scaled), right_N, n_bins=n_bins)


def parse_scores(
    nlp: Language, parser: Any, path: str | Path, setting: str
) -> tuple[Floats, NDArray[np.bool_]]:
    """Parse a CoNLL-U file. Returns the scores (N) of its arcs between words of known head and label,
    and whether head and label are right (N).
    """
    with dep_scores_on(parser):
        parsed = parse_file(nlp, path, setting=setting)
    words = WordTable(parsed)
    scores = [score for sentence in parsed.sentences for score in sentence.scores]
    scores_N = np.array(scores, dtype=np.float64)
    return scores_N[words.has_label_N], words.labelled_N[words.has_label_N]


def bin_scores(scores_N: Floats, right_N: NDArray[np.bool_], *, n_bins: int = 10) -> Calibration:
    """Put arcs into bins by their scores (N), which are between 0 and 1. right_N: is the arc right?"""
    edges_B1 = np.linspace(0, 1, n_bins + 1, dtype=np.float64)
    bins_N = np.digitize(scores_N, edges_B1[1:-1], right=True)
    words_B = np.bincount(bins_N, minlength=n_bins)
    sums_B = np.bincount(bins_N, weights=scores_N, minlength=n_bins)
    rights_B = np.bincount(bins_N, weights=right_N, minlength=n_bins)
    # An empty bin has no mean
    divisors_B = np.where(words_B > 0, words_B, np.nan)
    return Calibration(edges_B1, words_B, sums_B / divisors_B, rights_B / divisors_B)
