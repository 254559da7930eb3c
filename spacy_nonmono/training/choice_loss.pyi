import numpy as np
from numpy.typing import NDArray

def choice_loss(
    scores: NDArray[np.float32],
    valid: NDArray[np.uint8],
    correct: NDArray[np.uint8],
    sizes: NDArray[np.int32],
) -> tuple[float, NDArray[np.float32]]: ...
