"""Collocations from a treebank: count the pairs that arcs join, score them, keep the strong ones.

Zhu, Qiu & Huang (2015), section 3.1. The score is the pointwise mutual information in bits,
log2 Pr(a, b) / (Pr(a) Pr(b)): Pr(a, b) is the chance that an arc joins a with b, where each arc counts
half in either order, and Pr(a) the chance that a word of the treebank is a. (The paper leaves the
logarithm out, and does not say what it counts for Pr(a). Counted among the ends of arcs instead of among
the words, heads of many dependents score too low: on English-EWT, dev, tag pairs of 1 bit and more then
have 6 % of the arcs longer than 5 words, 69 % as it is.)
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import isfinite, log2
from typing import NamedTuple

from ..errors import Errors
from .collocations import Collocations, Pair, Strength, make_pair

# Digits after the point of a score: what is saved is what was kept
DIGITS = 4


class TaggedTree(NamedTuple):
    """A sentence of n words.

    words: (n,) forms.
    tags: (n,) parts of speech; "" for none.
    heads: (n,) indices of words; -1 is the root, None is unknown. No word heads itself, not even over
        others.
    """

    words: Sequence[str]
    tags: Sequence[str]
    heads: Sequence[int | None]


def train_collocations(
    trees: Iterable[TaggedTree],
    *,
    min_word_count: int = 3,
    min_word_score: float = 1.0,
    min_tag_count: int = 10,
    min_tag_score: float = 1.0,
    prepositions: Collection[str] = (),
) -> Collocations:
    """Collect the pairs whose counts and scores are as high as the settings say, or higher.

    By default what is joined twice as often as by chance (1 bit) is kept. Rare pairs of words fit only
    their own treebank: of those more than 5 words apart in an index, 13.9 % are arcs in train but 5.5 %
    in dev with a count of 1 (English-EWT), 7.5 % and 7.3 % with 3.

    prepositions: tags of words that are passed over: their heads and their dependents are joined
        directly. Not needed for Universal Dependencies, where prepositions have no dependents.

    Raises ValueError (NM152) if a count is less than 1 or a score is not finite.
    """
    for option, count in (("min_word_count", min_word_count), ("min_tag_count", min_tag_count)):
        if count < 1:
            raise ValueError(Errors.NM152.format(option=option, found=count, expected="1 or more"))
    for option, score in (("min_word_score", min_word_score), ("min_tag_score", min_tag_score)):
        if not isfinite(score):
            raise ValueError(Errors.NM152.format(option=option, found=score, expected="a finite number"))
    words, tags = PairCounts(), PairCounts()
    for tree in trees:
        arcs = list(joined_words(tree, prepositions))
        words.add([_word_key(word) for word in tree.words], arcs)
        tags.add(tree.tags, arcs)
    return Collocations(
        words=words.strong(min_word_count, min_word_score),
        tags=tags.strong(min_tag_count, min_tag_score),
    )


def joined_words(tree: TaggedTree, prepositions: Collection[str]) -> Iterator[tuple[int, int]]:
    """Find the dependent and the head of each arc. A preposition with dependents is passed over; its
    head is theirs."""
    passed = {
        head
        for head in tree.heads
        if head is not None and head >= 0 and tree.tags[head] in prepositions
    }
    for word, head in enumerate(tree.heads):
        if word in passed:
            continue
        while head in passed:
            head = tree.heads[head]
        if head is not None and head >= 0:
            yield word, head


class PairCounts:
    """The counts of one kind of keys, words or tags. The key "" is counted among all, but has no pairs.
    """

    def __init__(self) -> None:
        self.singles: Counter[str] = Counter()
        self.pairs: Counter[Pair] = Counter()
        self.n_arcs = 0

    def add(self, keys: Sequence[str], arcs: Iterable[tuple[int, int]]) -> None:
        """Count the keys of a sentence, and the pairs that its arcs join."""
        self.singles.update(keys)
        for first, second in arcs:
            self.n_arcs += 1
            if keys[first] and keys[second]:
                self.pairs[make_pair(keys[first], keys[second])] += 1

    def strong(self, min_count: int, min_score: float) -> dict[Pair, Strength]:
        """Choose the pairs to keep, the strongest first, equal ones in alphabetical order."""
        n_words = self.singles.total()
        kept = {}
        for (first, second), count in self.pairs.items():
            orders = 1 if first == second else 2
            chance = orders * self.singles[first] * self.singles[second] / n_words**2
            score = round(log2(count / self.n_arcs / chance), DIGITS)
            if count >= min_count and score >= min_score:
                kept[first, second] = Strength(count, score)
        return dict(sorted(kept.items(), key=lambda item: (-item[1].score, item[0])))


def _word_key(word: str) -> str:
    """Return the word in lower case; "" for whitespace and for what has no place in a line of
    columns."""
    return "" if word.isspace() or set("\t\r\n") & set(word) else word.lower()
