"""The exact loss of the non-monotonic Covington system, by search."""

from ...structs cimport GoldC
from ...oracles.cycles cimport ViewC
from ...oracles.oracle cimport CountsC


# Words with a wrong head in the best tree still reachable from a configuration. Uses 7n ints of memory.
cdef int exact_loss(
    const ViewC* view, const GoldC* gold, int* memory, CountsC* counts
) noexcept nogil
