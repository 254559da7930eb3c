import numpy as np
from numpy.typing import NDArray

def sum_state_rows(
    products: NDArray[np.float32],
    atoms: NDArray[np.float32],
    bias: NDArray[np.float32],
    token_rows: NDArray[np.int32],
    atom_rows: NDArray[np.int32],
) -> NDArray[np.float32]: ...

def used_rows(
    token_rows: NDArray[np.int32], n_words: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]: ...

def scatter_state_rows(
    d_pre: NDArray[np.float32],
    rows: NDArray[np.int32],
    atom_rows: NDArray[np.int32],
    d_products: NDArray[np.float32],
    d_atoms: NDArray[np.float32],
) -> None: ...
