"""The atom rows of a configuration: what the neural scorer sees of it beside its words."""

from ...structs cimport LIST, N_SEEN, PAIRS, StateC, SystemC
from ...transitions.positions cimport N0, N0l, N0l2, S0, S0h, S0l, S0l2, S0r, S0r2, S1
from .arcs cimport (
    ArcTableC, arc_prob, best_child_from, best_child_to, mass_up_to,
)
from ..scorer cimport distance_bucket


cdef enum:
    N_BUCKETS = 13        # of a probability; 0: the words are missing

# Rows of the atom table, in order: distance, valencies, what the focus words have seen, how much is
# left, arc probabilities, labels. What is counted together has a row for each combination. The labels
# come last, so that new ones append rows.
cdef enum:
    DISTANCE_ROWS = 0                       # 10: missing, 1, 2, 3, 4, 5, 6-7, 8-10, 11-20, 21+
    CHILDREN_ROWS = DISTANCE_ROWS + 10      # left of S0, right of S0, left of N0, 4 each: 0, 1, 2, 3+
    # S0, N0, 3 each: missing, no head, head; and what the system tells by `SystemC.seen`
    SEEN_ROWS = CHILDREN_ROWS + 4 * 4 * 4
    # Stack, list, or words up to i; N0 and behind: 4 each
    LEFT_ROWS = SEEN_ROWS + 3 * 3 * N_SEEN
    ARC_ROWS = LEFT_ROWS + 4 * 4            # N_ARC_ATOMS * N_BUCKETS
    # (1 + labels) * N_LABEL_ATOMS; first: no label
    LABEL_ROWS = ARC_ROWS + N_ARC_ATOMS * N_BUCKETS


def n_atom_rows(int n_labels):
    """Count the rows of the atom table for so many labels."""
    return LABEL_ROWS + (1 + n_labels) * N_LABEL_ATOMS


cdef inline int at_most(int value, int limit) noexcept nogil:
    return value if value < limit else limit


cdef inline int bucket(float p) noexcept nogil:
    """1..12, finer towards both ends, where a probability says most. The edges are a guess and were not
    tuned; saved weights are of these buckets."""
    if p < 0.35:
        if p < 0.03:
            return 1 if p < 0.003 else (2 if p < 0.01 else 3)
        return 4 if p < 0.08 else (5 if p < 0.18 else 6)
    if p < 0.82:
        return 7 if p < 0.5 else (8 if p < 0.65 else 9)
    return 10 if p < 0.92 else (11 if p < 0.98 else 12)


cdef inline int n_left_over(const SystemC* system, const StateC* st) noexcept nogil:
    """The words on the stack, in the list, or up to the left focus word."""
    if system.kind == PAIRS:
        return st.i + 1
    return st.n_pending if system.kind == LIST else st.depth


cdef inline void fill_counts(
    const SystemC* system, const StateC* st, int left, int right, int* rows
) noexcept nogil:
    rows[DISTANCE_ATOM] = DISTANCE_ROWS
    rows[CHILDREN_ATOM] = CHILDREN_ROWS
    rows[SEEN_ATOM] = SEEN_ROWS + system.seen(st)
    rows[LEFT_ATOM] = LEFT_ROWS + 4 * at_most(n_left_over(system, st), 3)
    if left >= 0:
        rows[CHILDREN_ATOM] += 16 * at_most(st.n_left[left], 3) + 4 * at_most(st.n_right[left], 3)
        rows[SEEN_ATOM] += 12 * (1 + (st.head[left] >= 0))
    if right >= 0:
        rows[CHILDREN_ATOM] += at_most(st.n_left[right], 3)
        rows[SEEN_ATOM] += 4 * (1 + (st.head[right] >= 0))
        rows[LEFT_ATOM] += at_most(st.n - right, 3)
    if left >= 0 and right >= 0:
        rows[DISTANCE_ATOM] += distance_bucket(left, right)


cdef inline void fill_arcs(
    const StateC* st, int left, int right, int below, const ArcTableC* arcs, int* rows
) noexcept nogil:
    cdef int k
    for k in range(N_ARC_ATOMS):
        rows[S0_HEAD_BEFORE + k] = ARC_ROWS + k * N_BUCKETS
    if left >= 0:
        rows[S0_HEAD_BEFORE] += bucket(mass_up_to(arcs, left, left - 1))
        rows[S0_ROOT] += bucket(arcs.root[left])
        if st.head[left] >= 0:
            rows[S0_HEAD] += bucket(arc_prob(arcs, st.head[left], left))
        if below >= 0:
            rows[S1_TO_S0] += bucket(arc_prob(arcs, below, left))
            rows[S0_TO_S1] += bucket(arc_prob(arcs, left, below))
    if right >= 0:
        rows[N0_HEAD_AFTER] += bucket(
            mass_up_to(arcs, right, arcs.n - 1) - mass_up_to(arcs, right, right)
        )
        rows[N0_ROOT] += bucket(arcs.root[right])
        if st.head[right] >= 0:
            rows[N0_HEAD] += bucket(arc_prob(arcs, st.head[right], right))
        if below >= 0:
            rows[S1_TO_N0] += bucket(arc_prob(arcs, below, right))
    if left >= 0 and right >= 0:
        rows[S0_TO_N0] += bucket(arc_prob(arcs, left, right))
        rows[N0_TO_S0] += bucket(arc_prob(arcs, right, left))
        rows[S0_HEAD_AFTER] += bucket(
            mass_up_to(arcs, left, arcs.n - 1) - mass_up_to(arcs, left, right)
        )
        rows[N0_HEAD_BEFORE] += bucket(mass_up_to(arcs, right, left - 1))
        rows[S0_CHILD_AFTER] += bucket(best_child_from(arcs, left, right + 1))
        rows[N0_CHILD_BEFORE] += bucket(best_child_to(arcs, right, left - 1))


cdef inline int label_row(const StateC* st, int word, int k) noexcept nogil:
    cdef int label = st.label[word] if word >= 0 else -1
    return LABEL_ROWS + (label + 1) * N_LABEL_ATOMS + k


cdef inline void fill_labels(const StateC* st, const int* positions, int* rows) noexcept nogil:
    cdef int* labels = rows + LABEL_ATOMS
    labels[0] = label_row(st, positions[S0], 0)
    labels[1] = label_row(st, positions[N0], 1)
    labels[2] = label_row(st, positions[S1], 2)
    labels[3] = label_row(st, positions[S0h], 3)
    labels[4] = label_row(st, positions[S0l], 4)
    labels[5] = label_row(st, positions[S0r], 5)
    labels[6] = label_row(st, positions[S0l2], 6)
    labels[7] = label_row(st, positions[S0r2], 7)
    labels[8] = label_row(st, positions[N0l], 8)
    labels[9] = label_row(st, positions[N0l2], 9)


cdef void fill_atom_rows(
    const SystemC* system, const StateC* st, const int* positions, const ArcTableC* arcs, int* atom_rows
) noexcept nogil:
    cdef int left = positions[S0]
    cdef int right = positions[N0]
    fill_counts(system, st, left, right, atom_rows)
    fill_arcs(st, left, right, positions[S1], arcs, atom_rows)
    fill_labels(st, positions, atom_rows)
