"""Systems with several roots: the heads of the words that are left over in the end."""

from ..scoring.scorer cimport ScorerC
from ..structs cimport StateC
from ..transitions.system cimport SystemC


# Leave one word without a head, the likeliest root, and attach the others. The scorer gives the labels,
# with the cursor on the two words. input, scores: room for one row, which the scorer knows as `row`.
cdef void attach_leftovers(
    const ScorerC* scorer, const SystemC* system, StateC* st, int sentence, void* input,
    float* scores, int row
) noexcept nogil
