import numpy as np
from numpy.typing import NDArray

N_DISTANCES: int
"""The length of `distance`."""

def check_weights(
    head_vectors: NDArray[np.float32],
    dep_vectors: NDArray[np.float32],
    root: NDArray[np.float32],
    distance: NDArray[np.float32],
) -> None: ...

def arc_probabilities(
    head_vectors: NDArray[np.float32],
    dep_vectors: NDArray[np.float32],
    root: NDArray[np.float32],
    distance: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]: ...
