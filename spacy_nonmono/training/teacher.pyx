"""What an oracle teaches of the configurations of a batch, for every learner.

Nothing is raised inside: a tree that a static oracle cannot derive is left out, and counted.
"""

from cymem.cymem cimport Pool
from libc.string cimport memcpy, memset

from ..decoding.batch cimport Batch
from ..decoding.choice cimport CandidateC
from ..oracles.oracle cimport (
    CostsC, Oracle, OracleC, get_costs, gold_bytes, gold_carve, gold_index,
    optimal_moves, rebuilds_gold, set_gold_arc,
)
from ..scoring.scorer cimport class_label, class_of, end_of_classes, n_arcs
from .splitmix cimport next_fraction
from ..state cimport MAX_WORDS, state_bytes, state_init, state_reset
from ..structs cimport UNKNOWN_HEAD, GoldC, StateC, SystemC
from ..transitions.moves cimport MAX_MOVES, action_focus, action_move

from ..shapes import check_heads, check_lengths, check_shape, check_values, unfit


cdef enum:
    RANKS = 4096          # more than there are tie costs of moves at several foci


cdef int correct_moves(
    const TeacherC* teacher, const StateC* st, const GoldC* gold, int next_action, int focus,
    CostsC* costs
) noexcept nogil:
    """The moves that training treats as correct at a focus, as bits; fills `costs`. Those of a static
    oracle are `next_action`; its costs all count as 0."""
    cdef const SystemC* system = teacher.system
    cdef int move, h, d
    if teacher.oracle.next_move == NULL:
        get_costs(teacher.oracle, system, st, focus, gold, costs)
        return optimal_moves(system, costs)
    memset(costs, 0, sizeof(CostsC))
    for move in range(system.n_moves):
        costs.valid[move] = system.is_valid(st, focus, move)
        costs.gold_label[move] = -1
    if next_action < 0 or action_focus(next_action) != focus:
        return 0
    move = action_move(next_action)
    if move >= system.n_plain:
        system.arc(st, focus, move, &h, &d)
        set_gold_arc(costs, gold, move, h, d)
    return 1 << move


cdef inline int lowest_bit(int moves) noexcept nogil:
    cdef int move
    for move in range(MAX_MOVES):
        if moves >> move & 1:
            return move
    return -1


cdef void judge(
    const TeacherC* teacher, int sentence, const StateC* st, const CandidateC* candidates,
    int n_candidates, unsigned char* valid, unsigned char* correct, VerdictC* verdict
) noexcept nogil:
    cdef const SystemC* system = teacher.system
    cdef const GoldC* gold = &teacher.golds[sentence]
    cdef CostsC* costs = &verdict.costs
    cdef int nO = teacher.nO
    cdef int next_action = -1
    cdef int best_correct = -1
    cdef int best_wrong = -1
    cdef int least = 0
    cdef int step = n_arcs(system)
    cdef int moves, k, c, end, move, rank, only
    cdef bint right
    if teacher.oracle.next_move != NULL:
        next_action = teacher.oracle.next_move(teacher.system, st, gold)
    memset(correct, 0, n_candidates * nO)
    if valid != NULL:
        memset(valid, 0, n_candidates * nO)
    for k in range(n_candidates):
        moves = correct_moves(teacher, st, gold, next_action, candidates[k].focus, costs)
        move = lowest_bit(moves)
        if move >= 0:
            rank = RANKS * costs.cost[move] + costs.tie_cost[move]
            if best_correct >= 0 and rank < least:
                # Better than at the foci before: nothing there is correct.
                memset(correct, 0, k * nO)
                best_wrong = better(candidates, nO, best_wrong, best_correct)
                best_correct = -1
            elif best_correct >= 0 and rank > least:
                moves = 0
            if best_correct < 0:
                least = rank
        for move in range(system.n_moves):
            if not costs.valid[move]:
                continue
            right = moves >> move & 1
            only = -1
            if costs.gold_arc[move] and costs.gold_label[move] >= 0:
                only = class_of(system, move, costs.gold_label[move])
            c = move
            end = end_of_classes(system, move, nO)
            while c < end:
                if right and (only < 0 or c == only):
                    correct[k * nO + c] = True
                    best_correct = better(candidates, nO, best_correct, k * nO + c)
                else:
                    best_wrong = better(candidates, nO, best_wrong, k * nO + c)
                if valid != NULL:
                    valid[k * nO + c] = True
                c += step
    verdict.best_correct = best_correct
    verdict.best_wrong = best_wrong


cdef inline int better(
    const CandidateC* candidates, int nO, int held, int choice
) noexcept nogil:
    """The choice that scores better; that of the lower number where they tie; -1 is none."""
    cdef float held_score, score
    if held < 0 or choice < 0:
        return choice if held < 0 else held
    held_score = candidates[held // nO].scores[held % nO]
    score = candidates[choice // nO].scores[choice % nO]
    if score > held_score or (score == held_score and choice < held):
        return choice
    return held


cdef bint follow_oracle(TeacherC* teacher) noexcept nogil:
    return teacher.p_model < 1 and next_fraction(&teacher.random) >= teacher.p_model


cdef int label_to_teach(
    const TeacherC* teacher, int sentence, int head, int dependent
) noexcept nogil:
    cdef const GoldC* gold = &teacher.golds[sentence]
    if teacher.oracle == NULL or teacher.skip[sentence] or gold.head[dependent] != head:
        return -1
    return gold.label[dependent]


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
    """Whether there is something to learn: a known head, in a sentence that is not too long for the
    oracle and has a derivation if the oracle is static. The oracle counts what it cannot teach."""
    cdef int d = 0
    while d < gold.n and gold.head[d] == UNKNOWN_HEAD:
        d += 1
    if d == gold.n:
        return False
    if gold.n > oracle.max_words:
        oracle.counts.too_long += 1
        return False
    if oracle.next_move != NULL and not derivable(oracle, system, st, gold):
        oracle.counts.underivable += 1
        return False
    return True


cdef class Teacher:
    """The gold trees of a batch, with the oracle that says what they teach.

    oracle: None teaches nothing; a static oracle is always followed, and sentences that it cannot derive
    are left out, as are those that are too long for the oracle. lengths: (n_sentences,), those of the
    batch. gold_heads, gold_labels: (N,), heads within the sentence, -1 root, -2 unknown; label ids, -1
    unknown. p_model: probability of following the model.
    """

    def __cinit__(
        self, Batch batch not None, Oracle oracle, const int[::1] lengths not None,
        const int[::1] gold_heads not None, const int[::1] gold_labels not None, double p_model,
        uint64_t seed,
    ):
        cdef Pool mem = Pool()
        cdef int n_sentences = lengths.shape[0]
        cdef int longest = max(lengths, default=0)
        cdef StateC free
        cdef int first = 0
        cdef int s, n
        batch.check()
        check_lengths(lengths, batch.n_words, MAX_WORDS)
        for s in range(n_sentences):
            if s >= batch.n_sentences or lengths[s] != batch.sentences[s].n:
                raise unfit("lengths", "others", "those that the batch was made with")
        check_heads("gold_heads", gold_heads, lengths)
        check_shape("gold_labels", gold_labels, batch.n_words)
        check_values("gold_labels", gold_labels, -1, class_label(batch.c_system, batch.scorer.nO - 1))
        if oracle is not None:
            oracle.check(batch.system)
        self.mem = mem
        self.oracle = oracle
        self.c.oracle = NULL
        if oracle is not None:
            self.c.oracle = &oracle.c
        self.c.system = batch.c_system
        self.c.nO = batch.scorer.nO
        self.c.random = seed
        self.c.p_model = p_model
        if oracle is not None and oracle.c.next_move != NULL:
            self.c.p_model = 0
        self.c.golds = <GoldC*>mem.alloc(n_sentences + 1, sizeof(GoldC))
        self.c.skip = <bint*>mem.alloc(n_sentences + 1, sizeof(bint))
        state_init(
            &free, batch.c_system, mem.alloc(1, state_bytes(batch.c_system, longest)), longest
        )
        for s in range(n_sentences):
            n = lengths[s]
            gold_carve(&self.c.golds[s], mem.alloc(1, gold_bytes(n)), n)
            if n > 0:
                memcpy(self.c.golds[s].head, &gold_heads[first], n * sizeof(int))
                memcpy(self.c.golds[s].label, &gold_labels[first], n * sizeof(int))
            gold_index(&self.c.golds[s])
            if oracle is not None:
                self.c.skip[s] = not worth_it(
                    &oracle.c, batch.c_system, &free, &self.c.golds[s]
                )
            first += n
