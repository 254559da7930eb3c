"""Dynamic oracles of the arc-eager family, in which the arcs of a tree can be looked at one by one.

A system says which single arcs a configuration can still reach; the loss is the number of gold arcs
that it cannot, and a move costs the gold arcs that it makes unreachable (Goldberg & Nivre 2013). S is
the stack, s its top, B the buffer with its front b, g(h, d) says that h is the gold head of d.

Departures from the papers, each found by exhaustive search: s and b count among the words of S and B
wherever a new arc could join them; in the 2013 system Reduce pays for a top without head whose gold
head is in the buffer; in the 2015 system the costs include the clobbered gold arc, the dependents of s
on the stack, the dependents that Right-Arc loses on the stack, and the root. Its preference among moves
of equal cost is the cost that they would have without repairs, and Unshift is preferred only where it
leads to a repair; without a preference Shift and Unshift would cost nothing at all.

The static derivation attaches as soon as possible, left arcs before right arcs; it pops as soon as
nothing more is due, and shifts otherwise.
"""

from ..state cimport GONE, IN_BUFFER, IN_STACK
from ..structs cimport GoldC, StateC, SystemC
from ..transitions.arc_eager cimport LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT
from .oracle cimport CostsC, Oracle, OracleC, StaticOracle, built, set_gold_arc
from .tally cimport count_kids, free_kids_in_stack, kids_in_buffer, kids_in_stack, word_in


UNSHIFTING = ("arc_eager_unshift", "arc_eager_distinct_unshift")
FAMILY = ("arc_eager", "arc_eager_tree_constrained", "arc_eager_repair", *UNSHIFTING)


cdef inline bint head_in_buffer(const StateC* st, const GoldC* gold, int d) noexcept nogil:
    """The gold head of d is in a buffer that ends in ROOT."""
    return gold.head[d] == -1 or word_in(st, gold.head[d], IN_BUFFER)


cdef inline bint lost_arc(const GoldC* gold, int d, bint reachable) noexcept nogil:
    """A word of unknown gold head loses nothing."""
    return gold.head[d] >= -1 and not reachable


# --- arc_eager -----------------------------------------------------------------------------------

cdef void arc_eager_costs(
    const OracleC* self, const SystemC* system, const StateC* st, int focus, const GoldC* gold,
    CostsC* out
) noexcept nogil:
    cdef int s = st.stack[st.depth - 1] if st.depth > 0 else -1
    cdef int b = st.buffer[st.rest - 1]
    cdef int stack_kids
    count_kids(st, gold)
    if b >= 0:
        stack_kids = free_kids_in_stack(gold, b)
        # SHIFT loses g(k, b) for k in S, and g(b, k) for k in S without head.
        out.cost[SHIFT] = word_in(st, gold.head[b], IN_STACK) + stack_kids
        # RIGHT-ARC loses g(k, b) for every k but s, and g(b, k) as Shift does.
        out.cost[RIGHT_ARC] = stack_kids + (
            gold.head[b] != s
            and (word_in(st, gold.head[b], IN_STACK) or head_in_buffer(st, gold, b))
        )
    if s >= 0:
        # LEFT-ARC loses g(k, s) for k in B other than b, and g(s, k) for k in B.
        out.cost[REDUCE] = kids_in_buffer(gold, s)
        out.cost[LEFT_ARC] = out.cost[REDUCE] + (
            gold.head[s] != b and head_in_buffer(st, gold, s)
        )
        # REDUCE loses g(s, k) for k in B.
        set_gold_arc(out, gold, LEFT_ARC, b, s)
        if b >= 0:
            set_gold_arc(out, gold, RIGHT_ARC, s, b)


cdef int arc_eager_loss(const OracleC* self, const StateC* st, const GoldC* gold) noexcept nogil:
    """An arc (h, d) is reachable iff it is built, or h in S, d in B, or h in B, d in S without head,
    or both are in B. ROOT stays in B."""
    cdef int loss = 0
    cdef int d, h
    cdef bint free
    for d in range(st.n):
        h = gold.head[d]
        free = st.where[d] == IN_BUFFER or (st.where[d] == IN_STACK and st.head[d] < 0)
        if h == -1:
            loss += not (st.head[d] < 0)
        else:
            loss += lost_arc(gold, d, built(st, gold, d) or (free and (
                word_in(st, h, IN_BUFFER)
                or (word_in(st, h, IN_STACK) and st.where[d] == IN_BUFFER)
            )))
    return loss


# --- arc_eager_repair ----------------------------------------------------------------------------

cdef inline bint insertable(const StateC* st, const GoldC* gold, int s, int below) noexcept nogil:
    """Reduce would insert the gold arc from the word below s; its label comes when all is done."""
    return below >= 0 and st.head[s] < 0 and gold.head[s] == below


cdef inline bint kept(const StateC* st, const GoldC* gold, int d) noexcept nogil:
    """The gold arc to d is built, with its label or with none yet."""
    return built(st, gold, d) or (
        gold.head[d] >= 0 and st.head[d] == gold.head[d] and st.label[d] < 0
    )


cdef void repair_costs(
    const OracleC* self, const SystemC* system, const StateC* st, int focus, const GoldC* gold,
    CostsC* out
) noexcept nogil:
    cdef int s = st.stack[st.depth - 1] if st.depth > 0 else -1
    cdef int below = st.stack[st.depth - 2] if st.depth > 1 else -1
    cdef int b = st.buffer[st.rest - 1]
    cdef int buffer_kids
    count_kids(st, gold)
    if b >= 0:
        # SHIFT and RIGHT-ARC lose g(k, b) for k in S other than s, and g(b, k) for k in S.
        out.cost[SHIFT] = kids_in_stack(gold, b) + (
            gold.head[b] != s and word_in(st, gold.head[b], IN_STACK)
        )
        out.cost[RIGHT_ARC] = out.cost[SHIFT]
    if s >= 0:
        buffer_kids = kids_in_buffer(gold, s)
        # LEFT-ARC loses g(k, s) for k in B other than b, g(s, k) for k in B, and the gold arc to s
        # that is built or could be inserted.
        out.cost[LEFT_ARC] = (
            buffer_kids
            + (gold.head[s] != b and head_in_buffer(st, gold, s))
            + (kept(st, gold, s) or insertable(st, gold, s, below))
        )
        # REDUCE loses g(k, s) and g(s, k) for k in B, whether it inserts an arc or not.
        out.cost[REDUCE] = buffer_kids + head_in_buffer(st, gold, s)
        set_gold_arc(out, gold, LEFT_ARC, b, s)
        if b >= 0:
            set_gold_arc(out, gold, RIGHT_ARC, s, b)


cdef int repair_loss(const OracleC* self, const StateC* st, const GoldC* gold) noexcept nogil:
    """An arc (h, d) is reachable iff it is built, or h in S, d in B, or h in B and d not yet popped, or
    d is without head on the stack and h directly below it. A missing label comes in the end."""
    cdef int loss = 0
    cdef int d, h, k
    cdef bint alive
    for k in range(1, st.depth):
        if insertable(st, gold, st.stack[k], st.stack[k - 1]):
            loss -= 1
    for d in range(st.n):
        h = gold.head[d]
        alive = st.where[d] != GONE
        if h == -1:
            loss += not (alive or st.head[d] < 0)
        else:
            loss += lost_arc(gold, d, kept(st, gold, d) or (alive and (
                word_in(st, h, IN_BUFFER)
                or (word_in(st, h, IN_STACK) and st.where[d] == IN_BUFFER)
            )))
    return loss


# --- arc_eager_unshift and arc_eager_distinct_unshift --------------------------------------------

cdef void unshift_costs(
    const OracleC* self, const SystemC* system, const StateC* st, int focus, const GoldC* gold,
    CostsC* out
) noexcept nogil:
    cdef int s = st.stack[st.depth - 1] if st.depth > 0 else -1
    cdef int b = st.buffer[st.rest - 1] if st.rest > 0 else -1
    cdef int free_kids, buffer_kids, stack_kids
    cdef bint headed, head_below
    cdef int left_arc = system.left_arc
    cdef int right_arc = system.right_arc
    cdef int unshift = system.n_plain - 1    # the same as REDUCE, unless it is a move of its own
    count_kids(st, gold)
    if b >= 0:
        free_kids = free_kids_in_stack(gold, b)
        # SHIFT loses nothing. Without repairs: g(k, b) for k in S, g(b, k) for k in S without head.
        out.tie_cost[SHIFT] = free_kids + word_in(st, gold.head[b], IN_STACK)
        # RIGHT-ARC loses g(k, b) for k in S other than s, g(b, k) for k in S, and the root.
        # Without repairs: g(k, b) for k other than s, g(b, k) for k in S without head, and the root.
        out.cost[right_arc] = (
            kids_in_stack(gold, b)
            + (gold.head[b] != s and word_in(st, gold.head[b], IN_STACK))
            + (gold.head[b] == -1)
        )
        out.tie_cost[right_arc] = free_kids + (gold.head[b] == -1) + (
            gold.head[b] != s
            and (word_in(st, gold.head[b], IN_STACK) or word_in(st, gold.head[b], IN_BUFFER))
        )
    if s < 0:
        return
    headed = st.head[s] >= 0
    buffer_kids = kids_in_buffer(gold, s)
    stack_kids = kids_in_stack(gold, s)
    head_below = word_in(st, gold.head[s], IN_STACK)
    if b >= 0:
        # LEFT-ARC loses g(k, s) for k in B other than b, g(s, k) for k in B, and the built gold arc to
        # s; if s has no head: g(k, s) and g(s, k) for k in S, and the root. Without repairs: the
        # same less g(k, s) and g(s, k) for k in S, and less g(k, s) for k in B if s has a head.
        out.cost[left_arc] = (
            buffer_kids
            + (gold.head[s] != b and word_in(st, gold.head[s], IN_BUFFER))
        )
        out.tie_cost[left_arc] = buffer_kids
        if headed:
            out.cost[left_arc] += built(st, gold, s)
            out.tie_cost[left_arc] += built(st, gold, s)
        else:
            out.cost[left_arc] += head_below + stack_kids + (gold.head[s] == -1)
            out.tie_cost[left_arc] += (gold.head[s] == -1) + (
                gold.head[s] != b and word_in(st, gold.head[s], IN_BUFFER)
            )
        set_gold_arc(out, gold, left_arc, b, s)
        set_gold_arc(out, gold, right_arc, s, b)
    if headed:
        # REDUCE loses g(s, k) and g(k, s) for k in B; without repairs g(s, k) alone.
        out.cost[REDUCE] = buffer_kids + word_in(st, gold.head[s], IN_BUFFER)
        out.tie_cost[REDUCE] = buffer_kids
    else:
        # UNSHIFT loses nothing; it leads to a repair iff s has gold arcs with words below it.
        out.tie_cost[unshift] = not (head_below or stack_kids > 0)


cdef int unshift_loss(const OracleC* self, const StateC* st, const GoldC* gold) noexcept nogil:
    """An arc (h, d) is reachable iff it is built, or one of the two is in B and the other not popped,
    or both are in S and the later one has no head. "d is the root" iff d has no head."""
    cdef int loss = 0
    cdef int d, h
    cdef bint reachable
    for d in range(st.n):
        h = gold.head[d]
        if h == -1:
            loss += st.head[d] >= 0
        elif h >= 0:
            reachable = st.where[d] != GONE and st.where[h] != GONE and (
                st.where[d] == IN_BUFFER or st.where[h] == IN_BUFFER
                or st.head[d if d > h else h] < 0
            )
            loss += not (reachable or built(st, gold, d))
    return loss


# --- the static derivation --------------------------------------------------------------------------

cdef int arc_eager_next(const SystemC* system, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef int s, b
    cdef int move = SHIFT
    count_kids(st, gold)
    if st.depth > 0:
        s = st.stack[st.depth - 1]
        b = st.buffer[st.rest - 1] if st.rest > 0 else -1
        if st.rest > 0 and st.head[s] < 0 and gold.head[s] == b:
            move = system.left_arc
        elif b >= 0 and gold.head[b] == s:
            move = system.right_arc
        elif st.head[s] >= 0 and kids_in_buffer(gold, s) == 0:
            move = REDUCE
    return move if system.is_valid(st, 0, move) else -1


cdef class ArcEagerOracle(Oracle):
    """Exact dynamic oracle of `arc_eager` (Goldberg & Nivre 2013)."""

    def __cinit__(self, system):
        self.serve(system, "dynamic", ("arc_eager",))
        self.c.costs = arc_eager_costs
        self.c.loss = arc_eager_loss


cdef class RepairOracle(Oracle):
    """Exact dynamic oracle of `arc_eager_repair` (Honnibal, Goldberg & Johnson 2013)."""

    def __cinit__(self, system):
        self.serve(system, "dynamic", ("arc_eager_repair",))
        self.c.costs = repair_costs
        self.c.loss = repair_loss


cdef class UnshiftOracle(Oracle):
    """Exact dynamic oracle of the systems with Unshift anywhere (Honnibal & Johnson 2015)."""

    def __cinit__(self, system):
        self.serve(system, "dynamic", UNSHIFTING)
        self.c.costs = unshift_costs
        self.c.loss = unshift_loss


cdef class ArcEagerStatic(StaticOracle):
    """The derivation of the arc-eager systems (Nivre 2003)."""

    def __cinit__(self, system):
        self.serve(system, "static", FAMILY)
        self.c.next_move = arc_eager_next


ARC_EAGER = {"dynamic": ArcEagerOracle, "static": ArcEagerStatic}
ARC_EAGER_REPAIR = {"dynamic": RepairOracle, "static": ArcEagerStatic}
ARC_EAGER_UNSHIFT = {"dynamic": UnshiftOracle, "static": ArcEagerStatic}
