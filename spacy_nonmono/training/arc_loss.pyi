import numpy as np
from numpy.typing import NDArray

def arc_loss(
    head_vectors: NDArray[np.float32],
    dep_vectors: NDArray[np.float32],
    root: NDArray[np.float32],
    distance: NDArray[np.float32],
    lengths: NDArray[np.int32],
    gold_heads: NDArray[np.int32],
    weight: float,
) -> tuple[
    float, NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]
]: ...
