"""A transition system of another package, and its oracle: a bottom-up system without ROOT."""

from spacy_nonmono.oracles.oracle cimport StaticOracle
from spacy_nonmono.oracles.tally cimport count_kids, is_due
from spacy_nonmono.state cimport GONE, IN_STACK, move_word, set_head
from spacy_nonmono.structs cimport GoldC, StateC
from spacy_nonmono.transitions.system cimport SystemC, TransitionSystem, stack_positions


cdef enum:
    SHIFT
    LEFT_ARC              # the front of the buffer becomes the head of the top
    RIGHT_ARC             # the word below the top becomes its head


cdef void start(StateC* st) noexcept nogil:
    pass


cdef bint is_valid(const StateC* st, int focus, int move) noexcept nogil:
    if move == SHIFT:
        return st.rest > 0
    if move == LEFT_ARC:
        return st.depth > 0 and st.rest > 0
    return move == RIGHT_ARC and st.depth > 1


cdef void arc(const StateC* st, int focus, int move, int* head, int* dependent) noexcept nogil:
    head[0] = st.buffer[st.rest - 1] if move == LEFT_ARC else st.stack[st.depth - 2]
    dependent[0] = st.stack[st.depth - 1]


cdef void apply(StateC* st, int focus, int move, int label) noexcept nogil:
    cdef int h, d
    if move == SHIFT:
        st.rest -= 1
        st.stack[st.depth] = st.buffer[st.rest]
        st.depth += 1
        move_word(st, st.buffer[st.rest], IN_STACK)
        return
    arc(st, focus, move, &h, &d)
    st.depth -= 1
    move_word(st, d, GONE)
    set_head(st, h, d, label)


cdef class Swing(TransitionSystem):
    """Shift, Left-Arc, Right-Arc; one root. Final: one word is left, on the stack."""

    def __cinit__(self):
        self.name = "swing"
        self.positions = ("S0", "S1", "N0", "N1", "S0l", "S0r", "N0l")
        self.name_moves(("shift",), ("left_arc", "right_arc"))
        self.c.start = start
        self.c.is_valid = is_valid
        self.c.apply = apply
        self.c.positions = stack_positions
        self.c.arc = arc
        self.c.single_root = True
        self.c.projective = True


cdef class Lopsided(Swing):
    """Several roots, but no move called right_arc: the decoder refuses it."""

    def __cinit__(self):
        self.name = "lopsided"
        self.name_moves(("shift",), ("left_arc", "attach"))
        self.c.single_root = False


cdef int next_move(const SystemC* system, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef int move = SHIFT
    cdef int top
    count_kids(st, gold)
    if st.depth > 0:
        top = st.stack[st.depth - 1]
        if st.rest > 0 and is_due(gold, st.buffer[st.rest - 1], top):
            move = LEFT_ARC
        elif st.depth > 1 and is_due(gold, st.stack[st.depth - 2], top):
            move = RIGHT_ARC
    return move if system.is_valid(st, 0, move) else -1


cdef class SwingStatic(StaticOracle):
    """Attaches a word as soon as it has all its dependents."""

    def __cinit__(self, TransitionSystem system not None):
        self.serve(system, "static", ("swing",))
        self.c.next_move = next_move


SWING = {"static": SwingStatic}
