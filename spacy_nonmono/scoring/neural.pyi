from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ..state import State
from ..transitions.system import TransitionSystem

N_FIXED_ROWS: int

def n_atom_rows(n_labels: int) -> int:
    """Rows of the atom table for so many labels."""

def n_classes(n_labels: int) -> int:
    """Output classes for so many labels."""

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

def place_slots(names: Iterable[str]) -> NDArray[np.int32]:
    """Indices of named places."""

def state_rows(
    system: TransitionSystem,
    state: State,
    slots: NDArray[np.int32],
    heads: NDArray[np.float32],
    deps: NDArray[np.float32],
    root: NDArray[np.float32],
    distance: NDArray[np.float32],
    collocates: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None,
    place: int = 0,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The rows that the scorer sums in a configuration of a sentence of one word or more.

    slots: of the places that are looked at. heads, deps, root, distance: as for
    `arc_probabilities`. collocates: as for `NeuralBatch`. place: of a list system. Returns the token
    rows, one a slot, the number of words standing for an empty place, and the atom rows.
    """
