"""What a decoder chooses from: the classes of a configuration, at every focus."""

from ..structs cimport StateC, SystemC


cdef struct CandidateC:
    # A focus where the moves of a configuration are scored: one, but in list systems.
    int focus
    const void* input     # what the scorer saw
    const float* scores   # of every class


# A choice is a number: that of the candidate * nO + class.

cdef enum:                # instead of an action that is forced
    CHOICE = -1           # there is a choice
    FINAL = -2            # the configuration is final

# The best choice whose move is valid; -1 if none is.
cdef int best_choice(
    const SystemC* system, const StateC* st, const CandidateC* candidates, int n_candidates, int nO
) noexcept nogil
# Of a choice among all that are valid.
cdef float probability(
    const SystemC* system, const StateC* st, const CandidateC* candidates, int n_candidates, int nO,
    int choice
) noexcept nogil
# The label that scores best with an arc move, -1 if there are no labels.
cdef int best_label(const SystemC* system, const float* scores, int nO, int move) noexcept nogil
# The action to take without scoring, CHOICE or FINAL.
cdef int forced_action(const SystemC* system, const StateC* st) noexcept nogil
