"""Cycles of the arcs built and the gold arcs that can still be built, in Covington's systems."""

from ..structs cimport GoldC
from .oracle cimport is_built


cdef enum:
    LOWER = 0
    PC_UPPER = 1
    UPPER = 2


cdef struct ViewC:
    # A configuration that may be changed and restored: the loss of what a move leads to is taken here.
    int n
    int i
    int j
    int* head
    int* label


cdef inline bint looked_at(const ViewC* view, int x, int y) noexcept nogil:
    cdef int low = x if x < y else y
    cdef int high = y if x < y else x
    return view.j > high or (view.j == high and view.i < low)


cdef inline bint built_in(const ViewC* view, const GoldC* gold, int d) noexcept nogil:
    """The gold arc to d is in A, label included."""
    return is_built(view.head, view.label, gold, d)


# Cycles of A + I, the problematic ones alone for PC_UPPER; -1 at the cap. Uses 7n ints of memory.
cdef int count_cycles(
    const ViewC* view, const GoldC* gold, int bound, int cap, int* memory
) noexcept nogil
