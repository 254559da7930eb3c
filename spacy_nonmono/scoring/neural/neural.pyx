"""The neural scorer: looks at configurations and scores them."""

from libc.string cimport memcpy, memset

import numpy

from ...state cimport State
from ...structs cimport StateC, SystemC
from ...transitions.positions cimport find_positions
from ...transitions.system cimport TransitionSystem
from .arcs cimport (
    ArcTableC, ArcWeightsC, arc_prob, arc_table_carve, arc_table_floats, fill_arc_table, next_left,
)
from .atoms cimport N_ATOMS, fill_atom_rows
from ..positions cimport N_ALL_POSITIONS, fill_collocates, view_collocates

from ...shapes import check_at_least, check_collocates, check_shape, check_values
from .arcs import check_weights
from ..positions import ALL_POSITION_NAMES

cdef extern from "../kernels.h" namespace "nonmono" nogil:
    void add_rows(float* total, const float** rows, int n_rows, int n)
    void max_row(float* highest, const float* row, int n)
    void score_sparse_rows(
        const float* hidden, int n, int nH, const float* weights, int width, const float* bias,
        float* scores, int nO, int* units
    )


cdef void find_words(
    const NeuralC* scorer, const SystemC* system, const StateC* st, int focus, int first,
    int* positions
) noexcept nogil:
    find_positions(system, st, focus, positions)
    if scorer.collocates.starts != NULL:
        fill_collocates(&scorer.collocates, st, first, positions)


cdef void fill_token_rows(
    const NeuralC* scorer, const int* positions, int first, int* token_rows
) noexcept nogil:
    cdef int f, word
    for f in range(scorer.nF):
        word = positions[scorer.slots[f]]
        token_rows[f] = first + word if word >= 0 else scorer.n_words


cdef void sum_rows(
    const NeuralC* scorer, const int* token_rows, const int* atom_rows, float* pre
) noexcept nogil:
    cdef const float* rows[N_ALL_POSITIONS + N_ATOMS]
    cdef const float* products
    cdef int f, m, width
    cdef int first = 0
    memcpy(pre, scorer.bias, scorer.nH * sizeof(float))
    for m in range(scorer.n_members):
        products, width = scorer.products[m], scorer.widths[m]
        for f in range(scorer.nF):
            rows[f] = products + (<size_t>f * (scorer.n_words + 1) + token_rows[f]) * width
        for f in range(N_ATOMS):
            rows[scorer.nF + f] = scorer.atoms + <size_t>atom_rows[f] * scorer.nH + first
        add_rows(pre + first, rows, scorer.nF + N_ATOMS, width)
        first += width


cdef void activate(const NeuralC* scorer, const float* pre, float* hidden) noexcept nogil:
    memset(hidden, 0, scorer.nH * sizeof(float))
    max_row(hidden, pre, scorer.nH)


cdef void look_neural(
    void* self, const SystemC* system, const StateC* st, int focus, int sentence, void* input,
    int row
) noexcept nogil:
    cdef NeuralC* scorer = <NeuralC*>self
    cdef int* token_rows = <int*>input
    cdef int* atom_rows = token_rows + scorer.nF
    cdef int first = scorer.first[sentence]
    cdef int[N_ALL_POSITIONS] positions
    find_words(scorer, system, st, focus, first, positions)
    fill_token_rows(scorer, positions, first, token_rows)
    fill_atom_rows(system, st, positions, &scorer.arcs[sentence], atom_rows)
    sum_rows(scorer, token_rows, atom_rows, scorer.pre)
    activate(scorer, scorer.pre, scorer.hidden + row * scorer.nH)


cdef void score_neural(void* self, int row, int n, float* scores) noexcept nogil:
    cdef NeuralC* scorer = <NeuralC*>self
    cdef const float* hidden = scorer.hidden + row * scorer.nH
    score_sparse_rows(
        hidden, n, scorer.nH, scorer.out_W, scorer.width, scorer.out_b, scores, scorer.nO,
        scorer.units,
    )


cdef float root_neural(void* self, int sentence, int word) noexcept nogil:
    return (<NeuralC*>self).arcs[sentence].root[word]


cdef float arc_neural(void* self, int sentence, int head, int dependent) noexcept nogil:
    return arc_prob(&(<NeuralC*>self).arcs[sentence], head, dependent)


cdef int next_left_neural(void* self, int sentence, int left, int right) noexcept nogil:
    cdef const NeuralC* scorer = <NeuralC*>self
    cdef const int* kept = scorer.kept
    if kept != NULL:
        kept += scorer.first[sentence]
    return next_left(&scorer.arcs[sentence], left, right, kept)


def position_slots(names):
    """Get the indices of named positions, as int32."""
    return numpy.array([ALL_POSITION_NAMES.index(name) for name in names], dtype="i")


def state_rows(
    TransitionSystem system not None, State state not None, const int[::1] slots not None,
    const float[:, ::1] head_vectors not None, const float[:, ::1] dep_vectors not None,
    const float[::1] root not None, const float[::1] distance not None, collocates=None,
    Py_ssize_t focus=0,
):
    """Find the rows that the scorer sums in a configuration of a sentence of one word or more.

    slots: the positions that are looked at. head_vectors, dep_vectors, root, distance: as for
    `arc_probabilities`. collocates: as for `NeuralBatch`. focus: of a list system. Returns the token
    rows, one per slot, the number of words standing for an empty position, and the atom rows.
    """
    cdef NeuralC scorer
    cdef int[N_ALL_POSITIONS] positions
    cdef ArcTableC arcs
    cdef ArcWeightsC weights
    cdef int n = state.c.n
    cdef int f
    cdef float[::1] block = numpy.zeros((arc_table_floats(n),), dtype="f")
    cdef int[::1] token_rows = numpy.zeros((slots.shape[0],), dtype="i")
    cdef int[::1] atom_rows = numpy.zeros((N_ATOMS,), dtype="i")
    system.check(state)
    check_shape("head_vectors", head_vectors, n, root.shape[0])
    check_weights(head_vectors, dep_vectors, root, distance)
    check_at_least("head_vectors", head_vectors, 0, 1)
    check_values("slots", slots, 0, N_ALL_POSITIONS - 1)
    check_values("number of slots", slots.shape[0], 0, N_ALL_POSITIONS)
    check_collocates(collocates, [n])
    check_values("focus", focus, 0, state.c.n)
    weights.nA = root.shape[0]
    weights.root = &root[0]
    weights.distance = &distance[0]
    arc_table_carve(&arcs, &block[0], n)
    fill_arc_table(&arcs, &weights, &head_vectors[0, 0], &dep_vectors[0, 0], 1)
    scorer.nF = slots.shape[0]
    scorer.n_words = n
    for f in range(slots.shape[0]):
        scorer.slots[f] = slots[f]
    scorer.collocates = view_collocates(collocates)
    for f in range(N_ALL_POSITIONS):
        positions[f] = -1
    find_words(&scorer, &system.c, &state.c, focus, 0, positions)
    fill_token_rows(&scorer, positions, 0, &token_rows[0])
    fill_atom_rows(&system.c, &state.c, positions, &arcs, &atom_rows[0])
    return numpy.asarray(token_rows), numpy.asarray(atom_rows)
