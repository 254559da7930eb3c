"""The exact oracle of `covington_nonmonotonic`. Nobody has proved it, so it is no part of the parser."""

from ...oracles.covington cimport copy_view, enter, leave, rank_moves
from ...oracles.cycles cimport ViewC
from ...oracles.oracle cimport CostsC, Gold, Oracle, OracleC, set_gold_arc
from ...state cimport State
from ...structs cimport GoldC, StateC, SystemC
from ...transitions.covington cimport LEFT_ARC, RIGHT_ARC
from ...transitions.moves cimport action_move
from ...transitions.system cimport TransitionSystem
from .search cimport exact_loss


cdef int loss_of_state(const OracleC* self, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef ViewC view = copy_view(st, gold.scratch)
    return exact_loss(&view, gold, gold.scratch + 2 * st.n, self.counts)


cdef int loss_after(
    const OracleC* self, ViewC* view, const StateC* st, const GoldC* gold, int move, bint mislabelled
) noexcept nogil:
    """The loss after a move, whose arc has its gold label or another one."""
    cdef int loss
    enter(view, st, gold, move)
    if mislabelled:
        view.label[st.i if move == LEFT_ARC else st.j] = -1
    loss = exact_loss(view, gold, gold.scratch + 2 * st.n, self.counts)
    leave(view, st)
    return loss


cdef void exact_costs(
    const OracleC* self, const SystemC* system, const StateC* st, int focus, const GoldC* gold,
    CostsC* out
) noexcept nogil:
    """Loss after every move less the least of them, which is the loss before."""
    cdef ViewC view
    cdef int least = st.n + 1
    cdef int move
    if st.j >= st.n:
        return
    view = copy_view(st, gold.scratch)
    rank_moves(system, &view, st, gold, gold.scratch + 2 * st.n, out)
    for move in range(system.n_moves):
        if out.valid[move]:
            out.cost[move] = loss_after(self, &view, st, gold, move, False)
            least = out.cost[move] if out.cost[move] < least else least
    for move in range(system.n_moves):
        out.cost[move] -= least
    if st.i >= 0:
        set_gold_arc(out, gold, LEFT_ARC, st.j, st.i)
        set_gold_arc(out, gold, RIGHT_ARC, st.i, st.j)


cdef class CovingtonExact(Oracle):
    """The exact loss of `covington_nonmonotonic`, by search; it counts every word, roots included."""

    def __cinit__(self, system):
        self.serve(system, "exact", ("covington_nonmonotonic",))
        self.c.costs = exact_costs
        self.c.loss = loss_of_state

    def costs(self, State state not None, gold_heads, gold_labels=None, str label=None):
        """As every oracle's. But another label than the gold one may cost nothing: the arc may have to
        go later, its label with it."""
        cdef Gold gold = self.read_gold(state, gold_heads, gold_labels)
        cdef TransitionSystem system = self.system
        cdef ViewC view
        rows = self.all_costs(state, gold)
        view = copy_view(&state.c, gold.c.scratch)
        costs = {}
        for action, (cost, _), gold_label in rows:
            if label is not None and 0 <= gold_label != state.label_id(label):
                move = action_move(action)
                cost += (
                    loss_after(&self.c, &view, &state.c, &gold.c, move, True)
                    - loss_after(&self.c, &view, &state.c, &gold.c, move, False)
                )
            costs[system.action_name(action)] = cost
        return costs
