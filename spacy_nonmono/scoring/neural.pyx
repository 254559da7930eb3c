"""The inner loops of the neural scorer, for decoding (C functions) and training (batches of states)."""

from libc.float cimport FLT_MAX
from libc.limits cimport INT_MAX
from libc.math cimport expf, logf
from libc.string cimport memcpy
from libcpp.vector cimport vector

import numpy

from ..state cimport MAX_WORDS, State
from ..transitions.system cimport (
    N0, N0l, N0l2, S0, S0h, S0l, S0l2, S0r, S0r2, S1, TransitionSystem,
)
from .arcs cimport (
    ArcWeightsC, arc_prob, arc_table_carve, arc_table_floats, best_child_from, best_child_to,
    fill_arc_table, mass_up_to,
)

from .places cimport N_PLACES, fill_collocates, view_collocates
from .scorer cimport N_FIXED_CLASSES, distance_bucket

from ..shapes import check_at_least, check_collocates, check_lengths, check_shape, check_values
from .arcs import check_weights
from .places import PLACE_NAMES

cdef extern from "kernels.h" namespace "nonmono" nogil:
    void add_row(float* total, const float* row, int n)
    void add_rows(float* total, const float** rows, int n_rows, int n)
    void score_rows(
        const float* hidden, int n, int nH, const float* weights, int width, const float* bias,
        float* scores, int nO
    )


cdef enum:
    N_BUCKETS = 13        # of a probability; 0: the words are missing

# Rows of the atom table, in order: distance, valencies, what the focus words have seen, how much is
# left, arc probabilities, labels. What is counted together has a row for each combination. The labels
# come last, so that new ones append rows.
cdef enum:
    DISTANCE = 0                          # 10: missing, 1, 2, 3, 4, 5, 6-7, 8-10, 11-20, 21+
    CHILDREN = DISTANCE + 10              # left of S0, right of S0, left of N0, 4 each: 0, 1, 2, 3+
    SEEN = CHILDREN + 4 * 4 * 4           # S0, N0, 3 each: missing, no head, head; N0 shifted; ended
    LEFT = SEEN + 3 * 3 * 2 * 2           # stack (or words left of j to look at), buffer, 4 each
    ARCS = LEFT + 4 * 4                   # N_ARC_ATOMS * N_BUCKETS
    LABELS = ARCS + N_ARC_ATOMS * N_BUCKETS  # (1 + labels) * N_LABEL_ATOMS; first: no label

N_FIXED_ROWS = LABELS


def n_atom_rows(int n_labels):
    """Rows of the atom table for so many labels."""
    return LABELS + (1 + n_labels) * N_LABEL_ATOMS


def n_classes(int n_labels):
    """Output classes for so many labels."""
    return N_FIXED_CLASSES + 2 * n_labels


cdef inline int at_most(int value, int limit) noexcept nogil:
    return value if value < limit else limit


cdef inline int bucket(float p) noexcept nogil:
    """1..12, finer towards both ends, where a probability says most."""
    if p < 0.35:
        if p < 0.03:
            return 1 if p < 0.003 else (2 if p < 0.01 else 3)
        return 4 if p < 0.08 else (5 if p < 0.18 else 6)
    if p < 0.82:
        return 7 if p < 0.5 else (8 if p < 0.65 else 9)
    return 10 if p < 0.92 else (11 if p < 0.98 else 12)


cdef inline int label_row(const StateC* st, int word, int slot) noexcept nogil:
    cdef int label = st.label[word] if word >= 0 else -1
    return LABELS + (label + 1) * N_LABEL_ATOMS + slot


cdef void find_words(
    const NeuralC* scorer, const SystemC* system, const StateC* st, int first, int* places
) noexcept nogil:
    system.positions(st, places)
    if scorer.collocates.starts != NULL:
        fill_collocates(&scorer.collocates, st, first, places)


cdef void fill_token_rows(
    const NeuralC* scorer, const int* places, int first, int* token_rows
) noexcept nogil:
    cdef int f, word
    for f in range(scorer.nF):
        word = places[scorer.slots[f]]
        token_rows[f] = first + word if word >= 0 else scorer.n_words


cdef void fill_atom_rows(
    const StateC* st, const int* places, const ArcTableC* arcs, int* atom_rows
) noexcept nogil:
    cdef int left = places[S0]
    cdef int right = places[N0]
    cdef int below = places[S1]
    cdef int k
    cdef int* out = atom_rows + N_SIMPLE_ATOMS
    atom_rows[0] = DISTANCE + (distance_bucket(right - left) if left >= 0 and right >= 0 else 0)
    atom_rows[1] = CHILDREN
    atom_rows[2] = SEEN
    if left >= 0:
        atom_rows[1] += 16 * at_most(st.n_left[left], 3) + 4 * at_most(st.n_right[left], 3)
        atom_rows[2] += 12 * (1 + (st.head[left] >= 0))
    if right >= 0:
        atom_rows[1] += at_most(st.n_left[right], 3)
        atom_rows[2] += 4 * (1 + (st.head[right] >= 0)) + 2 * st.shifted[right]
    atom_rows[2] += 1 if st.end else 0
    atom_rows[3] = LEFT + 4 * at_most(st.depth if st.depth > 0 else st.i + 1, 3)
    atom_rows[3] += at_most(st.n - right, 3) if right >= 0 else 0
    for k in range(N_ARC_ATOMS):
        out[k] = ARCS + k * N_BUCKETS
    if left >= 0:
        out[0] += bucket(mass_up_to(arcs, left, left - 1))
        out[1] += bucket(arcs.root[left])
        if st.head[left] >= 0:
            out[2] += bucket(arc_prob(arcs, st.head[left], left))
        if below >= 0:
            out[3] += bucket(arc_prob(arcs, below, left))
            out[4] += bucket(arc_prob(arcs, left, below))
    if right >= 0:
        out[5] += bucket(mass_up_to(arcs, right, arcs.n - 1) - mass_up_to(arcs, right, right))
        out[6] += bucket(arcs.root[right])
        if st.head[right] >= 0:
            out[7] += bucket(arc_prob(arcs, st.head[right], right))
        if below >= 0:
            out[8] += bucket(arc_prob(arcs, below, right))
    if left >= 0 and right >= 0:
        out[9] += bucket(arc_prob(arcs, left, right))
        out[10] += bucket(arc_prob(arcs, right, left))
        out[11] += bucket(mass_up_to(arcs, left, arcs.n - 1) - mass_up_to(arcs, left, right))
        out[12] += bucket(mass_up_to(arcs, right, left - 1))
        out[13] += bucket(best_child_from(arcs, left, right + 1))
        out[14] += bucket(best_child_to(arcs, right, left - 1))
    out = atom_rows + N_SIMPLE_ATOMS + N_ARC_ATOMS
    out[0] = label_row(st, left, 0)
    out[1] = label_row(st, right, 1)
    out[2] = label_row(st, below, 2)
    out[3] = label_row(st, places[S0h], 3)
    out[4] = label_row(st, places[S0l], 4)
    out[5] = label_row(st, places[S0r], 5)
    out[6] = label_row(st, places[S0l2], 6)
    out[7] = label_row(st, places[S0r2], 7)
    out[8] = label_row(st, places[N0l], 8)
    out[9] = label_row(st, places[N0l2], 9)


cdef void sum_rows(
    const NeuralC* scorer, const int* token_rows, const int* atom_rows, float* pre
) noexcept nogil:
    cdef int nR = scorer.nP * scorer.nH
    cdef const float* rows[N_PLACES + N_ATOMS]
    cdef int f
    for f in range(scorer.nF):
        rows[f] = scorer.products + (<size_t>token_rows[f] * scorer.nF + f) * nR
    for f in range(N_ATOMS):
        rows[scorer.nF + f] = scorer.atoms + <size_t>atom_rows[f] * nR
    memcpy(pre, scorer.bias, nR * sizeof(float))
    add_rows(pre, rows, scorer.nF + N_ATOMS, nR)


cdef void maxout(const NeuralC* scorer, const float* pre, float* hidden) noexcept nogil:
    cdef int nH = scorer.nH
    cdef int p, h
    cdef const float* piece
    memcpy(hidden, pre, nH * sizeof(float))
    for p in range(1, scorer.nP):
        piece = pre + p * nH
        for h in range(nH):
            if piece[h] > hidden[h]:
                hidden[h] = piece[h]


cdef void look_neural(
    void* self, const SystemC* system, const StateC* st, int sentence, void* input, int row
) noexcept nogil:
    cdef NeuralC* scorer = <NeuralC*>self
    cdef int* token_rows = <int*>input
    cdef int* atom_rows = token_rows + scorer.nF
    cdef int first = scorer.first[sentence]
    cdef int[N_PLACES] places
    find_words(scorer, system, st, first, places)
    fill_token_rows(scorer, places, first, token_rows)
    fill_atom_rows(st, places, &scorer.arcs[sentence], atom_rows)
    sum_rows(scorer, token_rows, atom_rows, scorer.pre)
    maxout(scorer, scorer.pre, scorer.hidden + row * scorer.nH)


cdef void score_neural(void* self, int row, int n, float* scores) noexcept nogil:
    cdef NeuralC* scorer = <NeuralC*>self
    score_rows(
        scorer.hidden + row * scorer.nH, n, scorer.nH, scorer.out_W, scorer.width, scorer.out_b, scores,
        scorer.nO,
    )


cdef float root_neural(void* self, int sentence, int word) noexcept nogil:
    return (<NeuralC*>self).arcs[sentence].root[word]


cdef float arc_neural(void* self, int sentence, int head, int dependent) noexcept nogil:
    return arc_prob(&(<NeuralC*>self).arcs[sentence], head, dependent)


def sum_state_rows(
    const float[:, :, ::1] products not None, const float[:, ::1] atoms not None,
    const float[::1] bias not None, const int[:, ::1] token_rows not None,
    const int[:, ::1] atom_rows not None,
):
    """Sum the rows of a batch of states.

    products: (N + 1, nF, nR). atoms: (rows, nR). bias: (nR,). token_rows: (S, nF) into the first axis
    of the products. atom_rows: (S, nK) into the atoms. Returns (S, nR).
    """
    cdef int S = token_rows.shape[0]
    cdef int nF = token_rows.shape[1]
    cdef int nK = atom_rows.shape[1]
    cdef int nR = bias.shape[0]
    cdef float[:, ::1] pre = numpy.empty((S, nR), dtype="f")
    cdef vector[const float*] rows
    cdef int s, f
    check_shape("products", products, products.shape[0], nF, nR)
    check_shape("atoms", atoms, atoms.shape[0], nR)
    check_shape("atom_rows", atom_rows, S, nK)
    check_values("token_rows", token_rows, 0, products.shape[0] - 1)
    check_values("atom_rows", atom_rows, 0, atoms.shape[0] - 1)
    rows.resize(nF + nK)
    with nogil:
        for s in range(S):
            for f in range(nF):
                rows[f] = &products[token_rows[s, f], f, 0]
            for f in range(nK):
                rows[nF + f] = &atoms[atom_rows[s, f], 0]
            memcpy(&pre[s, 0], &bias[0], nR * sizeof(float))
            add_rows(&pre[s, 0], rows.data(), nF + nK, nR)
    return numpy.asarray(pre)


def used_rows(const int[:, ::1] token_rows not None, Py_ssize_t n_words):
    """Which products a batch of states uses, position after position.

    token_rows: (S, nF), up to n_words. Returns rows (S, nF), the place of each state's products among
    the R that are used; words (R,), to which they belong, in ascending order for each position; starts
    (nF + 1,), where a position begins. All int32.
    """
    cdef int S = token_rows.shape[0]
    cdef int nF = token_rows.shape[1]
    check_values("number of words", n_words, 0, 100 * MAX_WORDS // max(nF, 1))
    check_values("token_rows", token_rows, 0, n_words)
    cdef int[:, ::1] rows = numpy.empty((S, nF), dtype="i")
    cdef int[::1] words = numpy.empty((nF * (n_words + 1),), dtype="i")
    cdef int[::1] starts = numpy.zeros((nF + 1,), dtype="i")
    cdef int[::1] row_of = numpy.empty((n_words + 1,), dtype="i")
    cdef int R = 0
    cdef int s, f, w
    with nogil:
        for f in range(nF):
            row_of[:] = -1
            for s in range(S):
                row_of[token_rows[s, f]] = 0
            for w in range(n_words + 1):
                if row_of[w] == 0:
                    row_of[w] = R
                    words[R] = w
                    R += 1
            for s in range(S):
                rows[s, f] = row_of[token_rows[s, f]]
            starts[f + 1] = R
    return numpy.asarray(rows), numpy.asarray(words)[:R], numpy.asarray(starts)


def scatter_state_rows(
    const float[:, ::1] d_pre not None, const int[:, ::1] rows not None,
    const int[:, ::1] atom_rows not None, float[:, ::1] d_products not None,
    float[:, ::1] d_atoms not None,
):
    """The backward pass of `sum_state_rows`: adds the gradient of every state to its rows, in place.

    rows, and d_products (R, nR): as in `used_rows`.
    """
    cdef int S = rows.shape[0]
    cdef int nF = rows.shape[1]
    cdef int nK = atom_rows.shape[1]
    cdef int nR = d_pre.shape[1]
    cdef int s, f
    check_shape("d_pre", d_pre, S, nR)
    check_shape("atom_rows", atom_rows, S, nK)
    check_shape("d_products", d_products, d_products.shape[0], nR)
    check_shape("d_atoms", d_atoms, d_atoms.shape[0], nR)
    check_values("rows", rows, 0, d_products.shape[0] - 1)
    check_values("atom_rows", atom_rows, 0, d_atoms.shape[0] - 1)
    with nogil:
        for s in range(S):
            for f in range(nF):
                add_row(&d_products[rows[s, f], 0], &d_pre[s, 0], nR)
            for f in range(nK):
                add_row(&d_atoms[atom_rows[s, f], 0], &d_pre[s, 0], nR)


def max_pieces(const float[:, :, ::1] pre not None):
    """The highest piece of every hidden unit, (S, nH), and which it is, uint8. pre: (S, nP, nH)."""
    cdef int S = pre.shape[0]
    cdef int nP = pre.shape[1]
    cdef int nH = pre.shape[2]
    cdef float[:, ::1] hidden = numpy.empty((S, nH), dtype="f")
    cdef unsigned char[:, ::1] which = numpy.zeros((S, nH), dtype="u1")
    cdef int s, p, h
    check_at_least("pre", pre, 1, 1)
    with nogil:
        for s in range(S):
            for h in range(nH):
                hidden[s, h] = pre[s, 0, h]
            for p in range(1, nP):
                for h in range(nH):
                    if pre[s, p, h] > hidden[s, h]:
                        hidden[s, h] = pre[s, p, h]
                        which[s, h] = p
    return numpy.asarray(hidden), numpy.asarray(which)


def spread_pieces(
    const float[:, ::1] d_hidden not None, const unsigned char[:, ::1] which not None, Py_ssize_t nP
):
    """The backward pass of `max_pieces`: (S, nP * nH), zero but for the highest pieces."""
    cdef int S = d_hidden.shape[0]
    cdef int nH = d_hidden.shape[1]
    check_values("number of pieces", nP, 1, 256)
    check_shape("which", which, S, nH)
    check_values("which", which, 0, nP - 1)
    cdef float[:, ::1] d_pre = numpy.zeros((S, nP * nH), dtype="f")
    cdef int s, h
    with nogil:
        for s in range(S):
            for h in range(nH):
                d_pre[s, which[s, h] * nH + h] = d_hidden[s, h]
    return numpy.asarray(d_pre)


def choice_loss(
    const float[:, ::1] scores not None, const unsigned char[:, ::1] valid not None,
    const unsigned char[:, ::1] correct not None, const int[::1] sizes not None,
):
    """-log of the probability mass on the correct classes among the valid ones, and its gradient.

    scores, valid, correct: (S, nO); valid and correct are flags. sizes: (C,), rows of each
    configuration, over whose classes the probabilities sum to one. Returns the loss of all
    configurations and (S, nO).
    """
    cdef int nO = scores.shape[1]
    cdef float[:, ::1] gradient = numpy.zeros((scores.shape[0], nO), dtype="f")
    cdef double loss = 0
    cdef size_t first = 0
    cdef int c
    check_shape("valid", valid, scores.shape[0], nO)
    check_shape("correct", correct, scores.shape[0], nO)
    check_lengths(sizes, scores.shape[0], INT_MAX // max(nO, 1))
    with nogil:
        for c in range(sizes.shape[0]):
            loss += configuration_loss(
                &scores[first, 0], &valid[first, 0], &correct[first, 0], sizes[c] * nO,
                &gradient[first, 0],
            )
            first += sizes[c]
    return loss, numpy.asarray(gradient)


cdef double configuration_loss(
    const float* scores, const unsigned char* valid, const unsigned char* correct, int n,
    float* gradient
) noexcept nogil:
    """`gradient`, zeros at first, serves for the powers of the scores, too."""
    cdef float highest = -FLT_MAX
    cdef float highest_correct = -FLT_MAX
    cdef float total = 0
    cdef float total_correct = 0
    cdef float power
    cdef int k
    for k in range(n):
        if valid[k] and scores[k] > highest:
            highest = scores[k]
        if valid[k] and correct[k] and scores[k] > highest_correct:
            highest_correct = scores[k]
    for k in range(n):
        if valid[k]:
            gradient[k] = expf(scores[k] - highest)
            total += gradient[k]
            if correct[k]:
                total_correct += expf(scores[k] - highest_correct)
    for k in range(n):
        if valid[k]:
            power = expf(scores[k] - highest_correct) / total_correct if correct[k] else 0
            gradient[k] = gradient[k] / total - power
    return logf(total) + highest - logf(total_correct) - highest_correct


def place_slots(names):
    """Indices of named places, as int32."""
    return numpy.array([PLACE_NAMES.index(name) for name in names], dtype="i")


def state_rows(
    TransitionSystem system not None, State state not None, const int[::1] slots not None,
    const float[:, ::1] heads not None, const float[:, ::1] deps not None,
    const float[::1] root not None, const float[::1] distance not None, collocates=None,
    Py_ssize_t place=0,
):
    """The rows that the scorer sums in a configuration of a sentence of one word or more.

    slots: of the places that are looked at. heads, deps, root, distance: as for `arc_probabilities`.
    collocates: as for `NeuralBatch`. place: of a list system. Returns the token rows, one a slot, the
    number of words standing for an empty place, and the atom rows.
    """
    cdef NeuralC scorer
    cdef int[N_PLACES] places
    cdef ArcTableC arcs
    cdef ArcWeightsC weights
    cdef int n = state.c.n
    cdef int at_rest = state.c.i
    cdef int f
    cdef float[::1] block = numpy.zeros((arc_table_floats(n),), dtype="f")
    cdef int[::1] token_rows = numpy.zeros((slots.shape[0],), dtype="i")
    cdef int[::1] atom_rows = numpy.zeros((N_ATOMS,), dtype="i")
    system.check(state)
    check_shape("heads", heads, n, root.shape[0])
    check_weights(heads, deps, root, distance)
    check_at_least("heads", heads, 0, 1)
    check_values("slots", slots, 0, N_PLACES - 1)
    check_values("number of slots", slots.shape[0], 0, N_PLACES)
    check_collocates(collocates, [n])
    check_values("place", place, 0, state.c.n)
    weights.nA = root.shape[0]
    weights.root = &root[0]
    weights.distance = &distance[0]
    arc_table_carve(&arcs, &block[0], n)
    fill_arc_table(&arcs, &weights, &heads[0, 0], &deps[0, 0])
    scorer.nF = slots.shape[0]
    scorer.n_words = n
    for f in range(slots.shape[0]):
        scorer.slots[f] = slots[f]
    scorer.collocates = view_collocates(collocates)
    if system.list_based:
        state.c.i = place
    for f in range(N_PLACES):
        places[f] = -1
    find_words(&scorer, &system.c, &state.c, 0, places)
    fill_token_rows(&scorer, places, 0, &token_rows[0])
    fill_atom_rows(&state.c, places, &arcs, &atom_rows[0])
    state.c.i = at_rest
    return numpy.asarray(token_rows), numpy.asarray(atom_rows)
