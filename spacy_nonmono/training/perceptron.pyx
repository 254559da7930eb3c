"""Training of the linear scorer: averaged perceptron and MIRA, in C, while the decoder parses.

Wherever the best-scoring choice is wrong, the features are moved towards the best-scoring correct one
(Collins 2002; with several correct moves Goldberg & Nivre 2012, algorithm 3). MIRA moves them as far
as it takes to lead by 1, at most C, also where the best choice is right but leads by less (Crammer et
al. 2006, PA-I, which is MIRA with one constraint). Where the oracle is to be followed, training goes on
with the correct choice. Or it stays in the configuration and learns again until the best choice is
right, as easy-first was trained (Goldberg & Elhadad 2010; Goldberg & Nivre 2013, section 3.1).
"""

from libc.stdint cimport uint64_t

import numpy

from ..decoding.choice cimport CandidateC
from ..decoding.greedy cimport STAY, ObserverC, silent_observer
from ..decoding.linear_batch cimport LinearBatch
from ..oracles.oracle cimport Oracle
from ..scoring.linear.linear cimport LinearC, extract_window, n_seen
from ..scoring.linear.templates cimport Templates
from ..scoring.linear.weights cimport Weights, WeightsC, add_current, update
from ..scoring.scorer cimport class_of, n_arcs
from ..state cimport MAX_WORDS
from ..structs cimport StateC, SystemC
from .teacher cimport Teacher, TeacherC, VerdictC, follow_oracle, judge, label_to_teach

from libcpp.vector cimport vector

from ..scoring.linear.weights import check_room
from ..shapes import check_at_least, check_lengths, check_shape, unfit


cdef enum:
    MOST_STAYS = 100      # no weights tell choices with the same features apart


cdef struct LearnerC:
    TeacherC* teacher
    WeightsC* weights
    unsigned int* n_changes   # of the weights, as the decoder knows it
    const LinearC* scorer
    double C                  # MIRA: the longest step; 0: perceptron
    bint until_correct        # stay where the best choice is wrong
    int n_stays               # in the present configuration
    vector[unsigned char]* correct  # scratch
    int n_wrong               # configurations where the best choice was wrong


cdef inline bint enough(double C, float lead) noexcept nogil:
    """Whether the correct choice leads the best wrong one by as much as the learner asks."""
    return lead > 0 if C == 0 else lead >= 1


cdef float step(double C, float lead, int norm) noexcept nogil:
    """How far to move where the lead is not enough; norm: squared length of the difference of the
    features of the two choices."""
    cdef double tau
    if C == 0:
        return 1
    if norm == 0:
        return 0
    tau = (1 - lead) / norm
    return tau if tau < C else C


cdef int squared_distance(
    const uint64_t* right, const uint64_t* wrong, int n, bint same_class
) noexcept nogil:
    """Between the features of two choices; of the same class, features that both have do not count."""
    cdef int k
    cdef int total = 0
    for k in range(n):
        if same_class and right[k] == wrong[k]:
            continue
        total += (right[k] != 0) + (wrong[k] != 0)
    return total


cdef int squared_distance_of_sets(
    const uint64_t* right, int n_right, const uint64_t* wrong, int n_wrong, bint same_class
) noexcept nogil:
    """The same of features in any order, none of them twice."""
    cdef int total = n_right + n_wrong
    cdef int k, i
    if same_class:
        for k in range(n_right):
            for i in range(n_wrong):
                if right[k] == wrong[i]:
                    total -= 2
    return total


cdef bint learn_choice(
    LearnerC* self, const CandidateC* candidates, int correct, int wrong
) noexcept nogil:
    """Whether the choice was right."""
    cdef int nO = self.teacher.nO
    cdef const CandidateC* right = &candidates[correct // nO]
    cdef const CandidateC* mistake = &candidates[wrong // nO]
    cdef int right_class = correct % nO
    cdef int wrong_class = wrong % nO
    cdef float lead = right.scores[right_class] - mistake.scores[wrong_class]
    cdef const uint64_t* right_features = <const uint64_t*>right.input
    cdef const uint64_t* wrong_features = <const uint64_t*>mistake.input
    cdef int n = self.scorer.templates.n
    cdef int n_right = n_seen(self.scorer, right_features)
    cdef int n_wrong = n_seen(self.scorer, wrong_features)
    cdef int norm
    cdef float tau
    self.n_wrong += lead <= 0
    if enough(self.C, lead):
        return True
    norm = squared_distance(right_features, wrong_features, n, right_class == wrong_class)
    norm += squared_distance_of_sets(
        right_features + n, n_right - n, wrong_features + n, n_wrong - n, right_class == wrong_class
    )
    tau = step(self.C, lead, norm)
    if tau > 0:
        self.n_changes[0] += 1
        update(self.weights, right_features, n_right, right_class, tau)
        update(self.weights, wrong_features, n_wrong, wrong_class, -tau)
    return lead > 0


cdef int learn(
    void* learner, int sentence, const StateC* st, const CandidateC* candidates, int n_candidates,
    int best
) noexcept nogil:
    cdef LearnerC* self = <LearnerC*>learner
    cdef TeacherC* teacher = self.teacher
    cdef VerdictC verdict
    cdef bint right = True
    if teacher.skip[sentence]:
        return best
    if self.correct.size() < <size_t>(n_candidates * teacher.nO):
        self.correct.resize(n_candidates * teacher.nO)
    judge(
        teacher, sentence, st, candidates, n_candidates, NULL, self.correct.data(), &verdict
    )
    if verdict.best_wrong >= 0 and verdict.best_correct >= 0:
        self.weights.clock += 1
        right = learn_choice(self, candidates, verdict.best_correct, verdict.best_wrong)
    else:
        verdict.best_correct = best
    if not follow_oracle(teacher):
        self.n_stays = 0
        return best
    if self.until_correct and not right and self.n_stays < MOST_STAYS:
        self.n_stays += 1
        return STAY
    self.n_stays = 0
    return verdict.best_correct


cdef void learn_inserted(
    void* learner, int sentence, const CandidateC* candidate, int move, int head, int dependent
) noexcept nogil:
    """Teach the label of an arc that was inserted."""
    cdef LearnerC* self = <LearnerC*>learner
    cdef const SystemC* system = self.teacher.system
    cdef int label = label_to_teach(self.teacher, sentence, head, dependent)
    cdef int best = -1
    cdef int right, c
    if label < 0:
        return
    right = class_of(system, move, label)
    c = class_of(system, move, 0)
    while c < self.teacher.nO:
        if c != right and (best < 0 or candidate.scores[c] > candidate.scores[best]):
            best = c
        c += n_arcs(system)
    if best >= 0:
        self.weights.clock += 1
        learn_choice(self, candidate, right, best)


def learn_states(
    LinearBatch batch not None, Weights weights not None, Oracle oracle not None,
    const int[::1] lengths not None, const int[::1] gold_heads not None,
    const int[::1] gold_labels not None, double p_model, uint64_t seed, double C,
    bint until_correct=False,
):
    """Parse the sentences of a batch, learning from every mistake at once.

    C: the longest step of MIRA; 0 for the perceptron. until_correct: where the best choice is wrong and
    the oracle is to be followed, learn again in the same configuration until it is right, or a hundred
    times. The other arguments are those of `Teacher`.
    Returns how often the best choice was wrong.
    """
    if batch.linear.current != &weights.c:
        raise unfit("the weights of the batch", "others", "those that are being trained")
    cdef Teacher teacher = Teacher(batch, oracle, lengths, gold_heads, gold_labels, p_model, seed)
    cdef vector[unsigned char] correct
    cdef LearnerC learner
    cdef ObserverC observer
    learner.teacher = &teacher.c
    learner.weights = &weights.c
    learner.n_changes = &batch.scorer.n_changes
    learner.scorer = &batch.linear
    learner.C = C
    learner.until_correct = until_correct
    learner.n_stays = 0
    learner.correct = &correct
    learner.n_wrong = 0
    observer = silent_observer()
    observer.self = &learner
    observer.choose = learn
    observer.see_inserted = learn_inserted
    batch.decode(&observer)
    return learner.n_wrong


def learn_starts(
    Templates templates not None, Weights weights not None,
    const uint64_t[:, ::1] matrix not None, const int[::1] lengths not None,
    const int[::1] starts not None, double C,
):
    """Learn which words start a sentence: those with a positive score.

    matrix: (N, n_columns), mixed. lengths: words of each doc. starts: (N,) 1 starts a sentence, -1 does
    not, 0 unknown. The first word of a doc teaches nothing. Returns the number of mistakes.
    """
    cdef int nT = templates.c.n
    cdef uint64_t[::1] memory = numpy.zeros((2 * nT + 1,), dtype="uint64")
    cdef uint64_t[::1] values = numpy.zeros((templates.c.n_atoms + 1,), dtype="uint64")
    cdef uint64_t* features = &memory[0]
    cdef int n_columns = matrix.shape[1]
    cdef int first = 0
    cdef int n_wrong = 0
    cdef int k, w, i, norm
    cdef float score, tau
    check_lengths(lengths, matrix.shape[0], MAX_WORDS)
    check_room(weights, 1)
    check_shape("starts", starts, matrix.shape[0])
    check_at_least("matrix", matrix, 1, templates.n_columns)
    with nogil:
        for k in range(lengths.shape[0]):
            for w in range(1, lengths[k]):
                if starts[first + w] == 0:
                    continue
                extract_window(
                    &templates.c, &matrix[first, 0], n_columns, lengths[k], w, &values[0], features
                )
                score = 0
                add_current(&weights.c, features, nT, features + nT, &score)
                weights.c.clock += 1
                score *= starts[first + w]
                n_wrong += score <= 0
                if enough(C, score):
                    continue
                norm = 0
                for i in range(nT):
                    norm += features[i] != 0
                tau = step(C, score, norm)
                update(&weights.c, features, nT, 0, tau * starts[first + w])
            first += lengths[k]
    return n_wrong


def learn_roots(
    Templates templates not None, Weights weights not None,
    const uint64_t[:, ::1] matrix not None, const int[::1] lengths not None,
    const int[::1] gold_heads not None, double C,
):
    """Learn which word is the root of a sentence: that with the highest score.

    matrix: (N, n_columns), mixed. lengths: words of each sentence. gold_heads: (N,), -1 for a root.
    Sentences of which not exactly one word is known to be the root teach nothing. Returns the number of
    mistakes.
    """
    cdef int nT = templates.c.n
    cdef Py_ssize_t longest = max(lengths, default=0)
    cdef uint64_t[::1] memory = numpy.zeros(((longest + 1) * nT + 1,), dtype="uint64")
    cdef uint64_t[::1] values = numpy.zeros((templates.c.n_atoms + 1,), dtype="uint64")
    cdef uint64_t* features = &memory[0]
    cdef int n_columns = matrix.shape[1]
    cdef float[::1] scores = numpy.zeros((longest + 1,), dtype="f")
    cdef int first = 0
    cdef int n_wrong = 0
    cdef Py_ssize_t w, root, best
    cdef int k, n_roots
    cdef float tau
    check_lengths(lengths, matrix.shape[0], MAX_WORDS)
    check_room(weights, 1)
    check_shape("gold_heads", gold_heads, matrix.shape[0])
    check_at_least("matrix", matrix, 1, templates.n_columns)
    with nogil:
        for k in range(lengths.shape[0]):
            n_roots = 0
            for w in range(lengths[k]):
                if gold_heads[first + w] == -1:
                    root = w
                    n_roots += 1
            if n_roots == 1 and lengths[k] > 1:
                best = -1
                for w in range(lengths[k]):
                    extract_window(
                        &templates.c, &matrix[first, 0], n_columns, lengths[k], w, &values[0],
                        features + w * nT,
                    )
                    scores[w] = 0
                    add_current(
                        &weights.c, features + w * nT, nT, features + longest * nT, &scores[w]
                    )
                    if w != root and (best < 0 or scores[w] > scores[best]):
                        best = w
                weights.c.clock += 1
                n_wrong += scores[root] <= scores[best]
                if not enough(C, scores[root] - scores[best]):
                    tau = step(C, scores[root] - scores[best], squared_distance(
                        features + root * nT, features + best * nT, nT, True
                    ))
                    if tau > 0:
                        update(&weights.c, features + root * nT, nT, 0, tau)
                        update(&weights.c, features + best * nT, nT, 0, -tau)
            first += lengths[k]
    return n_wrong
