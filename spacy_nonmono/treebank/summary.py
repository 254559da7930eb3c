"""What is in a treebank, or in a parsed corpus: counts, over as many sentences as there are."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..tokens.projectivity import crossing_arcs
from .sentences import DEPREL, EMPTY, Sentence, tag_of

ROOT = "root"


@dataclass
class Summary:
    """Counts of some sentences. Only `types` grows with their number.

    n_multiword: multiword tokens. n_unknown: words without a head; n_unlabelled: words with a head and
    without a label. n_nonprojective: sentences with crossing arcs. The length of an arc is the distance
    of its two words; the root's has none. The depth of a sentence is the number of arcs from the root to
    the word that is furthest below it. labels: of all arcs, the root's as `root`. crossing: labels of
    arcs that cross another one. tags: UPOS; where there is none, XPOS. types: different words.
    """

    n_sentences: int = 0
    n_words: int = 0
    n_multiword: int = 0
    n_unknown: int = 0
    n_unlabelled: int = 0
    n_nonprojective: int = 0
    longest_sentence: int = 0
    n_arcs: int = 0  # without the root's
    arc_lengths: int = 0  # their sum
    longest_arc: int = 0
    depths: int = 0  # their sum
    deepest: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    crossing: Counter[str] = field(default_factory=Counter)
    tags: Counter[str] = field(default_factory=Counter)
    types: set[str] = field(default_factory=set)

    @property
    def n_types(self) -> int:
        return len(self.types)

    @property
    def n_labels(self) -> int:
        return len(self.labels)

    @property
    def n_crossing(self) -> int:
        return self.crossing.total()

    # None where there is nothing to count
    @property
    def words_per_type(self) -> float | None:
        return _ratio(self.n_words, self.n_types)

    @property
    def mean_sentence(self) -> float | None:
        return _ratio(self.n_words, self.n_sentences)

    @property
    def mean_arc(self) -> float | None:
        return _ratio(self.arc_lengths, self.n_arcs)

    @property
    def mean_depth(self) -> float | None:
        return _ratio(self.depths, self.n_sentences)

    @property
    def crossing_share(self) -> float | None:
        """Of all arcs."""
        return _ratio(self.n_crossing, self.n_words - self.n_unknown)

    @property
    def nonprojective_share(self) -> float | None:
        """Of all sentences."""
        return _ratio(self.n_nonprojective, self.n_sentences)


def summarize(sentences: Iterable[Sentence]) -> Summary:
    summary = Summary()
    for sentence in sentences:
        words, heads = sentence.words, sentence.heads
        summary.n_sentences += 1
        summary.n_words += len(words)
        summary.longest_sentence = max(summary.longest_sentence, len(words))
        summary.n_multiword += len(sentence.ranges)
        summary.types.update(sentence.forms)
        summary.tags.update(map(tag_of, words))
        crossing = crossing_arcs(heads)
        summary.n_nonprojective += bool(crossing)
        summary.crossing.update(words[word][DEPREL] for word in crossing)
        depth = max(find_depths(heads))
        summary.depths += depth
        summary.deepest = max(summary.deepest, depth)
        for word, head in enumerate(heads):
            if head is None:
                summary.n_unknown += 1
                continue
            label = words[word][DEPREL] if head >= 0 else ROOT
            if label == EMPTY:
                summary.n_unlabelled += 1
            else:
                summary.labels[label] += 1
            if head >= 0:
                length = abs(head - word)
                summary.n_arcs += 1
                summary.arc_lengths += length
                summary.longest_arc = max(summary.longest_arc, length)
    del summary.tags[EMPTY]
    return summary


def find_depths(heads: Sequence[int | None]) -> list[int]:
    """Return how many arcs are above each word. heads: -1 is the root, None is unknown; no cycles."""
    depths = [-1] * len(heads)
    for start in range(len(heads)):
        path: list[int] = []
        word: int | None = start
        while word is not None and word >= 0 and depths[word] < 0:
            path.append(word)
            word = heads[word]
        depth = -1 if word is None or word < 0 else depths[word]
        for below in reversed(path):
            depth += 1
            depths[below] = depth
    return depths


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
