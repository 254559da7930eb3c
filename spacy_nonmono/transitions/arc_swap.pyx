"""Arc-standard with Swap (Nivre 2009): reorders the words, so that arcs may cross.

Swap puts the second word of the stack back into the buffer, so that the top comes to stand before it. A
pair of words is swapped once at most. There are at most n (n - 1) / 2 swaps, but few in natural
language: the number of moves is linear as a rule. After a Swap the lower of two stack words may come
later in the sentence: here `left_arc` and `right_arc` tell where the dependent is on the stack.
Departures from the paper: ROOT is the first word of the buffer, and a word may be attached to ROOT only
as the last thing to do, as in `arc_standard`.
"""

from ..state cimport IN_BUFFER, move_word
from ..structs cimport StateC
from .arc_standard cimport (
    standard_apply, standard_arc, standard_positions, standard_valid, start,
)
from .system cimport TransitionSystem

from .arc_standard import STANDARD_POSITIONS


cdef inline int standard_move(int move) noexcept nogil:
    """The number that arc-standard gives to a move other than Swap."""
    return move if move < SWAP else move - 1


cdef bint is_valid(const StateC* st, int focus, int move) noexcept nogil:
    if move == SWAP:
        return st.depth > 2 and st.stack[st.depth - 2] < st.stack[st.depth - 1]
    return standard_valid(st, focus, standard_move(move))


cdef void apply(StateC* st, int focus, int move, int label) noexcept nogil:
    cdef int below
    if move != SWAP:
        standard_apply(st, focus, standard_move(move), label)
        return
    st.depth -= 1
    below = st.stack[st.depth - 1]
    st.stack[st.depth - 1] = st.stack[st.depth]
    st.buffer[st.rest] = below
    st.rest += 1
    move_word(st, below, IN_BUFFER)


cdef void arc(const StateC* st, int focus, int move, int* head, int* dependent) noexcept nogil:
    standard_arc(st, focus, standard_move(move), head, dependent)


cdef class ArcSwap(TransitionSystem):
    """Arc-standard with Swap (Nivre 2009), ROOT at the start of the buffer; one root, arcs may cross.

    Final: the stack holds ROOT alone, the buffer is empty.

    shift      Precondition: a buffer. Effect: push its front.
    swap       Precondition: two words on the stack, the lower one comes first in the sentence. Effect:
               the lower one goes back to the front of the buffer.
    left_arc   Precondition: two words on the stack. Effect: attach the lower one to the top, remove it.
    right_arc  Precondition: two words on the stack; or the buffer is empty and one word stands on
               ROOT. Effect: attach the top to what lies below it, pop it.
    """

    def __cinit__(self):
        self.name = "arc_swap"
        self.positions = STANDARD_POSITIONS
        self.name_moves(("shift", "swap"), ("left_arc", "right_arc"))
        self.c.start = start
        self.c.is_valid = is_valid
        self.c.apply = apply
        self.c.positions = standard_positions
        self.c.arc = arc
        self.c.single_root = True
