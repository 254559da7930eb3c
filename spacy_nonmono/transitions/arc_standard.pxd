"""Arc-standard and arc-hybrid: their moves, and what systems that extend arc-standard can use."""

from ..structs cimport StateC


cdef enum:
    SHIFT
    LEFT_ARC
    RIGHT_ARC


# The functions of arc-standard, as in `SystemC`; its moves are those above.
cdef void start(StateC* st) noexcept nogil
cdef bint standard_valid(const StateC* st, int focus, int move) noexcept nogil
cdef void standard_apply(StateC* st, int focus, int move, int label) noexcept nogil
cdef void standard_positions(const StateC* st, int focus, int* positions) noexcept nogil
cdef void standard_arc(
    const StateC* st, int focus, int move, int* head, int* dependent
) noexcept nogil
