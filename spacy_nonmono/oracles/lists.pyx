"""Oracles of the list systems, in which the arcs of a tree can be looked at one by one.

Goldberg & Nivre (2013) for easy-first. An arc is reachable iff it is built, or neither of its words has
been attached; a word can be the root iff it has no head. The same holds of passes from left to right,
where a shift loses nothing. The fine-grained shifts of Zhu, Qiu & Huang (2015) do the same: `shift_left`
and `shift_right` are preferred between two words that are related if the dependent is not complete,
which is to say that it still has gold dependents to take; elsewhere `shift` is.

Departure: in the paper `shift` is for words without relation; here it is right where an attachment is
due, too: a parser that is not sure may wait for a later pass.

The static derivation attaches a word as soon as it has all its dependents, left arcs before right arcs,
at the leftmost focus; it shifts otherwise.
"""

from ..state cimport GONE, find_foci
from ..structs cimport GoldC, StateC, SystemC
from ..transitions.lists cimport is_focus
from ..transitions.moves cimport action_of
from ..transitions.yamada_matsumoto cimport SHIFT, SHIFT_LEFT, SHIFT_RIGHT
from .oracle cimport CostsC, Oracle, OracleC, StaticOracle, built, set_gold_arc
from .tally cimport count_kids, is_due, kids_pending, pending


cdef inline bint is_fine_grained(const SystemC* system) noexcept nogil:
    """There are three shifts."""
    return system.n_plain > SHIFT_RIGHT


cdef inline int attachment_cost(const StateC* st, const GoldC* gold, int h, int d) noexcept nogil:
    """Attaching d to h loses g(k, d) for every pending k but h, ROOT being one, and g(d, k)."""
    cdef int head = gold.head[d]
    return kids_pending(gold, d) + (head != h and (head == -1 or pending(st, head)))


cdef inline int named_shift(const GoldC* gold, int left, int right) noexcept nogil:
    """The class of shift between two words, after `count_kids`."""
    if gold.head[left] == right and kids_pending(gold, left) > 0:
        return SHIFT_LEFT
    if gold.head[right] == left and kids_pending(gold, right) > 0:
        return SHIFT_RIGHT
    return SHIFT


cdef void list_costs(
    const OracleC* self, const SystemC* system, const StateC* st, int focus, const GoldC* gold,
    CostsC* out
) noexcept nogil:
    if not is_focus(st, focus):
        return
    cdef int left = st.pending[focus]
    cdef int right = st.pending[focus + 1]
    cdef int left_arc = system.left_arc
    cdef int right_arc = system.right_arc
    cdef int move, named
    count_kids(st, gold)
    if out.valid[left_arc]:
        out.cost[left_arc] = attachment_cost(st, gold, right, left)
        set_gold_arc(out, gold, left_arc, right, left)
    if out.valid[right_arc]:
        out.cost[right_arc] = attachment_cost(st, gold, left, right)
        set_gold_arc(out, gold, right_arc, left, right)
    if is_fine_grained(system):
        named = named_shift(gold, left, right)
        for move in range(SHIFT, SHIFT_RIGHT + 1):
            out.tie_cost[move] = move != named


cdef int list_loss(const OracleC* self, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef int loss = 0
    cdef int d, h
    for d in range(st.n):
        h = gold.head[d]
        if h == -1:
            loss += st.head[d] >= 0
        elif h >= 0:
            loss += not (
                (st.where[d] != GONE and st.where[h] != GONE) or built(st, gold, d)
            )
    return loss


cdef int due_at(const SystemC* system, const StateC* st, const GoldC* gold, int focus) noexcept nogil:
    """The attachment that is due at a focus, -1: none."""
    cdef int left = st.pending[focus]
    cdef int right = st.pending[focus + 1]
    if is_due(gold, right, left):
        return action_of(focus, system.left_arc)
    if is_due(gold, left, right):
        return action_of(focus, system.right_arc)
    return -1


cdef int easy_first_next(const SystemC* system, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef int first
    cdef int n_foci = find_foci(system, st, &first)
    cdef int action = -1
    cdef int focus
    count_kids(st, gold)
    for focus in range(first, first + n_foci):
        action = due_at(system, st, gold, focus)
        if action >= 0:
            break
    return action


cdef int yamada_next(const SystemC* system, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef int action = easy_first_next(system, st, gold)
    cdef int move = SHIFT
    cdef int place
    if action >= 0 or find_foci(system, st, &place) == 0 or not system.is_valid(st, place, SHIFT):
        return action
    if is_fine_grained(system):
        move = named_shift(gold, st.pending[place], st.pending[place + 1])
    return action_of(place, move)


cdef class ListOracle(Oracle):
    """Exact dynamic oracle of `easy_first` and `yamada_matsumoto` (Goldberg & Nivre 2013)."""

    def __cinit__(self, system):
        self.serve(system, "dynamic", ("easy_first", "yamada_matsumoto"))
        self.c.costs = list_costs
        self.c.loss = list_loss


cdef class EasyFirstStatic(StaticOracle):
    """The derivation of easy-first."""

    def __cinit__(self, system):
        self.serve(system, "static", ("easy_first",))
        self.c.next_move = easy_first_next


cdef class YamadaMatsumotoStatic(StaticOracle):
    """The derivation in passes from left to right."""

    def __cinit__(self, system):
        self.serve(system, "static", ("yamada_matsumoto",))
        self.c.next_move = yamada_next


EASY_FIRST = {"dynamic": ListOracle, "static": EasyFirstStatic}
YAMADA_MATSUMOTO = {"dynamic": ListOracle, "static": YamadaMatsumotoStatic}
