"""What a parser with labels of its own can be compared by, on a treebank with others.

Its heads are others, too, where the conventions differ: one attaches a preposition to the noun, another
the noun to the preposition. So neither UAS nor LAS tells which parser is better. But with some labels of
the treebank the old parser finds nearly all heads. There the conventions agree, and heads can be
compared.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..evaluation.evaluate import ParsedFile
from ..evaluation.scores import share, universal_labels
from ..shapes import UNKNOWN_HEAD

# Of the words with a label: what part of the heads the old parser finds, and how many words there are
MIN_AGREEMENT, MIN_WORDS = 0.8, 20
MANY = 0.1  # of the labels


@dataclass
class Agreement:
    """What of a treebank an old parser with other labels can be compared by: words with labels whose
    heads it finds. labels: without subtypes. uas: of the words of the test part that have these, by
    pipeline."""

    labels: list[str]
    n_words: int
    uas: dict[str, float | None]


def has_other_labels(parsed: ParsedFile) -> bool:
    """Return whether a tenth or more of the labels that the pipeline gives are none of the treebank,
    subtypes aside. Conventions share the names of many labels."""
    known = set(universal_labels(parsed.gold.labels_N).tolist())
    found = universal_labels(parsed.predicted.labels_N).tolist()
    return sum(label not in known for label in found) >= MANY * max(len(found), 1)


def shared_labels(parsed: ParsedFile) -> list[str]:
    """Return the gold labels, without subtypes, of the words whose heads are nearly always those of the
    treebank: there both conventions attach words in the same way."""
    gold = universal_labels(parsed.gold.labels_N)
    right_N = parsed.gold.heads_N == parsed.predicted.heads_N
    found = []
    for label in sorted(set(gold.tolist())):
        of_label_N = (gold == label) & (parsed.gold.heads_N != UNKNOWN_HEAD)
        if of_label_N.sum() >= MIN_WORDS and right_N[of_label_N].mean() >= MIN_AGREEMENT:
            found.append(label)
    return found


def compare_by(labels: Sequence[str], parsed: Mapping[str, ParsedFile]) -> Agreement:
    """Return the unlabelled scores of words with these gold labels."""
    agreement = Agreement(list(labels), 0, {})
    for key, file in parsed.items():
        counted_N = np.isin(universal_labels(file.gold.labels_N), agreement.labels)
        counted_N &= file.gold.heads_N != UNKNOWN_HEAD
        right_N = file.gold.heads_N == file.predicted.heads_N
        agreement.n_words = int(counted_N.sum())
        agreement.uas[key] = share(int(right_N[counted_N].sum()), agreement.n_words)
    return agreement
