"""Arc-standard and arc-hybrid: their moves, and what systems that extend them can use."""

from ..structs cimport StateC


cdef enum:
    SHIFT
    LEFT_ARC
    RIGHT_ARC


# The functions of both systems, as in `SystemC`; their moves are those above. Arc-hybrid's positions are
# `stack_positions`.
cdef void start(StateC* st) noexcept nogil

cdef bint standard_valid(const StateC* st, int focus, int move) noexcept nogil
cdef void standard_apply(StateC* st, int focus, int move, int label) noexcept nogil
cdef void standard_positions(const StateC* st, int focus, int* positions) noexcept nogil
cdef void standard_arc(
    const StateC* st, int focus, int move, int* head, int* dependent
) noexcept nogil

cdef bint hybrid_valid(const StateC* st, int focus, int move) noexcept nogil
cdef void hybrid_apply(StateC* st, int focus, int move, int label) noexcept nogil
cdef void hybrid_arc(const StateC* st, int focus, int move, int* head, int* dependent) noexcept nogil
