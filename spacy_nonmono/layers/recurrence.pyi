import numpy as np
from numpy.typing import NDArray

MULTIPLE: int

def forward(
    gates: NDArray[np.float32],
    bias: NDArray[np.float32],
    fresh: NDArray[np.uint8],
    backwards: bool,
    memory: NDArray[np.float32],
    column: int,
    state: NDArray[np.float32],
) -> None: ...

def backward(
    gates: NDArray[np.float32],
    bias: NDArray[np.float32],
    fresh: NDArray[np.uint8],
    backwards: bool,
    memory: NDArray[np.float32],
    column: int,
    state: NDArray[np.float32],
    d_memory: NDArray[np.float32],
) -> None: ...
