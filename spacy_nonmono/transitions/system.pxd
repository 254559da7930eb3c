"""A transition system: which moves a configuration allows and what they do. Knows no gold tree.

This file, `state.pxd` and `structs.pxd` are what another package needs to write a system of its own; see
docs/extending.md. A system numbers its moves in an order of its own: those that build no arc come first.
"""

from ..state cimport State, foci_f, valid_f
from ..structs cimport StateC


cdef enum:
    MAX_MOVES = 16        # moves of one system


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


# focus: where a move is made in a list system, as the index of the left one of two neighbours in the
# list; 0 in all other systems, which do not read it.
ctypedef void (*start_f)(StateC*) noexcept nogil
ctypedef void (*apply_f)(StateC*, int focus, int move, int label, int insert_label) noexcept nogil
ctypedef void (*positions_f)(const StateC*, int focus, int* positions) noexcept nogil
ctypedef void (*arc_f)(const StateC*, int focus, int move, int* head, int* dependent) noexcept nogil
ctypedef void (*set_pair_f)(StateC*, int left, int right) noexcept nogil
ctypedef int (*pass_by_f)(const StateC*, int left) noexcept nogil


cdef struct SystemC:
    # Moves, by `TransitionSystem.name_moves`.
    int n_moves
    int n_plain           # the moves 0 .. n_plain - 1 build no arc, the others do and take a label
    int left_arc          # the arcs between S0 and N0 by the name of the move; -1: none
    int right_arc
    start_f start         # from an emptied state to the initial configuration
    valid_f is_valid
    apply_f apply         # the move must be valid; label is read by arcs, insert_label by Shift
    positions_f positions  # fills int[N_POSITIONS]
    arc_f arc             # the two words that an arc move joins; head -1: ROOT
    # Systems with several roots: puts the cursor on two words (left < right), so that an arc between
    # them can be scored when the words that are left over get their heads.
    set_pair_f set_pair
    # List systems: where a move can be made, as the first focus and the number of foci; NULL: one.
    foci_f foci
    # Covington's systems: the move that passes by the pair of the focus words, where `left` is the next
    # word on the left that is looked at; -1: none is. NULL: there are no pairs to pass by.
    pass_by_f pass_by
    bint single_root      # every output is one tree with one root
    bint projective       # arcs never cross
    bint inserts          # Shift stores a label for the arc that Reduce may insert


# A move as one number, the focus included.
cdef inline int action_of(int focus, int move) noexcept nogil:
    return focus * MAX_MOVES + move


cdef inline int action_focus(int action) noexcept nogil:
    return action // MAX_MOVES


cdef inline int action_move(int action) noexcept nogil:
    return action % MAX_MOVES


cdef inline int find_foci(const SystemC* system, const StateC* st, int* first) noexcept nogil:
    """How many foci there are, and the first one."""
    first[0] = 0
    return 1 if system.foci == NULL else system.foci(st, first)


cdef inline void make_action(
    const SystemC* system, StateC* st, int action, int label, int insert_label
) noexcept nogil:
    system.apply(st, action_focus(action), action_move(action), label, insert_label)


# Whether no move is valid.
cdef bint is_final(const SystemC* system, const StateC* st) noexcept nogil

# Fills the positions of a stack and a buffer, and what follows from them.
cdef void stack_positions(const StateC* st, int focus, int* positions) noexcept nogil

# Fills every position that follows from the two focus words and the arcs: heads, dependents,
# neighbours in the sentence. The caller has set S0, S1 and N0.
cdef void fill_related(const StateC* st, int* positions) noexcept nogil


cdef class TransitionSystem:
    cdef SystemC c
    cdef readonly str name
    cdef readonly bint has_buffer
    cdef readonly tuple positions   # names of the positions that the system fills
    cdef readonly tuple moves       # names, in the order of their numbers
    # Called by `__cinit__` of a subclass: the names of its moves, those that build arcs apart.
    cdef int name_moves(self, tuple plain, tuple arcs) except -1
    cdef int check(self, State state) except -1
    cdef int find(self, State state, move) except -2
    cdef list valid_actions(self, State state)
    cdef object action_name(self, int action)
