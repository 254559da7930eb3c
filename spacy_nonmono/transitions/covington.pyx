"""Covington's list-based systems: every pair of words is looked at once, arcs may cross.

    covington                Covington (2001) as in Gomez-Rodriguez & Fernandez-Gonzalez (2015)
    covington_nonmonotonic   Fernandez-Gonzalez & Gomez-Rodriguez (2017): arcs replace older ones

The lists are contiguous, so the cursor is a pair (i, j) of 0-based words: the left focus word i (-1 when
the left list is used up) and the right one j. Words left without a head are children of ROOT.
"""

from ..state cimport clear_head, count_crossed, leads_to, set_head
from ..structs cimport N_SEEN, PAIRS, StateC
from .positions cimport CL, CR, N0, N1, N2, S0, S1, S2, fill_related
from .system cimport TransitionSystem


POSITIONS = (
    "S0", "S1", "S2", "N0", "N1", "N2", "S0h", "S0h2", "S0l", "S0r", "S0l2", "S0r2",
    "N0h", "N0h2", "N0l", "N0l2", "S0+", "N0-", "CL", "CR",
)


cdef void covington_start(StateC* st) noexcept nogil:
    st.i = -1
    st.j = 0
    # The first word has nothing on its left: its Shift has no alternative, as every first Shift.


cdef void covington_positions(const StateC* st, int focus, int* positions) noexcept nogil:
    cdef int i = st.i
    cdef int j = st.j
    cdef int n = st.n
    cdef int k, h
    positions[S0] = i
    positions[S1] = i - 1 if i > 0 else -1
    positions[S2] = i - 2 if i > 1 else -1
    positions[N0] = j if j < n else -1
    positions[N1] = j + 1 if j + 1 < n else -1
    positions[N2] = j + 2 if j + 2 < n else -1
    fill_related(st, positions)
    if i < 0:
        return
    for k in range(i + 1, j):
        h = st.head[k]
        if h >= 0 and (h <= i or h >= j):
            positions[CL] = k
            break
    for k in range(j - 1, i, -1):
        h = st.head[k]
        if h >= 0 and (h <= i or h >= j):
            positions[CR] = k
            break


cdef int covington_seen(const StateC* st) noexcept nogil:
    """The words whose arcs an arc between the focus words would cross: 0, 1, 2, 3 or more."""
    return count_crossed(st, st.i, st.j, N_SEEN - 1) if st.i >= 0 and st.j < st.n else 0


cdef void covington_set_pair(StateC* st, int left, int right) noexcept nogil:
    st.i = left
    st.j = right


cdef int covington_pass_by(const StateC* st, int left) noexcept nogil:
    return SHIFT if left < 0 else NO_ARC


cdef void covington_arc(
    const StateC* st, int focus, int move, int* head, int* dependent
) noexcept nogil:
    head[0] = st.j if move == LEFT_ARC else st.i
    dependent[0] = st.i if move == LEFT_ARC else st.j


# --- covington -----------------------------------------------------------------------------------

cdef bint monotonic_valid(const StateC* st, int focus, int move) noexcept nogil:
    cdef int i = st.i
    cdef int j = st.j
    if j >= st.n:
        return False
    if move == SHIFT:
        return True
    if i < 0:
        return False
    if move == NO_ARC:
        return True
    if move == LEFT_ARC:
        return st.head[i] < 0 and not leads_to(st, i, j)
    if move == RIGHT_ARC:
        return st.head[j] < 0 and not leads_to(st, j, i)
    return False


cdef void monotonic_apply(StateC* st, int focus, int move, int label) noexcept nogil:
    cdef int i = st.i
    cdef int j = st.j
    if move == SHIFT:
        st.i = j
        st.j = j + 1
        return
    if move == LEFT_ARC:
        set_head(st, j, i, label)
    elif move == RIGHT_ARC:
        set_head(st, i, j, label)
    st.i = i - 1


cdef class Covington(TransitionSystem):
    """Covington's system with single heads and no cycles; crossing arcs and several roots.

    Final: no right focus word is left.

    shift      Effect: the next word becomes the right focus word, this one the left one.
    no_arc     Precondition: a left focus word. Effect: the left focus moves one word to the left.
    left_arc   Precondition: i has no head, no path from i to j. Effect: attach i to j, move left.
    right_arc  Precondition: j has no head, no path from j to i. Effect: attach j to i, move left.
    """

    def __cinit__(self):
        self.name = "covington"
        self.positions = POSITIONS
        self.name_moves(("shift", "no_arc"), ("left_arc", "right_arc"))
        self.passing_moves = ("no_arc",)
        self.c.kind = PAIRS
        self.c.start = covington_start
        self.c.is_valid = monotonic_valid
        self.c.apply = monotonic_apply
        self.c.positions = covington_positions
        self.c.seen = covington_seen
        self.c.set_pair = covington_set_pair
        self.c.pass_by = covington_pass_by
        self.c.arc = covington_arc


# --- covington_nonmonotonic ----------------------------------------------------------------------

cdef bint nonmonotonic_valid(const StateC* st, int focus, int move) noexcept nogil:
    if st.j >= st.n:
        return False
    if move == SHIFT:
        return True
    return st.i >= 0 and (move == NO_ARC or move == LEFT_ARC or move == RIGHT_ARC)


cdef void nonmonotonic_apply(StateC* st, int focus, int move, int label) noexcept nogil:
    cdef int i = st.i
    cdef int j = st.j
    # A path from the dependent to the new head would close a cycle: the head is cut loose.
    if move == LEFT_ARC and leads_to(st, i, j):
        clear_head(st, j)
    elif move == RIGHT_ARC and leads_to(st, j, i):
        clear_head(st, i)
    monotonic_apply(st, focus, move, label)


cdef class CovingtonNonmonotonic(TransitionSystem):
    """Non-monotonic Covington (Fernandez-Gonzalez & Gomez-Rodriguez 2017).

    Final: no right focus word is left.

    shift      Effect: the next word becomes the right focus word, this one the left one.
    no_arc     Precondition: a left focus word. Effect: the left focus moves one word to the left.
    left_arc   Precondition: a left focus word. Effect: attach i to j, dropping the old head of i, and
               that of j if j is below i; move left.
    right_arc  Precondition: a left focus word. Effect: attach j to i, dropping the old head of j, and
               that of i if i is below j; move left.
    """

    def __cinit__(self):
        self.name = "covington_nonmonotonic"
        self.positions = POSITIONS
        self.name_moves(("shift", "no_arc"), ("left_arc", "right_arc"))
        self.passing_moves = ("no_arc",)
        self.c.kind = PAIRS
        self.c.start = covington_start
        self.c.is_valid = nonmonotonic_valid
        self.c.apply = nonmonotonic_apply
        self.c.positions = covington_positions
        self.c.seen = covington_seen
        self.c.set_pair = covington_set_pair
        self.c.pass_by = covington_pass_by
        self.c.arc = covington_arc
