"""Static oracle of the two-planar system (Gomez-Rodriguez & Nivre 2010, 2013).

Gold arcs that cross are neighbours in a graph. The tree has a derivation iff its nodes can be painted
with two colours, neighbours with different ones: the planes. What hangs together in the graph can be
painted in two ways. It is painted when the derivation comes upon the first of its arcs, so that this one
needs no Switch. A word is popped as soon as the active plane has no more arcs for it: a linear parser of
Basque learns to do so more easily than to pop late, as arc-eager's oracle does (dev part: 70.9 and 69.6
LAS).
"""

from spacy_nonmono.oracles.oracle cimport StaticOracle
from spacy_nonmono.oracles.tally cimport count_kids
from spacy_nonmono.structs cimport GoldC, StateC, SystemC

from .gold_arcs cimport crosses
from .two_planar cimport LEFT_ARC, PLANE, REDUCE, RIGHT_ARC, SHIFT, SWITCH, front, top


cdef enum:
    UNPAINTED = -1


cdef inline int* planes(const GoldC* gold) noexcept nogil:
    """[n] the plane of the gold arc to each word; kept in the scratch of the tree."""
    return gold.scratch


cdef inline int* fits(const GoldC* gold) noexcept nogil:
    """Whether the arcs of the tree fit in two planes; kept there, too."""
    return gold.scratch + 2 * gold.n


cdef bint paint(const GoldC* gold, int d, int plane) noexcept nogil:
    """Give a plane to the arc to d, and with it to all that hangs together with it. False: in vain."""
    cdef int* plane_of = planes(gold)
    cdef int* queue = gold.scratch + gold.n
    cdef int n_queued = 1
    cdef int k = 0
    cdef int e
    plane_of[d] = plane
    queue[0] = d
    while k < n_queued:
        d = queue[k]
        k += 1
        for e in range(gold.n):
            if gold.head[e] < 0 or not crosses(gold, d, e):
                continue
            if plane_of[e] == plane_of[d]:
                return False
            if plane_of[e] == UNPAINTED:
                plane_of[e] = 1 - plane_of[d]
                queue[n_queued] = e
                n_queued += 1
    return True


cdef inline bint ends_at(const GoldC* gold, int left, int right) noexcept nogil:
    return gold.head[left] == right or gold.head[right] == left


cdef inline int dependent_of(const GoldC* gold, int left, int right) noexcept nogil:
    """The dependent of two words that a gold arc joins."""
    return left if gold.head[left] == right else right


cdef bint fill_planes(const GoldC* gold) noexcept nogil:
    """Follow the derivation: the arcs that end at a word are built when it is the buffer front, those in
    the active plane first. False: the arcs do not fit in two planes."""
    cdef int* plane_of = planes(gold)
    cdef int active = 0
    cdef int left, right, d
    cdef bint switches
    for d in range(gold.n):
        plane_of[d] = UNPAINTED
    for right in range(gold.n):
        switches = False
        for left in range(right - 1, -1, -1):
            if not ends_at(gold, left, right):
                continue
            d = dependent_of(gold, left, right)
            if plane_of[d] == UNPAINTED and not paint(gold, d, active):
                return False
            if plane_of[d] != active:
                switches = True
        if switches:
            active = 1 - active
    return True


cdef inline bint is_missing(const StateC* st, const GoldC* gold, int d, int plane) noexcept nogil:
    """The gold arc to d belongs to a plane, and is not built yet."""
    return planes(gold)[d] == plane and st.head[d] < 0


cdef bint is_due(const StateC* st, const GoldC* gold, int plane) noexcept nogil:
    """An arc of a plane is missing between the buffer front and a word before it."""
    cdef int b = front(st)
    cdef int k
    for k in range(gold.kids_start[b], gold.kids_start[b + 1]):
        if gold.kids[k] < b and is_missing(st, gold, gold.kids[k], plane):
            return True
    return gold.head[b] < b and is_missing(st, gold, b, plane)


cdef bint is_done(const StateC* st, const GoldC* gold, int s, int plane) noexcept nogil:
    """No arc of a plane is missing between a word on the stack and those in the buffer."""
    cdef int b = front(st)
    cdef int k
    for k in range(gold.kids_start[s], gold.kids_start[s + 1]):
        if gold.kids[k] >= b and is_missing(st, gold, gold.kids[k], plane):
            return False
    return gold.head[s] < b or not is_missing(st, gold, s, plane)


cdef int next_move(const SystemC* system, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef int plane = st.own[PLANE]
    cdef int move = SHIFT
    cdef int s, b
    if gold.tally.state == NULL:
        # Nobody has looked at this tree yet.
        fits(gold)[0] = fill_planes(gold)
        count_kids(st, gold)
    if st.rest == 0 or not fits(gold)[0]:
        return -1
    s = top(st) if st.depth > 0 else -1
    b = front(st)
    if s >= 0 and ends_at(gold, s, b) and is_missing(st, gold, dependent_of(gold, s, b), plane):
        move = LEFT_ARC if gold.head[s] == b else RIGHT_ARC
    elif s >= 0 and is_done(st, gold, s, plane):
        move = REDUCE
    elif is_due(st, gold, 1 - plane):
        move = SWITCH
    return move if system.is_valid(st, 0, move) else -1


cdef class TwoPlanarStatic(StaticOracle):
    """The derivation that switches late and reduces early."""

    def __cinit__(self, system):
        self.serve(system, "static", ("two_planar",))
        self.c.next_move = next_move
