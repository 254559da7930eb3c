"""What is in a treebank, as far as it matters for training a parser."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from ..tokens.projectivity import crossing_arcs
from .sentences import DEPREL, EMPTY, Sentence

ROOT = "root"


@dataclass
class Summary:
    """Counts of a part of a treebank.

    n_multiword: multiword tokens. n_unknown: words without a head; n_unlabelled: words with a head and
    without a label. n_crossing: arcs that cross another one; n_nonprojective: sentences with such.
    longest_arc: the distance of two words. labels: of all arcs, the root's as `root`.
    """

    n_sentences: int = 0
    n_words: int = 0
    n_multiword: int = 0
    n_unknown: int = 0
    n_unlabelled: int = 0
    n_crossing: int = 0
    n_nonprojective: int = 0
    longest_sentence: int = 0
    longest_arc: int = 0
    labels: Counter[str] = field(default_factory=Counter)


def summarize(sentences: Iterable[Sentence]) -> Summary:
    summary = Summary()
    for sentence in sentences:
        heads = sentence.heads
        n_crossing = len(crossing_arcs(heads))
        summary.n_sentences += 1
        summary.n_words += len(sentence.words)
        summary.n_multiword += len(sentence.ranges)
        summary.n_crossing += n_crossing
        summary.n_nonprojective += bool(n_crossing)
        summary.longest_sentence = max(summary.longest_sentence, len(sentence.words))
        for word, (columns, head) in enumerate(zip(sentence.words, heads, strict=True)):
            if head is None:
                summary.n_unknown += 1
            elif head >= 0 and columns[DEPREL] == EMPTY:
                summary.n_unlabelled += 1
            else:
                summary.labels[columns[DEPREL] if head >= 0 else ROOT] += 1
            if head is not None and head >= 0:
                summary.longest_arc = max(summary.longest_arc, abs(head - word))
    return summary
