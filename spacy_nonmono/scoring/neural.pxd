"""The neural scorer in C: rows of precomputed products, summed; maxout; one output layer.

A state is a list of rows. Token rows: for position f and word w the product of the word's vector with
the weights of that position, or a learned row where the position is empty. Atom rows: learned rows for
labels, distances, valencies, and for the arc probabilities in buckets.
"""

from ..structs cimport StateC
from ..transitions.system cimport SystemC
from .arcs cimport ArcTableC
from .places cimport CollocatesC, N_PLACES


cdef enum:
    CLASS_BLOCK = 16      # of the kernels
    # Atom rows of a state
    N_SIMPLE_ATOMS = 4
    N_ARC_ATOMS = 15
    N_LABEL_ATOMS = 10    # positions whose label is looked at
    N_ATOMS = N_SIMPLE_ATOMS + N_ARC_ATOMS + N_LABEL_ATOMS


cdef struct NeuralC:
    int nF                # places, the system's positions first
    int nH                # hidden units
    int nP                # maxout pieces
    int nO                # classes
    int n_words           # words of the batch; the products have one row more, for empty positions
    int[N_PLACES] slots   # [nF] the places that are looked at
    const float* products  # [n_words + 1, nF, nP * nH], pieces outside
    const float* atoms    # [rows, nP * nH]
    const float* bias     # [nP * nH]
    int width             # nO rounded up to a multiple of `CLASS_BLOCK`
    const float* out_W    # [nH, width] of class c in column c
    const float* out_b    # [width]
    const int* first      # [n_sentences] row of a sentence's first word in the products
    ArcTableC* arcs       # [n_sentences]
    CollocatesC collocates
    float* pre            # [nP * nH] scratch
    float* hidden         # [rows, nH] what was looked at


# The words that a state shows. first: row of the sentence's first word. places: [N_PLACES], of which
# those of the collocates are filled where there are some.
cdef void find_words(
    const NeuralC* scorer, const SystemC* system, const StateC* st, int first, int* places
) noexcept nogil
# The rows of a state.
cdef void fill_token_rows(
    const NeuralC* scorer, const int* places, int first, int* token_rows
) noexcept nogil
cdef void fill_atom_rows(
    const StateC* st, const int* places, const ArcTableC* arcs, int* atom_rows
) noexcept nogil
# pre[nP * nH] = bias + the sum of the rows; hidden[nH] = maximum over the pieces.
cdef void sum_rows(
    const NeuralC* scorer, const int* token_rows, const int* atom_rows, float* pre
) noexcept nogil
cdef void maxout(const NeuralC* scorer, const float* pre, float* hidden) noexcept nogil

# The functions of a `ScorerC` whose `self` is a `NeuralC`. The input is the token rows, int[nF], and the
# atom rows, int[N_ATOMS].
cdef void look_neural(
    void* self, const SystemC* system, const StateC* st, int sentence, void* input, int row
) noexcept nogil
cdef void score_neural(void* self, int row, int n, float* scores) noexcept nogil
cdef float root_neural(void* self, int sentence, int word) noexcept nogil
cdef float arc_neural(void* self, int sentence, int head, int dependent) noexcept nogil
