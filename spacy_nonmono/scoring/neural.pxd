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
    N_FIXED_CLASSES = 5   # the moves before left_arc; then left_arc and right_arc of every label


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
    """The move of a class: 5 + 2 l left_arc, 6 + 2 l right_arc with label l, the others by number."""
    return c if c < N_FIXED_CLASSES else N_FIXED_CLASSES + (c - N_FIXED_CLASSES) % 2


cdef inline int class_label(int c) noexcept nogil:
    return -1 if c < N_FIXED_CLASSES else (c - N_FIXED_CLASSES) // 2


cdef inline int class_of(int move, int label) noexcept nogil:
    return move if move < N_FIXED_CLASSES else move + 2 * label


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
