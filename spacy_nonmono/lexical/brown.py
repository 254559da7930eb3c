"""Brown clusters (Brown et al. 1992): classes of words that keep most of the average mutual information
of adjacent words, and a hierarchy of them, in which the path to a class is its bit string.

Words that occur fewer than `min_count` times are left out. A bigram is two words that stand side by side
in a sentence, both of them kept: what stands around a word that is left out is not joined, since it was
not adjacent, and there is no bigram across sentences.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from ..errors import Errors
from .merging import merge_types
from .paths import PathsRow

MAX_BIGRAMS = 2**31 - 1  # counts of clusters are 32-bit integers


@dataclass(frozen=True)
class BrownClustering:
    """A clustering of V words in C clusters. Words are in order of frequency, equal ones in that of
    their code points.

    words: (V,). counts: (V,), how often each occurs.
    bits: (V,), the bit string of each word's cluster.
    merges: (V - 1, 2) int32, in order; a cluster is called by the index of its most frequent word, the
        merged one by the first of the two. The last C - 1 make the hierarchy: 0 leads to the first of
        the two, 1 to the second.
    mutual_information: average mutual information of the C clusters, in nats.
    """

    words: list[str]
    counts: list[int]
    bits: list[str]
    merges: NDArray[numpy.int32]
    mutual_information: float

    def rows(self) -> list[PathsRow]:
        """Make the rows of a `paths` file."""
        return list(map(PathsRow, self.bits, self.words, self.counts))


def train_brown(
    sentences: Iterable[Sequence[str]],
    n_clusters: int = 256,
    min_count: int = 1,
    *,
    progress: Callable[[int, int], object] | None = None,
) -> BrownClustering:
    """Cluster the words of sentences.

    n_clusters: C, from 2 to the number of words that are kept.
    min_count: how often a word must occur to be kept.
    progress: called with the number of merges done and that of all, now and then.

    Raises ValueError: NM141 if the sentences hold no word, NM142 if n_clusters does not suit the words
    that are kept, NM147 if min_count is not 1 or more or there are too many bigrams.
    """
    if min_count < 1:
        message = Errors.NM147.format(what="minimum count", found=min_count, expected="1 or more")
        raise ValueError(message)
    tokens, found, frequencies = index_words(sentences)
    if not found:
        raise ValueError(Errors.NM141)
    kept = [word for word in range(len(found)) if frequencies[word] >= min_count]
    kept.sort(key=lambda word: (-frequencies[word], found[word]))
    n_types = len(kept)
    if not 2 <= n_clusters <= n_types:
        message = Errors.NM142.format(found=n_clusters, n_types=n_types, min_count=min_count)
        raise ValueError(message)
    places = numpy.full(len(found) + 1, -1, dtype="i")  # the last entry serves -1
    places[kept] = numpy.arange(n_types)
    firsts, seconds, counts = count_bigrams(places[tokens], n_types)
    n_bigrams = int(counts.sum())
    if n_bigrams > MAX_BIGRAMS:
        expected = f"at most {MAX_BIGRAMS}: give less text"
        message = Errors.NM147.format(what="number of bigrams", found=n_bigrams, expected=expected)
        raise ValueError(message)
    merges = merge_types(
        firsts,
        seconds,
        counts.astype("i"),
        n_types,
        n_clusters,
        unit_exponent(n_bigrams),
        None if progress is None else lambda n_done: progress(n_done, n_types - 1),
    )
    clusters = clusters_after(merges, n_clusters)
    return BrownClustering(
        words=[found[word] for word in kept],
        counts=[frequencies[word] for word in kept],
        bits=bit_strings(merges, n_clusters),
        merges=merges,
        mutual_information=mutual_information(clusters[firsts], clusters[seconds], counts),
    )


def index_words(
    sentences: Iterable[Sequence[str]],
) -> tuple[NDArray[numpy.int32], list[str], list[int]]:
    """Number the words of sentences. Returns the words as indices of the types (T,), with -1 after every
    sentence; the types; their counts."""
    ids: dict[str, int] = {}
    flat = array("i")
    for sentence in sentences:
        flat.extend([ids.setdefault(word, len(ids)) for word in sentence])
        flat.append(-1)
    tokens = numpy.array(flat, dtype="i")
    return tokens, list(ids), numpy.bincount(tokens[tokens >= 0]).tolist()


def count_bigrams(
    tokens: NDArray[numpy.int32], n_types: int
) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int64]]:
    """Count the bigrams in tokens (T,) that hold no -1. Returns their first words, second words and
    counts, (B,) each."""
    adjacent = (tokens[:-1] >= 0) & (tokens[1:] >= 0)
    keys = tokens[:-1][adjacent].astype("int64") * n_types + tokens[1:][adjacent]
    bigrams, counts = numpy.unique(keys, return_counts=True)
    firsts, seconds = numpy.divmod(bigrams, n_types)
    return firsts.astype("i"), seconds.astype("i"), counts


def unit_exponent(n_bigrams: int) -> int:
    """Choose the exponent of the unit 2 ** -exponent in which n ln n is counted: 40, or as much as fits
    into 64 bits."""
    return min(40, 60 - (n_bigrams * n_bigrams.bit_length()).bit_length())


def clusters_after(merges: NDArray[numpy.int32], n_clusters: int) -> NDArray[numpy.int32]:
    """Find the most frequent word of each word's cluster when `n_clusters` are left: (V,)."""
    n_types = len(merges) + 1
    cluster = numpy.arange(n_types, dtype="i")
    # From the last merger back, so that a cluster's own name is final when it is passed on
    for older, younger in merges[: n_types - n_clusters][::-1]:
        cluster[younger] = cluster[older]
    return cluster


def bit_strings(merges: NDArray[numpy.int32], n_clusters: int) -> list[str]:
    """Find the bit string of each word in the hierarchy over the `n_clusters` that are left: (V,)."""
    n_types = len(merges) + 1
    bits = [""] * n_types
    # The root is cluster 0. Words that joined a cluster before the hierarchy take over its string.
    for at in range(n_types - 2, -1, -1):
        older, younger = merges[at]
        if at >= n_types - n_clusters:
            bits[older], bits[younger] = bits[older] + "0", bits[older] + "1"
        else:
            bits[younger] = bits[older]
    return bits


def mutual_information(
    firsts: NDArray[numpy.int32], seconds: NDArray[numpy.int32], counts: NDArray[numpy.int64]
) -> float:
    """Compute the average mutual information, in nats, of classes firsts[b], seconds[b] seen counts[b]
    times."""
    total = int(counts.sum())
    if total == 0:
        return 0.0
    keys, index = numpy.unique(firsts.astype("int64") << 32 | seconds, return_inverse=True)
    joint = numpy.bincount(index, weights=counts)
    left = numpy.bincount(firsts, weights=counts)[keys >> 32]
    right = numpy.bincount(seconds, weights=counts)[keys & 0xFFFFFFFF]
    return float((joint / total * numpy.log(joint * total / (left * right))).sum())
