"""The neural scorer in C: rows of precomputed products, summed; maxout; one output layer.

A state is a list of rows. Token rows: for position f and word w the product of the word's vector with
the weights of that position, or a learned row where the position is empty. Atom rows: learned rows for
labels, distances, valencies, and for the arc probabilities in buckets.
"""

from ..structs cimport StateC
from ..transitions.system cimport N_POSITIONS
from .arcs cimport ArcTableC


cdef enum:
    N_LABEL_ATOMS = 10    # positions whose label is looked at
    N_ATOMS = 35          # atom rows of a state: 10 simple ones, 15 arc probabilities, 10 labels
    N_FIXED_CLASSES = 3   # shift, reduce, no_arc; then left_arc and right_arc of every label


cdef struct ScorerC:
    int nF                # positions
    int nH                # hidden units
    int nP                # maxout pieces
    int nO                # classes
    int n_words           # words of the batch; the products have one row more, for empty positions
    int[N_POSITIONS] slots  # [nF] the positions that are looked at
    const float* products  # [n_words + 1, nF, nP * nH], pieces outside
    const float* atoms    # [rows, nP * nH]
    const float* bias     # [nP * nH]
    const float* out_W    # [nO, nH]
    const float* out_b    # [nO]


cdef inline int class_move(int c) noexcept nogil:
    """The move of a class: 0 shift, 1 reduce, 2 no_arc, 3 + 2 l left_arc, 4 + 2 l right_arc."""
    if c < N_FIXED_CLASSES:
        return c if c < 2 else 4
    return 2 + (c - N_FIXED_CLASSES) % 2


cdef inline int class_label(int c) noexcept nogil:
    return -1 if c < N_FIXED_CLASSES else (c - N_FIXED_CLASSES) // 2


cdef inline int class_of(int move, int label) noexcept nogil:
    if move < 2:
        return move
    return 2 if move == 4 else N_FIXED_CLASSES + 2 * label + (move - 2)


# The rows of a state. positions: int[N_POSITIONS]. first: row of the sentence's first word.
cdef void fill_token_rows(
    const ScorerC* scorer, const int* positions, int first, int* token_rows
) noexcept nogil
cdef void fill_atom_rows(
    const StateC* st, const int* positions, const ArcTableC* arcs, int* atom_rows
) noexcept nogil
# pre[nP * nH] = bias + the sum of the rows; hidden[nH] = maximum over the pieces.
cdef void sum_rows(
    const ScorerC* scorer, const int* token_rows, const int* atom_rows, float* pre
) noexcept nogil
cdef void maxout(const ScorerC* scorer, const float* pre, float* hidden) noexcept nogil
