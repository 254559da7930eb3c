from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

def merge_types(
    firsts: NDArray[np.int32],
    seconds: NDArray[np.int32],
    counts: NDArray[np.int32],
    n_types: int,
    n_clusters: int,
    exponent: int,
    progress: Callable[[int], object] | None = None,
) -> NDArray[np.int32]:
    """Merge V types, in order of frequency, to one cluster by way of C.

    firsts, seconds, counts: (B,), the bigram types and how often they occur, fewer than 2 ** 31 in all.
    n_clusters: C, 2 <= C <= V, at most 46000. exponent: from 20 to 40; sums are counted in units of
    2 ** -exponent nats.
    progress: called with the number of merges done, now and then.
    Returns (V - 1, 2), of each merger the most frequent types of the clusters, the more frequent
    cluster first.
    """
