"""Greedy decoding of a batch of sentences, and rollouts: the same loop with an observer."""

from thinc.backends.cblas cimport CBlas, sgemm_ptr

from ..scoring.arcs cimport ArcTableC
from ..scoring.neural cimport ScorerC
from ..structs cimport StateC
from ..transitions.system cimport SystemC, TransitionSystem


cdef struct SentenceC:
    int first             # row of the first word in the products of the batch
    int n                 # words
    ArcTableC arcs
    int* heads            # [n] output: head within the sentence, -1: root
    int* labels           # [n] output: label id, -1: none


cdef struct CandidateC:
    # A place where the moves of a configuration are scored: one, but in list systems.
    int place
    const int* token_rows
    const int* atom_rows
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
    # Is told every move, and how probable the model finds it. NULL: nobody listens.
    void (*tell)(
        void* self, int sentence, int action, int label, int insert_label, float probability
    ) noexcept nogil


cdef class Batch:
    """The sentences of one batch with their arc tables, and the memory to decode them."""
    cdef object mem
    cdef object buffers             # the arrays whose memory the structs point to
    cdef TransitionSystem system
    cdef ScorerC scorer
    cdef CBlas blas
    cdef SentenceC* sentences
    cdef int n_sentences
    cdef int longest
    cdef int max_distance           # Covington: pairs further apart are not looked at; 0: no bound
    cdef readonly object heads      # (N,) int32
    cdef readonly object labels     # (N,) int32
    cdef void decode(self, const ObserverC* observer) except *
