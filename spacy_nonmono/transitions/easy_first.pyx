"""Easy-first (Goldberg & Elhadad 2010): at every focus of the list, the best attachment first.

In all of this project the dependent of `left_arc` is on the left. Departure: ROOT is the first word of
the list and gets the last word only.
"""

from ..structs cimport LIST, StateC
from .lists cimport attach, fill_positions, is_focus, join
from .system cimport TransitionSystem

from .lists import POSITIONS


cdef void start(StateC* st) noexcept nogil:
    cdef int w
    st.pending[0] = -1
    for w in range(st.n):
        st.pending[w + 1] = w
    st.n_pending = st.n + 1
    st.rest = 0


cdef int foci(const StateC* st, int* first) noexcept nogil:
    # ROOT gets the last word only.
    first[0] = 0 if st.n_pending == 2 else 1
    return max(st.n_pending - 1 - first[0], 0)


cdef bint is_valid(const StateC* st, int focus, int move) noexcept nogil:
    if not is_focus(st, focus):
        return False
    if focus == 0:
        return move == RIGHT_ARC and st.n_pending == 2
    return move == LEFT_ARC or move == RIGHT_ARC


cdef void apply(StateC* st, int focus, int move, int label) noexcept nogil:
    attach(st, focus, move == LEFT_ARC, label)


cdef void arc(const StateC* st, int focus, int move, int* head, int* dependent) noexcept nogil:
    join(st, focus, move == LEFT_ARC, head, dependent)


cdef class EasyFirst(TransitionSystem):
    """Easy-first (Goldberg & Elhadad 2010), ROOT at the start of the list; one root.

    Final: ROOT alone is pending.

    left_arc   Precondition: two words. Effect: attach the left one to the right one, which stays.
    right_arc  Precondition: two words; or nothing but ROOT and one word is pending. Effect: attach the
               right one to the left one, which stays.
    """

    def __cinit__(self):
        self.name = "easy_first"
        self.positions = POSITIONS
        self.name_moves((), ("left_arc", "right_arc"))
        self.c.kind = LIST
        self.c.start = start
        self.c.is_valid = is_valid
        self.c.apply = apply
        self.c.positions = fill_positions
        self.c.arc = arc
        self.c.foci = foci
        self.c.single_root = True
        self.c.projective = True
