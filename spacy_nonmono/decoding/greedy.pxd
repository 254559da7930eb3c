"""Greedy decoding of a batch of sentences, and rollouts: the same loop with an observer."""

from ..scoring.scorer cimport ScorerC
from ..structs cimport StateC
from ..transitions.system cimport SystemC, TransitionSystem


cdef struct SentenceC:
    int n                 # words
    int* heads            # [n] output: head within the sentence, -1: root
    int* labels           # [n] output: label id, -1: none


cdef struct CandidateC:
    # A place where the moves of a configuration are scored: one, but in list systems.
    int place
    const void* input     # what the scorer saw
    const float* scores   # of every class


cdef struct ObserverC:
    void* self
    # Sees every configuration that the model scores, and says what to follow: the number of the
    # candidate * nO + class. It may change the label that a shifted word keeps for an arc that Reduce
    # inserts, and StateC.i in list systems. NULL: follow the model.
    int (*choose)(
        void* self, int sentence, StateC* st, const CandidateC* candidates, int n_candidates,
        int best, int* insert_label
    ) noexcept nogil
    # Is told every move before it is made, and how probable the model finds it. It may change StateC.i
    # in list systems. NULL: nobody listens.
    void (*tell)(
        void* self, int sentence, StateC* st, int action, int label, int insert_label,
        float probability
    ) noexcept nogil
    # Sees what came of a move that was scored. NULL: nobody looks.
    void (*made)(void* self, int sentence, const StateC* st) noexcept nogil


cdef class Batch:
    """The sentences of one batch, and their scorer, which a subclass provides."""
    cdef object mem
    cdef TransitionSystem system
    cdef ScorerC scorer
    cdef SentenceC* sentences
    cdef int n_sentences
    cdef int n_words
    cdef int longest
    cdef int n_rows                 # that the scorer must be able to remember
    cdef int max_distance           # Covington: pairs further apart are not looked at; 0: no bound
    cdef readonly object heads      # (N,) int32
    cdef readonly object labels     # (N,) int32
    cdef readonly object scores     # (N,) float32, None where nobody asked for them
    # Raises TypeError unless a subclass has set it up to the end: `scorer.look` is set last.
    cdef int check(self) except -1
    # Lays out the sentences; `scorer.n_slots` must be set.
    cdef void set_up(self, TransitionSystem system, const int[::1] lengths, int max_distance) except *
    cdef void decode(self, const ObserverC* observer) except *
    cdef void decode_scored(self) except *
