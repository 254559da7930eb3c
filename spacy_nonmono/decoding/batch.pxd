"""The sentences of one batch, ready to be decoded."""

from ..scoring.scorer cimport ScorerC
from ..structs cimport SystemC
from .greedy cimport ObserverC, SentenceC


cdef class Batch:
    """The sentences of one batch, and their scorer, which a subclass provides."""
    cdef object mem
    cdef object system              # a `TransitionSystem`
    cdef const SystemC* c_system    # its struct
    cdef ScorerC scorer
    cdef SentenceC* sentences
    cdef int* firsts                # [n_sentences] the first word of each, among all
    cdef int n_sentences
    cdef int n_words
    cdef int longest
    cdef int n_rows                 # that the scorer must be able to remember
    cdef int max_distance           # Covington: pairs further apart are not looked at; 0: no bound
    cdef readonly object heads      # (N,) int32
    cdef readonly object labels     # (N,) int32
    cdef readonly object scores     # (N,) float32, None where nobody asked for them
    cdef readonly long n_choices    # that the last parse took; a move without an alternative is none
    # Raises TypeError unless a subclass has set it up to the end: `scorer.look` is set last.
    cdef int check(self) except -1
    # Lays out the sentences, and sets what scorers may leave as it is; `scorer.n_slots` must be set.
    cdef void set_up(self, system, const int[::1] lengths, int max_distance) except *
    # How many labels a scorer of so many classes knows; 1 where it knows none.
    cdef int count_labels(self, int n_classes) noexcept
    cdef void decode(self, const ObserverC* observer) except *
    cdef object decode_scored(self)
    cdef void uncross(self, float[::1] scores, double worth) except *
