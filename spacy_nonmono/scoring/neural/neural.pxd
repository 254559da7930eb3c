"""The neural scorer in C: rows of precomputed products, summed; ReLU; one output layer.

A state is a list of rows. Token rows: for position f and word w the product of the word's vector with
the weights of that position, or a learned row where the position is empty. Atom rows: learned rows for
labels, distances, valencies, and for the arc probabilities in buckets.
"""

from ...structs cimport StateC, SystemC
from .arcs cimport ArcTableC
from ..positions cimport CollocatesC, N_ALL_POSITIONS


cdef enum:
    CLASS_BLOCK = 16      # of the kernels


cdef struct NeuralC:
    int nF                # positions, those of the system first
    int nH                # hidden units
    int nO                # classes
    int n_words           # words of the batch; the products have one row more, for empty positions
    int[N_ALL_POSITIONS] slots   # [nF] the positions that are looked at
    int n_members         # whose hidden units stand side by side
    int* widths           # [n_members] hidden units of each, nH in all
    const float** products  # [n_members] of each [nF, n_words + 1, width]
    const float* atoms    # [rows, nH]
    const float* bias     # [nH]
    int width             # nO rounded up to a multiple of `CLASS_BLOCK`
    const float* out_W    # [nH, width] of class c in column c
    const float* out_b    # [width]
    const int* first      # [n_sentences] row of a sentence's first word in the products
    ArcTableC* arcs       # [n_sentences]
    CollocatesC collocates
    const int* kept       # [n_words] heads whose pairs are looked at in any case; NULL: none
    float* pre            # [nH] scratch
    float* hidden         # [rows, nH] what was looked at
    int* units            # [nH] scratch


# The words that a state shows. first: row of the sentence's first word. positions: [N_ALL_POSITIONS], of
# which those of the collocates are filled where there are some.
cdef void find_words(
    const NeuralC* scorer, const SystemC* system, const StateC* st, int focus, int first,
    int* positions
) noexcept nogil
# The token rows of a state.
cdef void fill_token_rows(
    const NeuralC* scorer, const int* positions, int first, int* token_rows
) noexcept nogil
# pre[nH] = bias + the sum of the rows; hidden[nH] = what of it is above zero.
cdef void sum_rows(
    const NeuralC* scorer, const int* token_rows, const int* atom_rows, float* pre
) noexcept nogil
cdef void activate(const NeuralC* scorer, const float* pre, float* hidden) noexcept nogil

# The functions of a `ScorerC` whose `self` is a `NeuralC`. The input is the token rows, int[nF], and the
# atom rows, int[N_ATOMS] (`atoms.pxd`).
cdef void look_neural(
    void* self, const SystemC* system, const StateC* st, int focus, int sentence, void* input,
    int row
) noexcept nogil
cdef void score_neural(void* self, int row, int n, float* scores) noexcept nogil
cdef float root_neural(void* self, int sentence, int word) noexcept nogil
cdef float arc_neural(void* self, int sentence, int head, int dependent) noexcept nogil
cdef int next_left_neural(void* self, int sentence, int left, int right) noexcept nogil
