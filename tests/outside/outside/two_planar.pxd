"""The two-planar system: its moves, and its memory beside the active stack."""

from spacy_nonmono.structs cimport StateC
from spacy_nonmono.transitions.system cimport TransitionSystem


cdef enum:
    SHIFT
    REDUCE
    SWITCH
    LEFT_ARC
    RIGHT_ARC


cdef enum:                # where in `StateC.own`
    PLANE = 0             # the plane of the active stack: 0 or 1
    SWITCHED              # 1: the last move was Switch
    OTHER_DEPTH           # words on the other stack
    OTHER                 # the other stack, its top last; zero behind it
    # From here on there is room for it.
    OWN_FIXED = OTHER


cdef inline int top(const StateC* st) noexcept nogil:
    return st.stack[st.depth - 1]


cdef inline int front(const StateC* st) noexcept nogil:
    return st.buffer[st.rest - 1]


cdef class TwoPlanar(TransitionSystem):
    pass
