import numpy as np
from numpy.typing import NDArray

def check_weights(
    head_vectors: NDArray[np.float32],
    dep_vectors: NDArray[np.float32],
    root: NDArray[np.float32],
    distance: NDArray[np.float32],
) -> None:
    """Raises ValueError (NM020) unless the arrays fit each other."""

def arc_probabilities(
    head_vectors: NDArray[np.float32],
    dep_vectors: NDArray[np.float32],
    root: NDArray[np.float32],
    distance: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Probabilities of the heads of one sentence's words.

    head_vectors, dep_vectors: (n, nA). root: (nA,). distance: (18,).
    Returns (n, n), [d, h], and (n,), the probability of being the root.
    """
