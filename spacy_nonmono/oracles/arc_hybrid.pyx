"""Dynamic oracle of arc-hybrid, in which the arcs of a tree can be looked at one by one.

Goldberg & Nivre (2013). S is the stack with ROOT, s its top, t what lies below it, B the buffer with its
front b, g(h, d) says that h is the gold head of d. That ROOT gets the last word only changes nothing.

The static derivation attaches a word as soon as it has all its dependents, left arcs before right arcs,
and shifts otherwise.
"""

from ..state cimport GONE, IN_BUFFER, IN_STACK
from ..structs cimport GoldC, StateC, SystemC
from ..transitions.arc_standard cimport LEFT_ARC, RIGHT_ARC, SHIFT
from .oracle cimport CostsC, Oracle, OracleC, StaticOracle, built, set_gold_arc
from .tally cimport count_kids, is_due, kids_in_buffer, kids_in_stack, word_in


cdef void arc_hybrid_costs(
    const OracleC* self, const SystemC* system, const StateC* st, int focus, const GoldC* gold,
    CostsC* out
) noexcept nogil:
    cdef int s = st.stack[st.depth - 1] if st.depth > 0 else -1
    cdef int b = st.buffer[st.rest - 1] if st.rest > 0 else -1
    cdef int t
    count_kids(st, gold)
    if b >= 0:
        # SHIFT loses g(k, b) for k in S other than s, and g(b, k) for k in S.
        out.cost[SHIFT] = kids_in_stack(gold, b) + (
            (gold.head[b] == -1 and s >= 0)
            or (gold.head[b] != s and word_in(st, gold.head[b], IN_STACK))
        )
    if s >= 0:
        # RIGHT-ARC loses g(k, s) and g(s, k) for k in B; LEFT-ARC loses g(k, s) for t and for k in B
        # other than b, and g(s, k) for k in B.
        t = st.stack[st.depth - 2]
        out.cost[RIGHT_ARC] = kids_in_buffer(gold, s)
        out.cost[LEFT_ARC] = out.cost[RIGHT_ARC] + (
            gold.head[s] == t or (gold.head[s] != b and word_in(st, gold.head[s], IN_BUFFER))
        )
        out.cost[RIGHT_ARC] += word_in(st, gold.head[s], IN_BUFFER)
        set_gold_arc(out, gold, RIGHT_ARC, t, s)
        if b >= 0:
            set_gold_arc(out, gold, LEFT_ARC, b, s)


cdef int arc_hybrid_loss(const OracleC* self, const StateC* st, const GoldC* gold) noexcept nogil:
    """An arc (h, d) is reachable iff it is built, or h in B and d not popped, or d in B and h not
    popped, or h lies directly below d in S."""
    cdef int loss = 0
    cdef int d, h, k
    for d in range(st.n):
        h = gold.head[d]
        if st.where[d] == GONE:
            loss += (h >= 0 and not built(st, gold, d)) or (h == -1 and st.head[d] >= 0)
        elif st.where[d] == IN_BUFFER:
            loss += h >= 0 and st.where[h] == GONE
    for k in range(1, st.depth):
        h = gold.head[st.stack[k]]
        loss += h >= -1 and h != st.stack[k - 1] and not word_in(st, h, IN_BUFFER)
    return loss


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
    return move if system.is_valid(st, 0, move) else -1


cdef class ArcHybridOracle(Oracle):
    """Exact dynamic oracle of `arc_hybrid` (Goldberg & Nivre 2013)."""

    def __cinit__(self, system):
        self.serve(system, "dynamic", ("arc_hybrid",))
        self.c.costs = arc_hybrid_costs
        self.c.loss = arc_hybrid_loss


cdef class ArcHybridStatic(StaticOracle):
    """The derivation of arc-hybrid (Kuhlmann, Gomez-Rodriguez & Satta 2011)."""

    def __cinit__(self, system):
        self.serve(system, "static", ("arc_hybrid",))
        self.c.next_move = arc_hybrid_next


ARC_HYBRID = {"dynamic": ArcHybridOracle, "static": ArcHybridStatic}
