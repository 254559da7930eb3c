"""Moves as numbers, and what a system does with them."""

from ..structs cimport StateC, SystemC


cdef enum:
    MAX_MOVES = 16        # moves of one system


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
