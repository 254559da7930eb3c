"""A transition system: which moves a configuration allows and what they do. Knows no gold tree."""

from ..state cimport N_MOVES, State, focuses_f, valid_f
from ..structs cimport StateC


cdef enum:                # a move
    SHIFT = 0
    REDUCE = 1            # also stands for Unshift, and for the arc that Reduce inserts
    NO_ARC = 2
    SHIFT_LEFT = 3        # yamada_matsumoto: Shift between a word and its head on the right
    SHIFT_RIGHT = 4       # and between a word and its head on the left
    LEFT_ARC = 5          # the dependent is on the left
    RIGHT_ARC = 6


# The words that a scorer may look at, by name; every system fills those that it has (-1: missing).
# S0, S1, S2: stack from the top (Covington: the left focus word i, then i-1, i-2); N0, N1, N2:
# buffer from the front (Covington: the right focus word j, j+1, j+2). Where an arc joins two stack
# or list words, S0 and N0 are these two. Suffixes: h head, h2 head of
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


ctypedef void (*start_f)(StateC*) noexcept nogil
ctypedef void (*apply_f)(StateC*, int move, int label, int insert_label) noexcept nogil
ctypedef void (*positions_f)(const StateC*, int* positions) noexcept nogil
ctypedef void (*focus_f)(StateC*, int left, int right) noexcept nogil
ctypedef void (*arc_f)(const StateC*, int move, int* head, int* dependent) noexcept nogil


# A move as one number, the place included: place * N_MOVES + move; place 0 but in list systems.
cdef inline int action_place(int action) noexcept nogil:
    return action // N_MOVES


cdef inline int action_move(int action) noexcept nogil:
    return action % N_MOVES


cdef struct SystemC:
    start_f start         # from an emptied state to the initial configuration
    valid_f is_valid
    apply_f apply         # the move must be valid; label is read by arcs, insert_label by Shift
    positions_f positions  # fills int[N_POSITIONS]
    # Puts the cursor on two words (left < right), to score an arc between them; NULL: single_root.
    focus_f focus
    arc_f arc             # the two words that an arc move joins; head -1: ROOT
    # List systems: the places where a move can be made, as the first one and their number; NULL for
    # all others. `is_valid`, `apply`, `positions` and `arc` look at the place that StateC.i names, which
    # the caller sets; after `apply` it is at rest again.
    focuses_f focuses
    bint single_root      # every output is one tree with one root
    bint projective       # arcs never cross
    bint inserts          # Shift stores a label for the arc that Reduce may insert


# Whether no move is valid; StateC.i comes back as it was.
cdef bint is_final(const SystemC* system, StateC* st) noexcept nogil


cdef inline int find_places(const SystemC* system, const StateC* st, int* first) noexcept nogil:
    """The number of places where a move can be made, and the first one."""
    first[0] = 0
    return 1 if system.focuses == NULL else system.focuses(st, first)


cdef inline void look_at(const SystemC* system, StateC* st, int place) noexcept nogil:
    if system.focuses != NULL:
        st.i = place


cdef inline void make_action(
    const SystemC* system, StateC* st, int action, int label, int insert_label
) noexcept nogil:
    look_at(system, st, action_place(action))
    system.apply(st, action_move(action), label, insert_label)


# Fills the positions of a stack and a buffer, and what follows from them.
cdef void stack_positions(const StateC* st, int* positions) noexcept nogil

# Fills every position that follows from the two focus words and the arcs: heads, dependents,
# neighbours in the sentence. The caller has set S0, S1 and N0.
cdef void fill_related(const StateC* st, int* positions) noexcept nogil


cdef class TransitionSystem:
    cdef SystemC c
    cdef readonly str name
    cdef readonly bint has_buffer
    cdef readonly tuple positions   # names of the positions that the system fills
    cdef int check(self, State state) except -1
    cdef int find(self, State state, move) except -2
    cdef list valid_actions(self, State state)
    cdef object action_name(self, int action)
