"""Rollouts: training sentences parsed by the decoder, every scored configuration recorded.

The oracle says which classes are correct in each configuration; the exploration policy says whether the
derivation goes on with the model's choice or the oracle's. What was recorded is one batch of states for
the backward pass.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy
from libcpp.vector cimport vector

import numpy

from ..decoding.choice cimport CandidateC
from ..decoding.greedy cimport ObserverC, silent_observer
from ..decoding.neural_batch cimport NeuralBatch
from ..oracles.oracle cimport Oracle
from ..scoring.neural.atoms cimport N_ATOMS
from ..scoring.scorer cimport class_move, class_of
from ..structs cimport StateC, SystemC
from .teacher cimport Teacher, TeacherC, VerdictC, follow_oracle, judge, label_to_teach


ctypedef fused Number:
    int
    unsigned char


cdef struct RecorderC:
    TeacherC* teacher
    vector[int]* inputs       # token rows and atom rows of every focus
    vector[unsigned char]* valid
    vector[unsigned char]* correct
    vector[int]* sizes        # number of foci of each configuration
    int n_input               # ints


cdef size_t record_inputs(RecorderC* self, const CandidateC* candidates, int n) noexcept nogil:
    """Room for more foci that are scored; returns where their classes begin."""
    cdef size_t start = self.valid.size()
    cdef const int* input
    cdef int k
    for k in range(n):
        input = <const int*>candidates[k].input
        self.inputs.insert(self.inputs.end(), input, input + self.n_input)
    self.valid.resize(start + n * self.teacher.nO)
    self.correct.resize(start + n * self.teacher.nO)
    self.sizes.push_back(n)
    return start


cdef void remove_inputs(RecorderC* self, int n) noexcept nogil:
    """Forget the last foci."""
    self.inputs.resize(self.inputs.size() - n * self.n_input)
    self.valid.resize(self.valid.size() - n * self.teacher.nO)
    self.correct.resize(self.correct.size() - n * self.teacher.nO)
    self.sizes.pop_back()


cdef int record(
    void* recorder, int sentence, const StateC* st, const CandidateC* candidates, int n_candidates,
    int best
) noexcept nogil:
    cdef RecorderC* self = <RecorderC*>recorder
    cdef TeacherC* teacher = self.teacher
    cdef VerdictC verdict
    cdef size_t start
    if teacher.skip[sentence]:
        return best
    start = record_inputs(self, candidates, n_candidates)
    judge(
        teacher, sentence, st, candidates, n_candidates, self.valid.data() + start,
        self.correct.data() + start, &verdict,
    )
    if verdict.best_wrong < 0 or verdict.best_correct < 0:
        # Nothing to learn here: every class is as good as any other.
        remove_inputs(self, n_candidates)
        verdict.best_correct = best
    return verdict.best_correct if follow_oracle(teacher) else best


cdef int record_all(
    void* recorder, int sentence, const StateC* st, const CandidateC* candidates, int n_candidates,
    int best
) noexcept nogil:
    """Without an oracle: what is valid."""
    cdef RecorderC* self = <RecorderC*>recorder
    cdef const SystemC* system = self.teacher.system
    cdef int nO = self.teacher.nO
    cdef int k, c
    cdef size_t start = record_inputs(self, candidates, n_candidates)
    for k in range(n_candidates):
        for c in range(nO):
            self.valid[0][start + k * nO + c] = system.is_valid(
                st, candidates[k].focus, class_move(system, c)
            )
    return best


cdef void record_inserted(
    void* recorder, int sentence, const CandidateC* candidate, int move, int head, int dependent
) noexcept nogil:
    """Teach the label of an arc that was inserted."""
    cdef RecorderC* self = <RecorderC*>recorder
    cdef const SystemC* system = self.teacher.system
    cdef int label = label_to_teach(self.teacher, sentence, head, dependent)
    cdef size_t start
    cdef int c
    if label < 0:
        return
    start = record_inputs(self, candidate, 1)
    for c in range(self.teacher.nO):
        self.valid[0][start + c] = class_move(system, c) == move
        self.correct[0][start + c] = c == class_of(system, move, label)


def rollout(
    NeuralBatch batch not None, Oracle oracle, const int[::1] lengths not None,
    const int[::1] gold_heads not None, const int[::1] gold_labels not None, double p_model,
    uint64_t seed,
):
    """Parse the sentences of a batch, following the model with probability `p_model` at each move.

    The pairs of words that gold arcs join are looked at, whatever their probability.

    oracle: None records the model's own derivations, for rehearsal. The other arguments are those of
    `Teacher`.

    Returns what was recorded of the C configurations with a choice to learn, which have S foci in
    all (one each, but in list systems): token rows (S, nF) and atom rows (S, nK), int32; valid and
    correct classes (S, nO), uint8; the number of foci of each configuration (C,), int32.
    """
    cdef Teacher teacher = Teacher(
        batch, oracle, lengths, gold_heads, gold_labels, p_model, seed
    )
    cdef RecorderC recorder
    cdef ObserverC observer
    cdef vector[int] inputs
    cdef vector[unsigned char] valid
    cdef vector[unsigned char] correct
    cdef vector[int] sizes
    cdef int nF = batch.neural.nF
    cdef int nO = batch.scorer.nO
    recorder.teacher = &teacher.c
    recorder.inputs = &inputs
    recorder.valid = &valid
    recorder.correct = &correct
    recorder.sizes = &sizes
    recorder.n_input = nF + N_ATOMS
    # As many configurations as systems with a stack come to: no copies while they grow.
    sizes.reserve(2 * batch.n_words)
    inputs.reserve(2 * batch.n_words * (nF + N_ATOMS))
    valid.reserve(2 * batch.n_words * nO)
    correct.reserve(2 * batch.n_words * nO)
    if oracle is not None and batch.n_words > 0:
        batch.neural.kept = &gold_heads[0]
    observer = silent_observer()
    observer.self = &recorder
    observer.choose = record_all if oracle is None else record
    observer.see_inserted = record_inserted
    try:
        batch.decode(&observer)
    finally:
        # The batch may live longer than these heads.
        batch.neural.kept = NULL
    cdef int S = valid.size() // nO
    rows = to_array(inputs, S, nF + N_ATOMS)
    return (
        numpy.ascontiguousarray(rows[:, :nF]),
        numpy.ascontiguousarray(rows[:, nF:]),
        to_array(valid, S, nO),
        to_array(correct, S, nO),
        to_array(sizes, sizes.size(), 1)[:, 0],
    )


cdef to_array(vector[Number]& values, int n_rows, int n_columns):
    cdef Number[:, ::1] array = numpy.empty(
        (n_rows, n_columns), dtype="i" if Number is int else "u1"
    )
    if values.size() > 0:
        memcpy(&array[0, 0], values.data(), values.size() * sizeof(Number))
    return numpy.asarray(array)
