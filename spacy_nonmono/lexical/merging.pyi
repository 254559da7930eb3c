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
) -> NDArray[np.int32]: ...
