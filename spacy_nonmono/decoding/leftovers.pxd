"""What is missing in the end: heads of words that are left over, labels of arcs without one."""

from ..scoring.scorer cimport ScorerC
from ..structs cimport StateC, SystemC
from .greedy cimport ObserverC


# In both, the scorer gives the labels, with the cursor on the two words. input, scores: room for one
# row, which the scorer knows as `row`.

# Systems that insert arcs: give those their labels, and show them to the observer.
cdef void label_inserted(
    const ScorerC* scorer, const SystemC* system, StateC* st, int sentence, void* input,
    float* scores, int row, const ObserverC* observer
) noexcept nogil

# Systems with several roots: leave one word without a head, the likeliest root, and attach the others.
cdef void attach_leftovers(
    const ScorerC* scorer, const SystemC* system, StateC* st, int sentence, void* input,
    float* scores, int row
) noexcept nogil
