"""The sentences that are under way at the same time, and what is known of each."""

from ..scoring.scorer cimport ScorerC
from ..structs cimport StateC, SystemC
from .choice cimport CandidateC


cdef struct SlotC:
    StateC state
    int sentence          # -1: idle
    # List systems: what is known of a focus, by the word on its left (0: ROOT); it stays so until an
    # attachment nearby, or a change of the weights.
    unsigned int n_changes
    bint* known           # [longest + 1]
    char* inputs          # [longest + 1, n_input]
    float* scores         # [longest + 1, nO]


cdef struct WorkC:
    # Memory of one decoding run. A row is a focus to be scored in this step.
    SlotC* slots          # [n_slots]
    int* active           # [n_slots] indices of the slots that make a move in this step
    int n_rows            # room for so many rows, and one more
    char* inputs          # [n_rows, n_input]; list systems: in the slots
    float* scores         # [n_rows, nO]
    CandidateC* candidates  # [longest + 1] of one slot


# Begin a sentence of n words.
cdef void start_sentence(const SystemC* system, SlotC* slot, int sentence, int n) noexcept nogil
# Go on to the next pair of words that is looked at; the move that does it, -1 if there is none to make.
# max_distance: of the two words; 0: no bound. in_steps: by moves alone; else pairs are jumped over.
cdef int skip_pairs(
    const ScorerC* scorer, const SystemC* system, SlotC* slot, int max_distance, bint in_steps
) noexcept nogil
# Look at what is to be scored of a slot; the number of rows then, -1 if there is no room.
cdef int look_at_slot(
    const ScorerC* scorer, const SystemC* system, SlotC* slot, WorkC* work, int n_rows
) noexcept nogil
# Fill `candidates` with the foci of a slot, whose rows begin at `row`, which is moved on; how many.
cdef int take_candidates(
    const ScorerC* scorer, const SystemC* system, SlotC* slot, WorkC* work, int* row
) noexcept nogil
# Make a move; what it changes of what is seen is not known any more.
cdef void make_move(
    const ScorerC* scorer, const SystemC* system, SlotC* slot, int action, int label
) noexcept nogil
