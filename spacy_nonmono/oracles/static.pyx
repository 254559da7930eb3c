"""Static oracles: the one derivation of a gold tree that training treats as correct.

Arc-eager family: attach as soon as possible, left arcs before right arcs; pop as soon as nothing more
is due, otherwise shift. Covington: an arc if the focus pair is linked, Shift as soon as no word on the
left is still to be linked with j, otherwise No-Arc. Every function returns the next move of the
derivation, -1 where it ends (in a final configuration, or because the tree cannot be built).
"""

from ..state cimport IN_BUFFER
from ..structs cimport GoldC, StateC
from ..transitions.system cimport (
    LEFT_ARC, NO_ARC, REDUCE, RIGHT_ARC, SHIFT, SystemC,
)
from .oracle cimport StaticOracle


cdef bint kid_in_buffer(const StateC* st, const GoldC* gold, int h) noexcept nogil:
    cdef int k
    for k in range(gold.kids_start[h], gold.kids_start[h + 1]):
        if st.place[gold.kids[k]] == IN_BUFFER:
            return True
    return False


cdef int arc_eager_next(const SystemC* system, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef int s, b
    cdef int move = SHIFT
    if st.depth > 0:
        s = st.stack[st.depth - 1]
        b = st.buffer[st.rest - 1] if st.rest > 0 else -1
        if st.rest > 0 and st.head[s] < 0 and gold.head[s] == b:
            move = LEFT_ARC
        elif b >= 0 and gold.head[b] == s:
            move = RIGHT_ARC
        elif st.head[s] >= 0 and not kid_in_buffer(st, gold, s):
            move = REDUCE
    return move if system.is_valid(st, move) else -1


cdef int covington_next(const SystemC* system, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef int i = st.i
    cdef int j = st.j
    cdef int k
    cdef int move = SHIFT
    if j < st.n and i >= 0:
        if gold.head[i] == j:
            move = LEFT_ARC
        elif gold.head[j] == i:
            move = RIGHT_ARC
        elif 0 <= gold.head[j] < i:
            move = NO_ARC
        else:
            for k in range(gold.kids_start[j], gold.kids_start[j + 1]):
                if gold.kids[k] < i:
                    move = NO_ARC
    return move if system.is_valid(st, move) else -1


cdef class ArcEagerStatic(StaticOracle):
    """The derivation of the arc-eager systems (oracles: `static`)."""

    def __cinit__(self, system):
        self.name = "static"
        self.system = system
        self.c.next_move = arc_eager_next


cdef class CovingtonStatic(StaticOracle):
    """The derivation of Covington's systems."""

    def __cinit__(self, system):
        self.name = "static"
        self.system = system
        self.c.next_move = covington_next
