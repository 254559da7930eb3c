"""List systems: a list of pending words, in which a word is attached to one of its neighbours.

    easy_first         Goldberg & Elhadad (2010): at every position, the best attachment first
    yamada_matsumoto   Yamada & Matsumoto (2003): passes from left to right; with fine-grained shifts
                       Zhu, Qiu & Huang (2015)

A move is made at a place: place i joins the pending words i and i + 1. In all of this project the
dependent of `left_arc` is on the left; Zhu, Qiu & Huang call that Right. Departures: in easy_first ROOT
is the first word of the list and gets the last word only; in yamada_matsumoto the last word is the root.
After a pass without an attachment every attachment at every place is valid: one of them is forced.
"""

from libc.string cimport memmove

from ..state cimport GONE, move_word, set_head
from ..structs cimport StateC
from .system cimport (
    CL, CR, LEFT_ARC, N0, N1, N2, RIGHT_ARC, S0, S1, S2, SHIFT, SHIFT_LEFT, SHIFT_RIGHT,
    TransitionSystem, fill_related,
)

from ..errors import Errors


# A pending word has no head.
POSITIONS = (
    "S0", "S1", "S2", "N0", "N1", "N2", "S0l", "S0r", "S0l2", "S0r2", "S1l", "S1r",
    "N0l", "N0l2", "N0r", "S0+", "N0-",
)


cdef inline bint is_place(const StateC* st, int i) noexcept nogil:
    return 0 <= i < st.depth - 1


cdef inline int pending_at(const StateC* st, int k) noexcept nogil:
    """The k-th pending word, -1 if there is none or it is ROOT."""
    return st.stack[k] if 0 <= k < st.depth else -1


cdef void fill_positions(const StateC* st, int* positions) noexcept nogil:
    cdef int i = st.i
    positions[S0] = pending_at(st, i)
    positions[S1] = pending_at(st, i - 1)
    positions[S2] = pending_at(st, i - 2)
    positions[N0] = pending_at(st, i + 1)
    positions[N1] = pending_at(st, i + 2)
    positions[N2] = pending_at(st, i + 3)
    positions[CL] = -1
    positions[CR] = -1
    fill_related(st, positions)


cdef void arc(const StateC* st, int move, int* head, int* dependent) noexcept nogil:
    head[0] = st.stack[st.i + 1] if move == LEFT_ARC else st.stack[st.i]
    dependent[0] = st.stack[st.i] if move == LEFT_ARC else st.stack[st.i + 1]


cdef void attach(StateC* st, int move, int label) noexcept nogil:
    """Build the arc at place i and take the dependent from the list; a child of ROOT keeps no head."""
    cdef int k = st.i if move == LEFT_ARC else st.i + 1
    cdef int h, d
    arc(st, move, &h, &d)
    move_word(st, d, GONE)
    if h >= 0:
        set_head(st, h, d, label)
    st.depth -= 1
    memmove(&st.stack[k], &st.stack[k + 1], (st.depth - k) * sizeof(int))


# --- easy_first ----------------------------------------------------------------------------------

cdef void easy_first_start(StateC* st) noexcept nogil:
    cdef int w
    st.stack[0] = -1
    for w in range(st.n):
        st.stack[w + 1] = w
    st.depth = st.n + 1
    st.rest = 0


cdef int easy_first_focuses(const StateC* st, int* first) noexcept nogil:
    # ROOT gets the last word only.
    first[0] = 0 if st.depth == 2 else 1
    return max(st.depth - 1 - first[0], 0)


cdef bint easy_first_valid(const StateC* st, int move) noexcept nogil:
    if not is_place(st, st.i):
        return False
    if st.i == 0:
        return move == RIGHT_ARC and st.depth == 2
    return move == LEFT_ARC or move == RIGHT_ARC


cdef void easy_first_apply(StateC* st, int move, int label, int insert_label) noexcept nogil:
    attach(st, move, label)
    st.i = -1


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
        self.c.start = easy_first_start
        self.c.is_valid = easy_first_valid
        self.c.apply = easy_first_apply
        self.c.positions = fill_positions
        self.c.arc = arc
        self.c.focuses = easy_first_focuses
        self.c.single_root = True
        self.c.projective = True


# --- yamada_matsumoto ----------------------------------------------------------------------------

cdef void yamada_start(StateC* st) noexcept nogil:
    cdef int w
    for w in range(st.n):
        st.stack[w] = w
    st.depth = st.n
    st.rest = 0
    st.i = 0


cdef int yamada_focuses(const StateC* st, int* first) noexcept nogil:
    if st.depth < 2:
        return 0
    first[0] = 0 if st.forced else st.i
    return st.depth - 1 if st.forced else 1


cdef bint yamada_valid(const StateC* st, int move) noexcept nogil:
    if not is_place(st, st.i):
        return False
    return move == LEFT_ARC or move == RIGHT_ARC or (move == SHIFT and not st.forced)


cdef bint fine_grained_valid(const StateC* st, int move) noexcept nogil:
    return yamada_valid(st, SHIFT if move == SHIFT_LEFT or move == SHIFT_RIGHT else move)


cdef inline void new_pass(StateC* st) noexcept nogil:
    st.i = 0
    st.attached = False
    st.forced = False


cdef void yamada_apply(StateC* st, int move, int label, int insert_label) noexcept nogil:
    if move == LEFT_ARC or move == RIGHT_ARC:
        attach(st, move, label)
        if st.forced:
            new_pass(st)
            return
        st.attached = True
        if st.depth > 1 and st.i == st.depth - 1:
            new_pass(st)
        return
    st.i += 1
    if st.i == st.depth - 1:
        if st.attached:
            new_pass(st)
        else:
            st.forced = True


cdef class YamadaMatsumoto(TransitionSystem):
    """Yamada & Matsumoto (2003): passes over the list from left to right, no ROOT token; one root.

    fine_grained_shift: three shifts of the same effect, which a scorer learns apart (Zhu, Qiu & Huang
        2015): `shift_left` and `shift_right` between a word and its head, `shift` between others.

    Final: one word is pending, which is the root.

    shift      Precondition: no attachment is forced. Effect: the focus moves one word to the right;
               at the end a new pass begins, or, if this one has attached nothing, an attachment is
               forced: it may be made at every place, and a new pass begins after it.
    left_arc   Precondition: two words. Effect: attach the left one to the right one; the focus stays.
    right_arc  Precondition: two words. Effect: attach the right one to the left one; the focus stays.
    """

    cdef readonly bint fine_grained_shift

    def __cinit__(self, fine_grained_shift=False):
        if not isinstance(fine_grained_shift, bool):
            raise ValueError(Errors.NM015.format(
                option="fine_grained_shift", system="yamada_matsumoto", found=fine_grained_shift
            ))
        self.fine_grained_shift = fine_grained_shift
        self.name = "yamada_matsumoto"
        self.positions = POSITIONS
        self.c.start = yamada_start
        self.c.is_valid = fine_grained_valid if fine_grained_shift else yamada_valid
        self.c.apply = yamada_apply
        self.c.positions = fill_positions
        self.c.arc = arc
        self.c.focuses = yamada_focuses
        self.c.single_root = True
        self.c.projective = True

    def __reduce__(self):
        return (type(self), (self.fine_grained_shift,))
