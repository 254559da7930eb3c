import numpy as np
from numpy.typing import NDArray

def normalize(
    X: NDArray[np.float32], gain: NDArray[np.float32], bias: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Rows of mean 0 and variance 1, times the gain, plus the bias (Ba et al. 2016).

    X: (n, width), width one or more. gain, bias: (width,). Returns Y (n, width), and for the backward
    pass Y without gain and bias (n, width), and what each row was multiplied with (n,).
    """

def normalize_backward(
    dY: NDArray[np.float32],
    hat: NDArray[np.float32],
    scale: NDArray[np.float32],
    gain: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """The gradients of X (n, width), gain and bias (width,); hat, scale: as `normalize` returns
    them."""
