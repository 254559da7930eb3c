import numpy as np
from numpy.typing import NDArray

def normalize(
    X: NDArray[np.float32], gain: NDArray[np.float32], bias: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]: ...

def normalize_backward(
    dY: NDArray[np.float32],
    hat: NDArray[np.float32],
    scale: NDArray[np.float32],
    gain: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]: ...
