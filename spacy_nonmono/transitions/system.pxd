"""A transition system: which moves a configuration allows and what they do. Knows no gold tree.

This file, `state.pxd` and `structs.pxd` are what another package needs to write a system of its own; see
docs/extending.md. A system numbers its moves in an order of its own: those that build no arc come first.
"""

from ..state cimport State
from ..structs cimport StateC, SystemC


cdef enum:
    MAX_MOVES = 16        # moves of one system
    N_SEEN = 4            # what `SystemC.seen` tells is less


# The words that a scorer may look at, by name; every system fills those that it has (-1: missing).
# S0, S1, S2: stack from the top (Covington: the left focus word i, then i-1, i-2); N0, N1, N2:
# buffer from the front (Covington: the right focus word j, j+1, j+2). Where an arc joins two stack
# or list words, S0 and N0 are these two, in any order. Suffixes: h head, h2 head of
# the head, l / r leftmost / rightmost dependent, l2 / r2 the second one. S0+ and N0-: the words
# next to S0 and before N0 in the sentence. CL, CR: first and last word between the focus words
# whose head lies outside of the interval (Fernandez-Gonzalez & Gomez-Rodriguez 2017, table 2).
cdef enum:
    S0, S1, S2, N0, N1, N2,
    S0h, S0h2, S0l, S0r, S0l2, S0r2,
    S1h, S1l, S1r,
    N0h, N0h2, N0l, N0l2, N0r,
    S0_next, N0_prev,
    CL, CR,
    N_POSITIONS


# A move as one number, the focus included.
cdef inline int action_of(int focus, int move) noexcept nogil:
    return focus * MAX_MOVES + move


cdef inline int action_focus(int action) noexcept nogil:
    return action // MAX_MOVES


cdef inline int action_move(int action) noexcept nogil:
    return action % MAX_MOVES


cdef inline void make_action(
    const SystemC* system, StateC* st, int action, int label
) noexcept nogil:
    system.apply(st, action_focus(action), action_move(action), label)


cdef inline void find_arc(
    const SystemC* system, const StateC* st, int action, int* head, int* dependent
) noexcept nogil:
    """The two words that a valid move joins. head -1: ROOT; dependent -1: it joins none."""
    head[0] = -1
    dependent[0] = -1
    if system.inserts or action_move(action) >= system.n_plain:
        system.arc(st, action_focus(action), action_move(action), head, dependent)


# Fills the positions of a stack and a buffer, and what follows from them.
cdef void stack_positions(const StateC* st, int focus, int* positions) noexcept nogil

# Fills every position that follows from the two focus words and the arcs: heads, dependents,
# neighbours in the sentence. The caller has set S0, S1 and N0.
cdef void fill_related(const StateC* st, int* positions) noexcept nogil


cdef class TransitionSystem:
    cdef SystemC c
    cdef readonly str name
    cdef readonly tuple positions   # names of the positions that the system fills
    cdef readonly tuple moves       # names, in the order of their numbers
    # What people who look at derivations want to know of moves, by name: those that do nothing but pass
    # by a pair of words, and those that may put a word back to the buffer for a repair.
    cdef readonly tuple passing_moves
    cdef readonly tuple unshifting_moves
    cdef readonly bint limited      # of the trees with crossing arcs it can build some, not all
    # Called by `__cinit__` of a subclass: the names of its moves, those that build arcs apart.
    cdef int name_moves(self, tuple plain, tuple arcs) except -1
    cdef int check(self, State state) except -1
    cdef int find_valid(self, State state, move) except -1
    cdef int find(self, State state, move) except -2
    cdef list valid_actions(self, State state)
    cdef object action_name(self, int action)
