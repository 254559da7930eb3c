"""Dynamic oracle of the list systems, in which the arcs of a tree can be looked at one by one.

Goldberg & Nivre (2013) for easy-first. An arc is reachable iff it is built, or neither of its words has
been attached; a word can be the root iff it has no head. The same holds of passes from left to right,
where a shift loses nothing. The fine-grained shifts of Zhu, Qiu & Huang (2015) do the same: the one that
the gold relation of the two words names is preferred.
"""

from ..state cimport GONE
from ..structs cimport GoldC, StateC
from ..transitions.system cimport (
    LEFT_ARC, RIGHT_ARC, SHIFT, SHIFT_LEFT, SHIFT_RIGHT, SystemC, TransitionSystem,
)
from .oracle cimport CostsC, Oracle, OracleC, built, set_gold_arc
from .places cimport count_kids, kids_pending, pending


cdef inline int attachment_cost(const StateC* st, const GoldC* gold, int h, int d) noexcept nogil:
    """Attaching d to h loses g(k, d) for every pending k but h, ROOT being one, and g(d, k)."""
    cdef int head = gold.head[d]
    return kids_pending(gold, d) + (head != h and (head == -1 or pending(st, head)))


cdef void list_costs(
    const OracleC* self, const SystemC* system, const StateC* st, const GoldC* gold, CostsC* out
) noexcept nogil:
    if not 0 <= st.i < st.depth - 1:
        return
    cdef int left = st.stack[st.i]
    cdef int right = st.stack[st.i + 1]
    count_kids(st, gold)
    if out.valid[LEFT_ARC]:
        out.cost[LEFT_ARC] = attachment_cost(st, gold, right, left)
        set_gold_arc(out, gold, LEFT_ARC, right, left)
    if out.valid[RIGHT_ARC]:
        out.cost[RIGHT_ARC] = attachment_cost(st, gold, left, right)
        set_gold_arc(out, gold, RIGHT_ARC, left, right)
    if out.valid[SHIFT_LEFT]:
        out.second[SHIFT_LEFT] = gold.head[left] != right
        out.second[SHIFT_RIGHT] = gold.head[right] != left
        out.second[SHIFT] = not (out.second[SHIFT_LEFT] and out.second[SHIFT_RIGHT])


cdef int list_loss(const OracleC* self, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef int loss = 0
    cdef int d, h
    for d in range(st.n):
        h = gold.head[d]
        if h == -1:
            loss += st.head[d] >= 0
        elif h >= 0:
            loss += not (
                (st.place[d] != GONE and st.place[h] != GONE) or built(st, gold, d)
            )
    return loss


cdef class ListOracle(Oracle):
    """Exact dynamic oracle of `easy_first` and `yamada_matsumoto` (Goldberg & Nivre 2013)."""

    def __cinit__(self, TransitionSystem system not None):
        self.serve(system, "dynamic", ("easy_first", "yamada_matsumoto"))
        self.c.costs = list_costs
        self.c.loss = list_loss
