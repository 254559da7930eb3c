import numpy as np
from numpy.typing import NDArray

def choice_loss(
    scores: NDArray[np.float32],
    valid: NDArray[np.uint8],
    correct: NDArray[np.uint8],
    sizes: NDArray[np.int32],
) -> tuple[float, NDArray[np.float32]]:
    """-log of the probability mass on the correct classes among the valid ones, and its gradient.

    scores, valid, correct: (S, nO); valid and correct are flags. sizes: (C,), rows of each
    configuration, over whose classes the probabilities sum to one. Returns the loss of all
    configurations and (S, nO).
    """
