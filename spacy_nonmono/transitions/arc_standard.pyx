"""Arc-standard and arc-hybrid: bottom-up systems, in which a word leaves the stack when it is attached.

    arc_standard   Nivre (2004): arcs between the two topmost words of the stack
    arc_hybrid     Kuhlmann, Gomez-Rodriguez & Satta (2011): left arcs come from the buffer front

ROOT is the first word of the buffer, and the only first move is Shift. Departure from the papers: a word
may be attached to ROOT only as the last thing to do, so that there is one root and no dead end.
"""

from ..state cimport GONE, IN_STACK, buffer_at, move_word, set_head, stack_at
from ..structs cimport StateC
from .positions cimport N0, N1, N2, S0, S1, S2, fill_related, stack_positions
from .system cimport TransitionSystem


# What waits on the stack or in the buffer has no head, so that no system has S0h; only arc-standard
# finds right dependents at N0.
POSITIONS = (
    "S0", "S1", "S2", "N0", "N1", "N2", "S0l", "S0r", "S0l2", "S0r2", "S1l", "S1r",
    "N0l", "N0l2", "S0+", "N0-",
)
STANDARD_POSITIONS = (*POSITIONS, "N0r")


cdef void start(StateC* st) noexcept nogil:
    """ROOT stands before the first word; the arrays give room for it."""
    st.buffer[st.n] = -1
    st.rest = st.n + 1


cdef inline void push(StateC* st) noexcept nogil:
    """Move the first word of the buffer, which may be ROOT, to the stack."""
    st.rest -= 1
    cdef int b = st.buffer[st.rest]
    st.stack[st.depth] = b
    st.depth += 1
    if b >= 0:
        move_word(st, b, IN_STACK)


cdef inline void attach(StateC* st, int h, int d, int label) noexcept nogil:
    """Attach d, which has left the stack, to h; a child of ROOT keeps no head."""
    move_word(st, d, GONE)
    if h >= 0:
        set_head(st, h, d, label)


cdef inline bint can_shift(const StateC* st) noexcept nogil:
    return st.rest > 0 and st.n > 0


cdef inline bint can_right_arc(const StateC* st) noexcept nogil:
    """There is a word to pop, and ROOT gets the last one only."""
    return st.depth > 2 or (st.depth == 2 and st.rest == 0)


cdef void right_arc(StateC* st, int label) noexcept nogil:
    """The word below the top, or ROOT, becomes the head of the top, which is popped."""
    st.depth -= 1
    attach(st, st.stack[st.depth - 1], st.stack[st.depth], label)


# --- arc_standard --------------------------------------------------------------------------------

cdef bint standard_valid(const StateC* st, int focus, int move) noexcept nogil:
    if move == SHIFT:
        return can_shift(st)
    if move == LEFT_ARC:
        return st.depth > 2
    if move == RIGHT_ARC:
        return can_right_arc(st)
    return False


cdef void standard_apply(StateC* st, int focus, int move, int label) noexcept nogil:
    cdef int below
    if move == SHIFT:
        push(st)
    elif move == LEFT_ARC:
        below = st.stack[st.depth - 2]
        st.depth -= 1
        st.stack[st.depth - 1] = st.stack[st.depth]
        attach(st, st.stack[st.depth - 1], below, label)
    elif move == RIGHT_ARC:
        right_arc(st, label)


cdef void standard_positions(const StateC* st, int focus, int* positions) noexcept nogil:
    positions[S0] = stack_at(st, 1)
    positions[S1] = stack_at(st, 2)
    positions[S2] = stack_at(st, 3)
    positions[N0] = stack_at(st, 0)
    positions[N1] = buffer_at(st, 0)
    positions[N2] = buffer_at(st, 1)
    fill_related(st, positions)


cdef void standard_arc(
    const StateC* st, int focus, int move, int* head, int* dependent
) noexcept nogil:
    cdef int top = st.stack[st.depth - 1]
    cdef int below = st.stack[st.depth - 2]
    head[0] = top if move == LEFT_ARC else below
    dependent[0] = below if move == LEFT_ARC else top


cdef class ArcStandard(TransitionSystem):
    """Arc-standard (Nivre 2004) with ROOT at the start of the buffer; one root.

    Final: the stack holds ROOT alone, the buffer is empty.

    shift      Precondition: a buffer. Effect: push its front.
    left_arc   Precondition: two words on the stack. Effect: attach the lower one to the top, remove it.
    right_arc  Precondition: two words on the stack; or the buffer is empty and one word stands on
               ROOT. Effect: attach the top to what lies below it, pop it.
    """

    def __cinit__(self):
        self.name = "arc_standard"
        self.name_moves(("shift",), ("left_arc", "right_arc"))
        self.positions = STANDARD_POSITIONS
        self.c.start = start
        self.c.is_valid = standard_valid
        self.c.apply = standard_apply
        self.c.positions = standard_positions
        self.c.arc = standard_arc
        self.c.single_root = True
        self.c.projective = True


# --- arc_hybrid ----------------------------------------------------------------------------------

cdef bint hybrid_valid(const StateC* st, int focus, int move) noexcept nogil:
    if move == SHIFT:
        return can_shift(st)
    if move == LEFT_ARC:
        return st.depth > 1 and st.rest > 0
    if move == RIGHT_ARC:
        return can_right_arc(st)
    return False


cdef void hybrid_apply(StateC* st, int focus, int move, int label) noexcept nogil:
    if move == SHIFT:
        push(st)
    elif move == LEFT_ARC:
        st.depth -= 1
        attach(st, st.buffer[st.rest - 1], st.stack[st.depth], label)
    elif move == RIGHT_ARC:
        right_arc(st, label)


cdef void hybrid_arc(
    const StateC* st, int focus, int move, int* head, int* dependent
) noexcept nogil:
    head[0] = st.buffer[st.rest - 1] if move == LEFT_ARC else st.stack[st.depth - 2]
    dependent[0] = st.stack[st.depth - 1]


cdef class ArcHybrid(TransitionSystem):
    """Arc-hybrid (Kuhlmann, Gomez-Rodriguez & Satta 2011), ROOT first in the buffer; one root.

    Final: the stack holds ROOT alone, the buffer is empty.

    shift      Precondition: a buffer. Effect: push its front.
    left_arc   Precondition: a word on the stack, a buffer. Effect: attach the top to the front, pop it.
    right_arc  Precondition: two words on the stack; or the buffer is empty and one word stands on
               ROOT. Effect: attach the top to what lies below it, pop it.
    """

    def __cinit__(self):
        self.name = "arc_hybrid"
        self.name_moves(("shift",), ("left_arc", "right_arc"))
        self.positions = POSITIONS
        self.c.start = start
        self.c.is_valid = hybrid_valid
        self.c.apply = hybrid_apply
        self.c.positions = stack_positions
        self.c.arc = hybrid_arc
        self.c.single_root = True
        self.c.projective = True
