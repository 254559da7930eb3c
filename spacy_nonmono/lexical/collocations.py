"""Long-distance collocations: which words of a sentence are likely to be joined, however far apart.

Zhu, Qiu & Huang (2015), "Transition-based dependency parsing with long distance collocations",
section 3. The dictionary has unordered pairs of words and of parts of speech that arcs of a treebank
join (`collocation_training`), with their pointwise mutual information. For a sentence, an index of all
collocates is built once.

The paper takes every pair of tokens whose words or tags are in the dictionary, which are n(n-1)/2 in a
sentence of n nouns. So does `all_pairs`. By default
- a word looks up its `MAX_PARTNERS` strongest partners; a pair counts if either looks up the other,
- and finds of each the `N_NEAREST` nearest tokens to its left and to its right.
So the index has O(n) pairs and takes O(n log n) time (English-EWT: 5 collocates and 5 µs per word; 12
and 7 µs in a sentence of 100 words; in those of 40 to 60 words 9.7 collocates, with all pairs 11.5).
Most arcs go to near candidates: on English-EWT, dev, with the default thresholds, the index has 68 % of
the arcs longer than 5 words, all pairs have 72 %; 5.8 % of its pairs that far apart are arcs, 5.3 % of
all. With the one nearest token it would have 51 % and 8.3 %, but that token may be attached already when
a parser asks.

Words are compared in lower case: the dictionary then serves any tokenizer and needs no norms, and word
pairs cover more long arcs (18.6 % instead of 17.0 %, all pairs).
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import Errors

MAX_PARTNERS = 256
N_NEAREST = 3

Pair = tuple[str, str]  # in alphabetical order
Partners = dict[str, dict[str, float]]


class Strength(NamedTuple):
    """How often arcs join a pair, and its pointwise mutual information in bits."""

    n_arcs: int
    score: float


class Collocates(NamedTuple):
    """The collocates of each of n words: those of word i are `partners[starts[i]:starts[i + 1]]`.

    starts: (n + 1,) int32.
    partners: (M,) int32, indices of words, ascending for each word. The relation is symmetric.
    scores: (M,) float32, in bits.
    """

    starts: NDArray[np.int32]
    partners: NDArray[np.int32]
    scores: NDArray[np.float32]


@dataclass(kw_only=True)
class Collocations:
    """The dictionary of pairs; it is not changed once made.

    words, tags: the pairs of either kind, each in alphabetical order (`make_pair`), words in lower case.
    """

    words: dict[Pair, Strength] = field(default_factory=dict)
    tags: dict[Pair, Strength] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._word_partners = strongest_partners(self.words)
        self._tag_partners = strongest_partners(self.tags)

    @cached_property
    def _all_partners(self) -> tuple[Partners, Partners]:
        """Of words and of tags; few ask for all of them."""
        return find_partners(self.words), find_partners(self.tags)

    def collocates(
        self, words: Sequence[str], tags: Sequence[str], *, all_pairs: bool = False
    ) -> Collocates:
        """Build the index of one sentence.

        words: (n,) forms, in any case.
        tags: (n,) parts of speech; "" for none.
        all_pairs: every pair of tokens whose words or tags are in the dictionary, as in the paper. Time
            and memory grow with the square of the length.

        Where both the words and the tags of two tokens collocate, the higher score counts.

        Raises ValueError (NM155) if there is not one tag per word.
        """
        n_words = len(words)
        if len(tags) != n_words:
            raise ValueError(Errors.NM155.format(n_words=n_words, n_tags=len(tags)))
        scores: dict[int, float] = {}  # of the pair of i and j, under i * n + j
        partners = self._all_partners if all_pairs else (self._word_partners, self._tag_partners)
        n_nearest = n_words if all_pairs else N_NEAREST
        for keys, known in zip((map(str.lower, words), tags), partners, strict=True):
            _join(keys, known, n_words, n_nearest, scores)
        pairs = np.array(sorted(scores), dtype=np.int64)
        starts = np.searchsorted(pairs, n_words * np.arange(n_words + 1))
        return Collocates(
            starts.astype(np.int32),
            (pairs % max(n_words, 1)).astype(np.int32),
            np.array([scores[pair] for pair in pairs.tolist()], dtype=np.float32),
        )


def make_pair(first: str, second: str) -> Pair:
    """Put two words or two tags into alphabetical order."""
    return (first, second) if first <= second else (second, first)


def find_partners(pairs: Mapping[Pair, Strength]) -> Partners:
    """Find all partners of each word or tag, and the scores."""
    partners: Partners = {}
    for (first, second), strength in pairs.items():
        partners.setdefault(first, {})[second] = strength.score
        partners.setdefault(second, {})[first] = strength.score
    return partners


def strongest_partners(pairs: Mapping[Pair, Strength]) -> Partners:
    """Find the `MAX_PARTNERS` strongest partners of each word or tag; equal ones are in alphabetical
    order."""
    partners = find_partners(pairs)
    for key, found in partners.items():
        if len(found) > MAX_PARTNERS:
            ranked = sorted(found.items(), key=lambda item: (-item[1], item[0]))
            partners[key] = dict(ranked[:MAX_PARTNERS])
    return partners


def _join(
    keys: Iterable[str],
    partners: Partners,
    n_words: int,
    n_nearest: int,
    scores: dict[int, float],
) -> None:
    """Add the pairs of tokens, in both orders, with the higher score where one is there already.

    keys: the word or the tag of each token. n_nearest: how many tokens of a partner on either side.
    """
    places: dict[str, list[int]] = {}  # of those that have partners, ascending
    for i, key in enumerate(keys):
        if key in partners:
            places.setdefault(key, []).append(i)
    for key, own in places.items():
        known = partners[key]
        for other in known.keys() & places.keys():
            score = known[other]
            theirs = places[other]
            for i in own:
                at = bisect_left(theirs, i)
                after = at + (other == key)  # i is not its own collocate
                for j in theirs[max(at - n_nearest, 0) : at] + theirs[after : after + n_nearest]:
                    if scores.get(i * n_words + j, score) <= score:
                        scores[i * n_words + j] = scores[j * n_words + i] = score
