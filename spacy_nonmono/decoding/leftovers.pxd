"""What is missing in the end: heads of words that are left over, labels of arcs without one."""

from ..scoring.scorer cimport ScorerC
from ..structs cimport StateC, SystemC
from .greedy cimport ObserverC


# In all, the scorer gives the labels, with the cursor on the two words, where the system puts it there.
# input, scores: room for one row, which the scorer knows as `row`.

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

# Give the arcs that took the place of others their labels and scores. heads, labels: what words had
# before. They keep their labels where the system leaves nothing over (NM039).
cdef void label_exchanged(
    const ScorerC* scorer, const SystemC* system, StateC* st, int sentence, const int* heads,
    const int* labels, void* input, float* scores, float* arc_scores
) noexcept nogil
