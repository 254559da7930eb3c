"""What an oracle of Covington's systems needs to look at what moves lead to."""

from ..structs cimport GoldC, StateC, SystemC
from .cycles cimport ViewC
from .oracle cimport CostsC


# Uses 2n ints of memory.
cdef ViewC copy_view(const StateC* st, int* memory) noexcept nogil

# Make a move of `covington_nonmonotonic`, with its best label; and back to the configuration before it.
cdef void enter(ViewC* view, const StateC* st, const GoldC* gold, int move) noexcept nogil
cdef void leave(ViewC* view, const StateC* st) noexcept nogil

# Fill `tie_cost`: among moves of equal cost, the monotonic loss after them. Uses 3n ints of memory.
cdef void rank_moves(
    const SystemC* system, ViewC* view, const StateC* st, const GoldC* gold, int* memory, CostsC* out
) noexcept nogil
