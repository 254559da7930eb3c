"""What an oracle teaches of the configurations of a batch: what is correct, which way to go on."""

from libc.stdint cimport uint64_t

from ..decoding.batch cimport Batch
from ..decoding.choice cimport CandidateC
from ..oracles.oracle cimport CostsC, Oracle, OracleC
from ..structs cimport GoldC, StateC, SystemC


cdef struct TeacherC:
    const OracleC* oracle     # NULL: none
    const SystemC* system
    GoldC* golds              # [n_sentences]
    bint* skip                # [n_sentences] sentences that teach nothing
    int nO
    double p_model            # probability of following the model
    uint64_t random


cdef struct VerdictC:
    # On the candidates of a configuration, as choices (`decoding/choice.pxd`).
    int best_correct          # the correct choice that scores best, -1: none
    int best_wrong            # the same of the wrong ones
    CostsC costs              # at the last focus


# Says which choices are valid and which correct: [n_candidates, nO] each, 0 or 1; the former may be
# NULL.
cdef void judge(
    const TeacherC* teacher, int sentence, const StateC* st, const CandidateC* candidates,
    int n_candidates, unsigned char* valid, unsigned char* correct, VerdictC* verdict
) noexcept nogil

# The gold label of an arc, if it is gold and its sentence teaches; else -1.
cdef int label_to_teach(
    const TeacherC* teacher, int sentence, int head, int dependent
) noexcept nogil

# Whether the derivation is to follow the oracle where the policy leaves it to chance.
cdef bint follow_oracle(TeacherC* teacher) noexcept nogil


cdef class Teacher:
    """The gold trees of a batch, and the memory of a `TeacherC`."""
    cdef object mem
    cdef Oracle oracle
    cdef TeacherC c
