import numpy as np
from numpy.typing import NDArray

MULTIPLE: int

def forward(
    gates: NDArray[np.float32],
    bias: NDArray[np.float32],
    skip: NDArray[np.float32],
    skip_column: int,
    fresh: NDArray[np.uint8],
    backwards: bool,
    memory: NDArray[np.float32],
    state: NDArray[np.float32],
    out: NDArray[np.float32],
    out_column: int,
) -> None: ...

def backward(
    gates: NDArray[np.float32],
    bias: NDArray[np.float32],
    skip: NDArray[np.float32],
    skip_column: int,
    fresh: NDArray[np.uint8],
    backwards: bool,
    memory: NDArray[np.float32],
    state: NDArray[np.float32],
    d_out: NDArray[np.float32],
    out_column: int,
    d_skip: NDArray[np.float32],
    d_skip_column: int,
) -> None: ...
