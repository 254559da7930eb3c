"""Brown clustering from its definition: at every merger, the information of every candidate partition
is counted anew from the bigrams of the words."""

import math
from collections import Counter
from dataclasses import dataclass


@dataclass
class NaiveStep:
    """A merger: the clusters, by their most frequent words, and the information before and after, in
    nats; `best` is the most that any merger would have left."""

    merged: tuple[int, int]
    after: float
    best: float


def kept_words(sentences, min_count):
    counts = Counter(word for sentence in sentences for word in sentence)
    kept = [word for word in counts if counts[word] >= min_count]
    return sorted(kept, key=lambda word: (-counts[word], word))


def kept_bigrams(sentences, words):
    """Bigrams of indices of words; both words are kept and adjacent in the text."""
    found = Counter()
    for sentence in sentences:
        for i in range(len(sentence) - 1):
            if sentence[i] in words and sentence[i + 1] in words:
                found[words.index(sentence[i]), words.index(sentence[i + 1])] += 1
    return found


def class_counts(bigrams, partition):
    """Counts of bigrams of classes, and of the classes as first and as second ones."""
    class_of = {word: c for c, members in enumerate(partition) for word in members}
    joint, first, second = Counter(), Counter(), Counter()
    for (a, b), n in bigrams.items():
        joint[class_of[a], class_of[b]] += n
        first[class_of[a]] += n
        second[class_of[b]] += n
    return joint, first, second


def information(bigrams, partition):
    """Average mutual information, in nats, by the textbook."""
    joint, first, second = class_counts(bigrams, partition)
    total = sum(joint.values())
    return math.fsum(
        n / total * math.log((n / total) / (first[a] / total * (second[b] / total)))
        for (a, b), n in joint.items()
    )


def units(bigrams, partition, exponent):
    """The same, but for factors that no merger changes, as a sum of whole numbers of units."""

    def nlogn(n):
        return int(n * math.log(n) * 2.0**exponent + 0.5)

    joint, first, second = class_counts(bigrams, partition)
    return (
        sum(map(nlogn, joint.values()))
        - sum(map(nlogn, first.values()))
        - sum(map(nlogn, second.values()))
    )


def naive_brown(sentences, n_clusters, min_count, exponent):
    """The mergers, and the partition of V words when `n_clusters` are left."""
    words = kept_words(sentences, min_count)
    bigrams = kept_bigrams(sentences, words)
    window, rest = [], list(range(len(words)))
    step = 2 ** (exponent - 20)  # losses are compared in whole numbers of 2 ** -20
    steps, partition = [], []
    while rest or len(window) > 1:
        if rest:
            window.append([rest.pop(0)])
        if rest and len(window) <= n_clusters:
            continue
        if len(window) == n_clusters and not rest:
            partition = window
        before = units(bigrams, [*window, rest], exponent)
        candidates = []
        for j in range(len(window)):
            for i in range(j):
                merged = [members for k, members in enumerate(window) if k not in (i, j)]
                merged = [*merged, window[i] + window[j], rest]
                loss = before - units(bigrams, merged, exponent)
                candidates.append((-((loss + step // 2) // step), j, i, merged))
        # The least loss, then the later clusters
        _, j, i, chosen = max(candidates, key=lambda candidate: candidate[:3])
        steps.append(
            NaiveStep(
                (window[i][0], window[j][0]),
                information(bigrams, chosen),
                max(information(bigrams, merged) for *_, merged in candidates),
            )
        )
        window = sorted(
            [members for k, members in enumerate(window) if k not in (i, j)]
            + [sorted(window[i] + window[j])]
        )
        if len(window) == n_clusters and not rest:
            partition = window
    return words, bigrams, steps, partition
