"""Derivations of non-monotonic Covington that follow the gold arcs, but for some deviations."""

from libc.stdint cimport uint32_t

from ...structs cimport GoldC
from ...oracles.cycles cimport ViewC


cdef enum:
    MAX_DEVIATIONS = 10
    MAX_CONFLICT = 48     # words of the conflicts of one derivation that are looked at
    N_TRIED = 1024
    FREE = -2             # as a gold head: lost or unknown, so that any head will do


cdef struct ArcC:
    int head
    int dep


cdef struct DeviationC:
    # What a derivation does at a pair of words, where following the gold arcs would do something else.
    ArcC arc
    bint skips            # it builds no arc: the gold one between these words is left out


cdef struct ExactSearchC:
    int n
    int i                 # the configuration to start from
    int j
    const int* start_head  # [n]
    int* gold             # [n] gold heads that stand or can be built; -1: root; FREE
    int* head             # [n] of the derivation under way
    int* left             # [n] gold heads that this derivation has not lost
    int* queue            # [n] free space
    int* below            # [n]
    ArcC* pending         # [n_pending] gold arcs to be built, in Covington's order
    int n_pending
    DeviationC deviations[MAX_DEVIATIONS]  # in Covington's order
    int n_deviations
    # Deviations that need not be tried again: everything with them has been. A table of keys, filled
    # and emptied like a stack.
    uint32_t tried[N_TRIED]
    int order[N_TRIED]
    int n_tried
    int limit             # on the number of deviations
    bint cut              # at the limit
    int nodes
    int node_cap
    bint capped


cdef struct ConflictC:
    # The words of the conflicts: each with all that have been above it on the way there, and the pair
    # at which it arose.
    int word[MAX_CONFLICT]
    int low[MAX_CONFLICT]
    int high[MAX_CONFLICT]
    int first[MAX_CONFLICT]  # where the words of this conflict begin
    int n
    bint full


cdef inline int low_of(int a, int b) noexcept nogil:
    return a if a < b else b


cdef inline int high_of(int a, int b) noexcept nogil:
    return a if a > b else b


cdef inline bint comes_before(int low, int high, int other_low, int other_high) noexcept nogil:
    """The first pair is looked at before the other one."""
    return high < other_high or (high == other_high and low > other_low)


cdef inline bint pair_before(int a, int b, int c, int d) noexcept nogil:
    return comes_before(low_of(a, b), high_of(a, b), low_of(c, d), high_of(c, d))


cdef inline bint open_pair(const ExactSearchC* search, int a, int b) noexcept nogil:
    """The pair is still to be looked at."""
    cdef int high = high_of(a, b)
    return high > search.j or (high == search.j and low_of(a, b) <= search.i)


cdef inline bint settled(const ExactSearchC* search, int a, int low, int high) noexcept nogil:
    """Where nothing is lost, a has its gold head when the pair (low, high) comes up."""
    cdef int h = search.gold[a]
    return h >= 0 and (
        search.start_head[a] == h or comes_before(low_of(h, a), high_of(h, a), low, high)
    )


# Fill `gold` and `pending`.
cdef void prepare(ExactSearchC* search, const ViewC* view, const GoldC* gold) noexcept nogil
# Follow the gold arcs and the deviations to the end; arcs lost on the way, `slack` + 1 if more than
# `slack`. Fills `conflict`.
cdef int derive(ExactSearchC* search, int slack, ConflictC* conflict) noexcept nogil
# Insert a deviation in Covington's order; False if its pair has one, or there are too many.
cdef bint add_deviation(ExactSearchC* search, int head, int dep, bint skips) noexcept nogil
