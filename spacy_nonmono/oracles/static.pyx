"""Static oracles: the one derivation of a gold tree that training treats as correct.

Arc-eager family: attach as soon as possible, left arcs before right arcs; pop as soon as nothing more
is due, otherwise shift. Covington: an arc if the focus pair is linked, Shift as soon as no word on the
left is still to be linked with j, otherwise No-Arc. Bottom-up systems: attach a word as soon as it has
all its dependents, left arcs before right arcs, otherwise shift; easy-first at the leftmost place. Every
function returns the next move of the derivation, -1 where it ends (in a final configuration, or because
the tree cannot be built); in list systems the place is in it.
"""

from ..state cimport N_MOVES
from ..structs cimport GoldC, StateC
from ..transitions.system cimport (
    LEFT_ARC, NO_ARC, REDUCE, RIGHT_ARC, SHIFT, SHIFT_LEFT, SHIFT_RIGHT, SystemC, TransitionSystem,
)
from .oracle cimport StaticOracle
from .places cimport count_kids, kids_in_buffer, kids_pending

ARC_EAGER = (
    "arc_eager", "arc_eager_tree_constrained", "arc_eager_repair", "arc_eager_unshift"
)


cdef int arc_eager_next(const SystemC* system, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef int s, b
    cdef int move = SHIFT
    count_kids(st, gold)
    if st.depth > 0:
        s = st.stack[st.depth - 1]
        b = st.buffer[st.rest - 1] if st.rest > 0 else -1
        if st.rest > 0 and st.head[s] < 0 and gold.head[s] == b:
            move = LEFT_ARC
        elif b >= 0 and gold.head[b] == s:
            move = RIGHT_ARC
        elif st.head[s] >= 0 and kids_in_buffer(gold, s) == 0:
            move = REDUCE
    return move if system.is_valid(st, move) else -1


cdef inline int first_kid(const GoldC* gold, int h) noexcept nogil:
    """The leftmost gold dependent of h, or h."""
    return gold.kids[gold.kids_start[h]] if gold.kids_start[h] < gold.kids_start[h + 1] else h


cdef int covington_next(const SystemC* system, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef int i = st.i
    cdef int j = st.j
    cdef int move = SHIFT
    if j < st.n and i >= 0:
        if gold.head[i] == j:
            move = LEFT_ARC
        elif gold.head[j] == i:
            move = RIGHT_ARC
        elif 0 <= gold.head[j] < i or first_kid(gold, j) < i:
            move = NO_ARC
    return move if system.is_valid(st, move) else -1


cdef inline bint is_due(const GoldC* gold, int h, int d) noexcept nogil:
    """h is the gold head of the word d, which has all its gold dependents: along a static derivation
    words are attached to their gold heads only."""
    return d >= 0 and gold.head[d] == h and kids_pending(gold, d) == 0


cdef int arc_standard_next(const SystemC* system, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef int top, below
    cdef int move = SHIFT
    count_kids(st, gold)
    if st.depth >= 2:
        top = st.stack[st.depth - 1]
        below = st.stack[st.depth - 2]
        if is_due(gold, top, below):
            move = LEFT_ARC
        elif is_due(gold, below, top):
            move = RIGHT_ARC
    return move if system.is_valid(st, move) else -1


cdef int arc_hybrid_next(const SystemC* system, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef int top
    cdef int move = SHIFT
    count_kids(st, gold)
    if st.depth >= 2:
        top = st.stack[st.depth - 1]
        if st.rest > 0 and is_due(gold, st.buffer[st.rest - 1], top):
            move = LEFT_ARC
        elif is_due(gold, st.stack[st.depth - 2], top):
            move = RIGHT_ARC
    return move if system.is_valid(st, move) else -1


cdef int due_at(const StateC* st, const GoldC* gold, int place) noexcept nogil:
    """The attachment that is due at a place, -1: none."""
    cdef int left = st.stack[place]
    cdef int right = st.stack[place + 1]
    if is_due(gold, right, left):
        return place * N_MOVES + LEFT_ARC
    if is_due(gold, left, right):
        return place * N_MOVES + RIGHT_ARC
    return -1


cdef int easy_first_next(const SystemC* system, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef int first = 0
    cdef int n_places = system.focuses(st, &first)
    cdef int action = -1
    cdef int place
    count_kids(st, gold)
    for place in range(first, first + n_places):
        action = due_at(st, gold, place)
        if action >= 0:
            break
    return action


cdef int yamada_next(const SystemC* system, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef int action = easy_first_next(system, st, gold)
    cdef int move = SHIFT
    if action >= 0 or not system.is_valid(st, SHIFT):
        return action
    if system.is_valid(st, SHIFT_LEFT):
        if gold.head[st.stack[st.i]] == st.stack[st.i + 1]:
            move = SHIFT_LEFT
        elif gold.head[st.stack[st.i + 1]] == st.stack[st.i]:
            move = SHIFT_RIGHT
    return st.i * N_MOVES + move


cdef class ArcEagerStatic(StaticOracle):
    """The derivation of the arc-eager systems (oracles: `static`)."""

    def __cinit__(self, TransitionSystem system not None):
        self.serve(system, "static", ARC_EAGER)
        self.c.next_move = arc_eager_next


cdef class CovingtonStatic(StaticOracle):
    """The derivation of Covington's systems."""

    def __cinit__(self, TransitionSystem system not None):
        self.serve(system, "static", ("covington", "covington_nonmonotonic"))
        self.c.next_move = covington_next


cdef class ArcStandardStatic(StaticOracle):
    """The derivation of arc-standard."""

    def __cinit__(self, TransitionSystem system not None):
        self.serve(system, "static", ("arc_standard",))
        self.c.next_move = arc_standard_next


cdef class ArcHybridStatic(StaticOracle):
    """The derivation of arc-hybrid."""

    def __cinit__(self, TransitionSystem system not None):
        self.serve(system, "static", ("arc_hybrid",))
        self.c.next_move = arc_hybrid_next


cdef class EasyFirstStatic(StaticOracle):
    """The derivation of easy-first."""

    def __cinit__(self, TransitionSystem system not None):
        self.serve(system, "static", ("easy_first",))
        self.c.next_move = easy_first_next


cdef class YamadaMatsumotoStatic(StaticOracle):
    """The derivation in passes from left to right."""

    def __cinit__(self, TransitionSystem system not None):
        self.serve(system, "static", ("yamada_matsumoto",))
        self.c.next_move = yamada_next
