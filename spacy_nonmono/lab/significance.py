"""Is one run better than another? Paired approximate randomisation over sentences.

Noreen (1989), Yeh (2000): if two runs are equally good, any sentence could as well have been parsed by
either. So swap the two results of random sentences, and see how often the difference of the scores
gets at least as large as it is. The p-value is two-sided. With few sentences all swaps are gone
through, and the p-value is exact.

The sentences are what is sampled: a small p-value tells that these trained models differ on more such
sentences, not that other seeds would. For that, look at the deviation over seeds.
"""

import numpy as np
from numpy.typing import NDArray

from ..errors import Errors
from ..installed import import_extra
from .counts import SentenceCounts

Ints = NDArray[np.int64]

N_RESAMPLES = 9_999
# Swaps at a time: of 100, 1,000 and all 9,999, on 2,000 sentences, the middle one is fastest (0.9 s
# against 1.5 and 3.0 s)
BATCH = 1_000


def compare_sentences(first: SentenceCounts, second: SentenceCounts) -> dict[str, float]:
    """Return the scores of the first run minus those of the second, and the p-values of these
    differences, as a row of the table has them. `add_seeds` makes the counts of several seeds.

    Raises ValueError (NM165) if the runs were evaluated on different sentences, ImportError (NM166)
    without scipy.
    """
    check_same_sentences([first, second])
    n_words = sum(first["words_S"])
    uas, uas_p = _test(first["heads_S"], second["heads_S"], n_words)
    las, las_p = _test(first["labelled_S"], second["labelled_S"], n_words)
    return {"uas_difference": uas, "uas_p": uas_p, "las_difference": las, "las_p": las_p}


def add_seeds(counts: list[SentenceCounts]) -> SentenceCounts:
    """Add the counts of the seeds of a run, sentence by sentence.

    Raises ValueError (NM165) if the sentences differ.
    """
    check_same_sentences(counts)
    return SentenceCounts(
        sentences=counts[0]["sentences"],
        lengths_S=counts[0]["lengths_S"],
        words_S=np.sum([one["words_S"] for one in counts], axis=0).tolist(),
        heads_S=np.sum([one["heads_S"] for one in counts], axis=0).tolist(),
        labelled_S=np.sum([one["labelled_S"] for one in counts], axis=0).tolist(),
    )


def check_same_sentences(counts: list[SentenceCounts]) -> None:
    """Raise ValueError (NM165) unless all counts are of the same sentences."""
    for one in counts[1:]:
        if any(one[key] != counts[0][key] for key in ("sentences", "words_S")):  # type: ignore[literal-required]
            found, expected = (f"{len(c['words_S'])} ({c['sentences'][:8]})" for c in (one, counts[0]))
            raise ValueError(Errors.NM165.format(found=found, expected=expected))


def _test(first_S: list[int], second_S: list[int], n_words: int) -> tuple[float, float]:
    """Return the difference of the shares of right words, and its p-value."""
    stats = import_extra("scipy.stats")

    def difference(first: Ints, second: Ints, axis: int) -> NDArray[np.float64]:
        return (first.sum(axis=axis) - second.sum(axis=axis)) / n_words

    if first_S == second_S:  # nothing to swap
        return 0.0, 1.0
    result = stats.permutation_test(
        (np.array(first_S), np.array(second_S)),
        difference,
        permutation_type="samples",
        vectorized=True,
        n_resamples=N_RESAMPLES,
        batch=BATCH,
        random_state=np.random.default_rng(0),
    )
    return float(result.statistic), float(result.pvalue)
