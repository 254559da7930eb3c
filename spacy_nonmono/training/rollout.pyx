"""Rollouts: training sentences parsed by the decoder, every scored configuration recorded.

The oracle says which classes are correct in each configuration; the exploration policy says whether the
derivation goes on with the model's choice or the oracle's. What was recorded is one batch of states for
the backward pass. Nothing is raised inside: a tree that a static oracle cannot derive is left out.
"""

from cymem.cymem cimport Pool
from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset
from libcpp.vector cimport vector

import numpy

from ..decoding.greedy cimport Batch, CandidateC, ObserverC
from ..oracles.oracle cimport (
    CostsC, Oracle, OracleC, UNKNOWN_HEAD, get_costs, gold_bytes, gold_carve, gold_index,
    optimal_moves, rebuilds_gold, set_gold_arc,
)
from ..scoring.neural cimport N_ATOMS, class_label, class_move
from ..splitmix cimport next_fraction
from ..state cimport N_MOVES, state_bytes, state_carve, state_reset
from ..structs cimport GoldC, StateC
from ..transitions.system cimport (
    LEFT_ARC, RIGHT_ARC, SystemC, action_move, action_place, look_at,
)


cdef enum:
    RANKS = 4096          # more than there are preferences among moves of one cost


cdef struct RecorderC:
    const OracleC* oracle     # NULL: record, and follow the model
    const SystemC* system
    GoldC* golds              # [n_sentences]
    bint* skip                # [n_sentences] sentences that teach nothing
    vector[int]* token_rows
    vector[int]* atom_rows
    vector[unsigned char]* valid
    vector[unsigned char]* correct
    vector[int]* sizes        # number of places of each configuration
    int nF
    int nO
    double p_model            # probability of following the model
    uint64_t random


cdef int correct_moves(
    const RecorderC* self, const StateC* st, const GoldC* gold, int next_action, int place,
    CostsC* costs
) noexcept nogil:
    """The moves that training treats as correct at a place, as bits; fills `costs`. Those of a static
    oracle are `next_action`; its costs all count as 0."""
    cdef int move, h, d
    if self.oracle.next_move == NULL:
        get_costs(self.oracle, self.system, st, gold, costs)
        return optimal_moves(costs)
    memset(costs, 0, sizeof(CostsC))
    for move in range(N_MOVES):
        costs.valid[move] = self.system.is_valid(st, move)
        costs.gold_label[move] = -1
    if next_action < 0 or action_place(next_action) != place:
        return 0
    move = action_move(next_action)
    if move == LEFT_ARC or move == RIGHT_ARC:
        self.system.arc(st, move, &h, &d)
        set_gold_arc(costs, gold, move, h, d)
    return 1 << move


cdef size_t add_rows(
    RecorderC* self, const int* token_rows, const int* atom_rows
) noexcept nogil:
    """Room for one more place that is scored; returns where its classes begin."""
    cdef size_t start = self.valid.size()
    self.token_rows.insert(self.token_rows.end(), token_rows, token_rows + self.nF)
    self.atom_rows.insert(self.atom_rows.end(), atom_rows, atom_rows + N_ATOMS)
    self.valid.resize(start + self.nO)
    self.correct.resize(start + self.nO)
    return start


cdef void remove_rows(RecorderC* self, int n) noexcept nogil:
    """Forget the last places."""
    self.token_rows.resize(self.token_rows.size() - n * self.nF)
    self.atom_rows.resize(self.atom_rows.size() - n * N_ATOMS)
    self.valid.resize(self.valid.size() - n * self.nO)
    self.correct.resize(self.correct.size() - n * self.nO)


cdef int record(
    void* recorder, int sentence, StateC* st, const CandidateC* candidates, int n_candidates,
    int best, int* insert_label
) noexcept nogil:
    cdef RecorderC* self = <RecorderC*>recorder
    cdef const GoldC* gold = &self.golds[sentence]
    cdef CostsC costs
    cdef int at_rest = st.i
    cdef int next_action = -1
    cdef int moves, k, c, move, place, rank
    cdef int best_correct = -1
    cdef float best_score = 0
    cdef int least = 0
    cdef bint any_wrong = False
    cdef size_t start
    if self.skip[sentence]:
        return best
    if self.oracle != NULL and self.oracle.next_move != NULL:
        next_action = self.oracle.next_move(self.system, st, gold)
    for k in range(n_candidates):
        place = candidates[k].place
        look_at(self.system, st, place)
        start = add_rows(self, candidates[k].token_rows, candidates[k].atom_rows)
        if self.oracle == NULL:
            for c in range(self.nO):
                self.valid[0][start + c] = self.system.is_valid(st, class_move(c))
            continue
        moves = correct_moves(self, st, gold, next_action, place, &costs)
        move = lowest_bit(moves)
        if move >= 0:
            rank = RANKS * costs.cost[move] + costs.second[move]
            if best_correct >= 0 and rank < least:
                # Better than at the places before: nothing there is correct.
                forget_correct(self, k)
                any_wrong = True
                best_correct = -1
            elif best_correct >= 0 and rank > least:
                moves = 0
            if best_correct < 0:
                least = rank
        for c in range(self.nO):
            move = class_move(c)
            self.valid[0][start + c] = costs.valid[move]
            if not costs.valid[move]:
                continue
            if (moves >> move & 1) == 0 or (
                costs.gold_arc[move] and costs.gold_label[move] >= 0
                and costs.gold_label[move] != class_label(c)
            ):
                any_wrong = True
                continue
            self.correct[0][start + c] = True
            if best_correct < 0 or candidates[k].scores[c] > best_score:
                best_correct = k * self.nO + c
                best_score = candidates[k].scores[c]
    st.i = at_rest
    self.sizes.push_back(n_candidates)
    if self.oracle == NULL:
        return best
    if not any_wrong or best_correct < 0:
        # Nothing to learn here: every class is as good as any other.
        remove_rows(self, n_candidates)
        self.sizes.pop_back()
        best_correct = best
    if self.system.inserts:
        record_insert_label(self, st, gold, &candidates[0], &costs, insert_label)
    if self.p_model < 1 and next_fraction(&self.random) >= self.p_model:
        return best_correct
    return best


cdef inline int lowest_bit(int moves) noexcept nogil:
    cdef int move
    for move in range(N_MOVES):
        if moves >> move & 1:
            return move
    return -1


cdef void forget_correct(RecorderC* self, int n) noexcept nogil:
    """No class of the n places before the last one is correct."""
    cdef size_t last = self.correct.size() - self.nO
    memset(self.correct.data() + last - n * self.nO, 0, n * self.nO)


cdef void record_insert_label(
    RecorderC* self, const StateC* st, const GoldC* gold, const CandidateC* candidate,
    const CostsC* costs, int* insert_label
) noexcept nogil:
    """Teach the label that Shift keeps for the arc that Reduce inserts: that of Right-Arc.

    In the rollout itself the kept label is the gold one: that it may be wrong is no reason to lose the
    head.
    """
    cdef int c
    cdef size_t start
    cdef int b = st.buffer[st.rest - 1]
    if b >= 0:
        insert_label[0] = gold.label[b]
    if not (costs.valid[RIGHT_ARC] and costs.gold_arc[RIGHT_ARC]) or gold.label[b] < 0:
        return
    start = add_rows(self, candidate.token_rows, candidate.atom_rows)
    self.sizes.push_back(1)
    for c in range(self.nO):
        self.valid[0][start + c] = class_move(c) == RIGHT_ARC
        self.correct[0][start + c] = (
            class_move(c) == RIGHT_ARC and class_label(c) == gold.label[b]
        )


cdef bint derivable(
    const OracleC* oracle, const SystemC* system, StateC* st, const GoldC* gold
) noexcept nogil:
    """Whether the static derivation ends in the gold tree; `st` is free memory."""
    state_reset(st, gold.n)
    system.start(st)
    return rebuilds_gold(oracle, system, st, gold)


cdef bint worth_it(
    const OracleC* oracle, const SystemC* system, StateC* st, const GoldC* gold
) noexcept nogil:
    """Whether there is something to learn: a known head, and a derivation for a static oracle."""
    cdef int d
    for d in range(gold.n):
        if gold.head[d] != UNKNOWN_HEAD:
            return oracle.next_move == NULL or derivable(oracle, system, st, gold)
    return False


def rollout(
    Batch batch, Oracle oracle, const int[::1] lengths, const int[::1] gold_heads,
    const int[::1] gold_labels, double p_model, uint64_t seed,
):
    """Parse the sentences of a batch, following the model with probability `p_model` at each move.

    oracle: None records the model's own derivations, for rehearsal; a static oracle is always followed,
    and sentences that it cannot derive are left out. lengths: (n_sentences,). gold_heads, gold_labels:
    (N,), heads within the sentence, -1 root, -2 unknown; label ids, -1 unknown.

    Returns what was recorded of the C configurations with a choice to learn, which have S places in
    all (one each, but in list systems): token rows (S, nF) and atom rows (S, nK), int32; valid and
    correct classes (S, nO), uint8; the number of places of each configuration (C,), int32.
    """
    cdef Pool mem = Pool()
    cdef RecorderC recorder
    cdef ObserverC observer
    cdef vector[int] token_rows
    cdef vector[int] atom_rows
    cdef vector[unsigned char] valid
    cdef vector[unsigned char] correct
    cdef vector[int] sizes
    cdef int n_sentences = lengths.shape[0]
    cdef int longest = max(lengths, default=0)
    cdef StateC free
    cdef int s, n
    cdef int first = 0
    recorder.oracle = NULL
    if oracle is not None:
        recorder.oracle = &oracle.c
    recorder.system = &batch.system.c
    recorder.token_rows = &token_rows
    recorder.atom_rows = &atom_rows
    recorder.valid = &valid
    recorder.correct = &correct
    recorder.sizes = &sizes
    recorder.nF = batch.scorer.nF
    recorder.nO = batch.scorer.nO
    recorder.random = seed
    recorder.p_model = p_model
    if oracle is not None and oracle.c.next_move != NULL:
        recorder.p_model = 0
    recorder.golds = <GoldC*>mem.alloc(n_sentences + 1, sizeof(GoldC))
    recorder.skip = <bint*>mem.alloc(n_sentences + 1, sizeof(bint))
    state_carve(&free, mem.alloc(1, state_bytes(longest)), longest)
    for s in range(n_sentences):
        n = lengths[s]
        gold_carve(&recorder.golds[s], mem.alloc(1, gold_bytes(n)), n)
        if n > 0:
            memcpy(recorder.golds[s].head, &gold_heads[first], n * sizeof(int))
            memcpy(recorder.golds[s].label, &gold_labels[first], n * sizeof(int))
        gold_index(&recorder.golds[s])
        if oracle is not None:
            recorder.skip[s] = not worth_it(
                &oracle.c, &batch.system.c, &free, &recorder.golds[s]
            )
        first += n
    observer.self = &recorder
    observer.choose = record
    observer.tell = NULL
    batch.decode(&observer)
    cdef int S = valid.size() // recorder.nO
    return (
        to_array(token_rows, S, recorder.nF),
        to_array(atom_rows, S, N_ATOMS),
        to_mask(valid, S, recorder.nO),
        to_mask(correct, S, recorder.nO),
        to_array(sizes, sizes.size(), 1)[:, 0],
    )


cdef to_array(vector[int]& values, int n_rows, int n_columns):
    cdef int[:, ::1] array = numpy.empty((n_rows, n_columns), dtype="i")
    if values.size() > 0:
        memcpy(&array[0, 0], values.data(), values.size() * sizeof(int))
    return numpy.asarray(array)


cdef to_mask(vector[unsigned char]& values, int n_rows, int n_columns):
    cdef unsigned char[:, ::1] array = numpy.empty((n_rows, n_columns), dtype="u1")
    if values.size() > 0:
        memcpy(&array[0, 0], values.data(), values.size())
    return numpy.asarray(array)
