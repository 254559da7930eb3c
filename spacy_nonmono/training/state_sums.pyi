import numpy as np
from numpy.typing import NDArray

def sum_state_rows(
    products: NDArray[np.float32],
    atoms: NDArray[np.float32],
    bias: NDArray[np.float32],
    token_rows: NDArray[np.int32],
    atom_rows: NDArray[np.int32],
) -> NDArray[np.float32]:
    """Sum the rows of a batch of states.

    products: (N + 1, nF, nR). atoms: (rows, nR). bias: (nR,). token_rows: (S, nF) into the first
    axis of the products. atom_rows: (S, nK) into the atoms. Returns (S, nR).
    """

def used_rows(
    token_rows: NDArray[np.int32], n_words: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Which products a batch of states uses, position after position.

    token_rows: (S, nF), up to n_words. Returns rows (S, nF), the place of each state's products
    among the R that are used; words (R,), to which they belong, in ascending order for each position;
    starts (nF + 1,), where a position begins.
    """

def scatter_state_rows(
    d_pre: NDArray[np.float32],
    rows: NDArray[np.int32],
    atom_rows: NDArray[np.int32],
    d_products: NDArray[np.float32],
    d_atoms: NDArray[np.float32],
) -> None:
    """The backward pass of `sum_state_rows`: adds the gradient of every state to its rows.

    rows, and d_products (R, nR): as in `used_rows`.
    """

def max_pieces(
    pre: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """The highest piece of every hidden unit, (S, nH), and which it is. pre: (S, nP, nH)."""

def spread_pieces(
    d_hidden: NDArray[np.float32], which: NDArray[np.uint8], nP: int
) -> NDArray[np.float32]:
    """The backward pass of `max_pieces`: (S, nP * nH), zero but for the highest pieces."""
