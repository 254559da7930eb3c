"""Greedy decoding of a batch of sentences, and rollouts: the same loop with an observer."""

from ..scoring.scorer cimport ScorerC
from ..structs cimport StateC, SystemC
from .choice cimport CandidateC
from .slots cimport WorkC


cdef struct SentenceC:
    int n                 # words
    int* heads            # [n] output: head within the sentence, -1: root
    int* labels           # [n] output: label id, -1: none


cdef enum:
    STAY = -1             # no choice: score the configuration again


# Looks on; of its functions any may be NULL.
cdef struct ObserverC:
    void* self
    # Sees every configuration that the model scores, and the best choice; says which choice to follow,
    # or to STAY, after a change of the weights.
    int (*choose)(
        void* self, int sentence, const StateC* st, const CandidateC* candidates, int n_candidates,
        int best
    ) noexcept nogil
    # Sees an arc that was inserted before it gets its label, with the cursor on its two words.
    void (*see_inserted)(
        void* self, int sentence, const CandidateC* candidate, int move, int head, int dependent
    ) noexcept nogil
    # Is told every move before it is made, and how probable the model finds it, which takes time.
    void (*before_move)(
        void* self, int sentence, const StateC* st, int action, int label, float probability
    ) noexcept nogil
    # Whether it is told the moves that join two words only, which saves much of that time.
    bint sees_arcs_only
    # Sees what came of it.
    void (*after_move)(void* self, int sentence, const StateC* st) noexcept nogil


# Follows the model, and sees nothing.
cdef ObserverC silent_observer() noexcept nogil


# Parse the sentences, in their order; how many choices were made. max_distance: of words that are looked
# at as a pair; 0: no bound.
cdef long decode_sentences(
    const ScorerC* scorer, const SystemC* system, SentenceC* sentences, int n_sentences,
    int max_distance, WorkC* work, const ObserverC* observer
) noexcept nogil
