"""Yamada & Matsumoto (2003): passes over a list from left to right.

With fine-grained shifts as in Zhu, Qiu & Huang (2015). In all of this project the dependent of
`left_arc` is on the left; they call that Right. Departures: the last word is the root; after a pass
without an attachment every attachment at every focus is valid, and one of them is forced.
"""

from ..structs cimport LIST, StateC
from .lists cimport attach, fill_positions, is_focus, join
from .system cimport TransitionSystem

from inspect import Parameter, Signature

from ..errors import Errors
from .lists import POSITIONS

cdef enum:                # the moves without fine-grained shift, which has two shifts more
    LEFT_ARC = 1
    RIGHT_ARC = 2


cdef enum:                # memory
    PLACE                 # the pass looks at pending[PLACE] and the next word
    ATTACHED              # something was attached in this pass
    FORCED                # nothing was in the last one, so that now something must
    N_MEMORY


cdef void start(StateC* st) noexcept nogil:
    cdef int w
    for w in range(st.n):
        st.pending[w] = w
    st.n_pending = st.n
    st.rest = 0


cdef int foci(const StateC* st, int* first) noexcept nogil:
    if st.n_pending < 2:
        return 0
    first[0] = 0 if st.own[FORCED] else st.own[PLACE]
    return st.n_pending - 1 if st.own[FORCED] else 1


cdef bint is_valid(const StateC* st, int focus, int move) noexcept nogil:
    if not is_focus(st, focus):
        return False
    return move == LEFT_ARC or move == RIGHT_ARC or (move == SHIFT and not st.own[FORCED])


cdef inline void new_pass(StateC* st) noexcept nogil:
    st.own[PLACE] = 0
    st.own[ATTACHED] = False
    st.own[FORCED] = False


cdef inline bint at_end(const StateC* st) noexcept nogil:
    return st.own[PLACE] == st.n_pending - 1


cdef void apply(StateC* st, int focus, int move, int label) noexcept nogil:
    if move == LEFT_ARC or move == RIGHT_ARC:
        attach(st, focus, move == LEFT_ARC, label)
        if st.own[FORCED]:
            new_pass(st)
            return
        st.own[ATTACHED] = True
        if st.n_pending > 1 and at_end(st):
            new_pass(st)
        return
    st.own[PLACE] += 1
    if at_end(st):
        if st.own[ATTACHED]:
            new_pass(st)
        else:
            st.own[FORCED] = True


cdef void arc(const StateC* st, int focus, int move, int* head, int* dependent) noexcept nogil:
    join(st, focus, move == LEFT_ARC, head, dependent)


# --- fine-grained shift --------------------------------------------------------------------------

cdef inline int coarse(int move) noexcept nogil:
    """The move of the same effect without fine-grained shift."""
    return SHIFT if move <= SHIFT_RIGHT else move - SHIFT_RIGHT


cdef bint fine_grained_valid(const StateC* st, int focus, int move) noexcept nogil:
    return is_valid(st, focus, coarse(move))


cdef void fine_grained_apply(StateC* st, int focus, int move, int label) noexcept nogil:
    apply(st, focus, coarse(move), label)


cdef void fine_grained_arc(
    const StateC* st, int focus, int move, int* head, int* dependent
) noexcept nogil:
    arc(st, focus, coarse(move), head, dependent)


cdef class YamadaMatsumoto(TransitionSystem):
    """Yamada & Matsumoto (2003): passes over the list from left to right, no ROOT token; one root.

    fine_grained_shift: three shifts of the same effect, which a scorer learns apart (Zhu, Qiu & Huang
        2015): `shift_left` and `shift_right` between a word and its head, `shift` between others.

    Final: one word is pending, which is the root.

    shift      Precondition: no attachment is forced. Effect: the focus moves one word to the right;
               at the end a new pass begins, or, if this one has attached nothing, an attachment is
               forced: it may be made at every focus, and a new pass begins after it.
    left_arc   Precondition: two words. Effect: attach the left one to the right one; the focus stays.
    right_arc  Precondition: two words. Effect: attach the right one to the left one; the focus stays.
    """

    __signature__ = Signature([
        Parameter(
            "fine_grained_shift", Parameter.POSITIONAL_OR_KEYWORD, default=False, annotation=bool
        )
    ])

    cdef readonly bint fine_grained_shift

    def __cinit__(self, fine_grained_shift=False):
        if not isinstance(fine_grained_shift, bool):
            raise ValueError(Errors.NM015.format(
                option="fine_grained_shift", system="yamada_matsumoto", found=fine_grained_shift
            ))
        self.fine_grained_shift = fine_grained_shift
        self.name = "yamada_matsumoto"
        self.positions = POSITIONS
        self.c.kind = LIST
        self.c.own_fixed = N_MEMORY
        self.c.start = start
        self.c.positions = fill_positions
        self.c.foci = foci
        self.c.single_root = True
        self.c.projective = True
        if fine_grained_shift:
            self.name_moves(("shift", "shift_left", "shift_right"), ("left_arc", "right_arc"))
            self.c.is_valid = fine_grained_valid
            self.c.apply = fine_grained_apply
            self.c.arc = fine_grained_arc
        else:
            self.name_moves(("shift",), ("left_arc", "right_arc"))
            self.c.is_valid = is_valid
            self.c.apply = apply
            self.c.arc = arc
