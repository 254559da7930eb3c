import numpy as np
from numpy.typing import NDArray

def step(
    weights: NDArray[np.float32],
    gradient: NDArray[np.float32],
    mom1: NDArray[np.float32],
    mom2: NDArray[np.float32],
    average: NDArray[np.float32] | None,
    *,
    clip: float,
    beta1: float,
    beta2: float,
    eps: float,
    rate: float,
    decay: float,
    follow: float,
) -> None: ...
