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


cdef struct ObserverC:
    # Sees every configuration that the model scores, and says which class to follow. It may change
    # the label that a shifted word keeps for an arc that Reduce inserts.
    void* self
    int (*choose)(
        void* self, int sentence, const StateC* st, const int* token_rows, const int* atom_rows,
        const float* scores, int best, int* insert_label
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
