"""Derivations in C: made from gold trees, and followed by oracles that are counted or timed.

The trees of S sentences come as flat arrays: lengths (S,); heads (N,) within the sentence, -1 root,
-2 unknown; labels (N,), ids, -1 unknown. Derivations of the first S' sentences, T transitions in all:
n_moves (S',); moves (T, 3): focus (0 but in list systems), number of the move, label of the arc.
"""

from cpython.exc cimport PyErr_CheckSignals
from cymem.cymem cimport Pool
from libc.limits cimport INT_MAX
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy
from libcpp.vector cimport vector

from ..oracles.oracle cimport (
    CostsC, Oracle, OracleC, StaticOracle, get_costs, gold_bytes, gold_carve, gold_index,
    rebuilds_gold,
)
from ..training.splitmix cimport next_fraction, next_random
from ..state cimport find_foci, state_bytes, state_init, state_reset
from ..structs cimport GoldC, StateC, SystemC
from ..transitions.moves cimport action_focus, action_move, action_of, make_action

import numpy

from ..errors import Errors
from ..shapes import check_at_least, check_heads, check_lengths, check_shape, check_values

cdef extern from *:
    """
    #include <chrono>

    static int64_t nanoseconds() {
        return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
    }
    """
    int64_t nanoseconds() noexcept nogil

cdef enum:
    N_COLUMNS = 3             # of `moves`


cdef class _Walker:
    """Room for one sentence: its configuration and its gold tree."""
    cdef Pool mem
    cdef StateC st
    cdef GoldC gold
    cdef const SystemC* system
    cdef int first            # of the words of the next sentence

    def __cinit__(
        self, Oracle oracle not None, const int[::1] lengths not None,
        const int[::1] heads not None, const int[::1] labels,
    ):
        cdef int longest = max(lengths, default=0)
        oracle.check(oracle.system)
        check_lengths(lengths, heads.shape[0], oracle.c.max_words)
        check_heads("heads", heads, lengths)
        if labels is not None:
            check_shape("labels", labels, heads.shape[0])
        self.mem = Pool()
        self.system = oracle.c_system
        state_init(
            &self.st, self.system, self.mem.alloc(1, state_bytes(self.system, longest)), longest
        )
        gold_carve(&self.gold, self.mem.alloc(1, gold_bytes(longest)), longest)

    cdef int start(self, int n, const int[::1] heads, const int[::1] labels) except -1:
        """The initial configuration of the next sentence. No labels: none are scored."""
        cdef int w
        PyErr_CheckSignals()
        self.gold.n = n
        for w in range(n):
            self.gold.head[w] = heads[self.first + w]
            self.gold.label[w] = labels[self.first + w] if labels is not None else -1
        gold_index(&self.gold)
        state_reset(&self.st, n)
        self.system.start(&self.st)
        self.first += n
        return 0

    cdef int check_moves(
        self, const int[::1] lengths, const int[:, ::1] moves, const int[::1] n_moves
    ) except -1:
        """Raises ValueError unless each derivation can be made from its start; they are made later."""
        cdef StateC* st = &self.st
        cdef int s, first, n_foci, focus, move
        cdef Py_ssize_t end
        cdef Py_ssize_t t = 0
        check_shape("moves", moves, moves.shape[0], N_COLUMNS)
        check_lengths(n_moves, moves.shape[0], INT_MAX)
        check_at_least("lengths", lengths, 0, n_moves.shape[0])
        for s in range(n_moves.shape[0]):
            state_reset(st, lengths[s])
            self.system.start(st)
            end = t + n_moves[s]
            while t < end:
                n_foci = find_foci(self.system, st, &first)
                focus = moves[t, 0]
                move = moves[t, 1]
                if (
                    not first <= focus < first + n_foci
                    or not 0 <= move < self.system.n_moves
                    or not self.system.is_valid(st, focus, move)
                ):
                    raise ValueError(Errors.NM027.format(t=t, move=move, focus=focus))
                self.system.apply(st, focus, move, moves[t, 2])
                t += 1
        return 0


cdef int check_costs(Oracle oracle) except -1:
    """Raises ValueError for a static oracle, which has none."""
    if oracle is not None and oracle.c.next_move != NULL:
        raise ValueError(Errors.NM010.format(system=oracle.system.name))
    return 0


def rebuilds(
    StaticOracle oracle not None, const int[::1] lengths not None, const int[::1] heads not None
):
    """(S,), bool: does the static derivation of the tree end, and with exactly the gold heads?"""
    cdef int S = lengths.shape[0]
    cdef _Walker walker = _Walker(oracle, lengths, heads, None)
    rebuilt = numpy.zeros(S, dtype="bool")
    cdef unsigned char[::1] view = rebuilt.view("u1")
    cdef int s
    for s in range(S):
        walker.start(lengths[s], heads, None)
        with nogil:
            view[s] = rebuilds_gold(&oracle.c, walker.system, &walker.st, &walker.gold)
    return rebuilt


cdef int random_action(const SystemC* system, const StateC* st, uint64_t* random) noexcept nogil:
    """A valid move at one of the foci, all alike; -1: none."""
    cdef int first, focus, move
    cdef int n_foci = find_foci(system, st, &first)
    cdef int n = 0
    cdef int chosen = -1
    for focus in range(first, first + n_foci):
        for move in range(system.n_moves):
            if system.is_valid(st, focus, move):
                n += 1
                if next_random(random) % n == 0:
                    chosen = action_of(focus, move)
    return chosen


cdef int first_optimal(
    const OracleC* oracle, const SystemC* system, const StateC* st, const GoldC* gold
) noexcept nogil:
    """The first of the best moves at all foci; a static oracle's own. -1: none."""
    cdef CostsC costs
    cdef int first, focus, move
    cdef int n_foci = find_foci(system, st, &first)
    cdef int chosen = -1
    cdef int cost = 0
    cdef int tie_cost = 0
    if oracle.next_move != NULL:
        return oracle.next_move(system, st, gold)
    for focus in range(first, first + n_foci):
        get_costs(oracle, system, st, focus, gold, &costs)
        for move in range(system.n_moves):
            if costs.valid[move] and (
                chosen < 0
                or costs.cost[move] < cost
                or (costs.cost[move] == cost and costs.tie_cost[move] < tie_cost)
            ):
                chosen = action_of(focus, move)
                cost = costs.cost[move]
                tie_cost = costs.tie_cost[move]
    return chosen


cdef int gold_label(
    const SystemC* system, const StateC* st, const GoldC* gold, int action
) noexcept nogil:
    """The label of the arc that the move builds, if it is gold; -1: none."""
    cdef int h, d
    if action_move(action) < system.n_plain:
        return -1
    system.arc(st, action_focus(action), action_move(action), &h, &d)
    return gold.label[d] if h >= 0 and gold.head[d] == h else -1


cdef int walk_sentence(
    const OracleC* oracle, const SystemC* system, StateC* st, const GoldC* gold, double p_random,
    uint64_t* random, size_t limit, vector[int]* rows
) noexcept nogil:
    """Returns the number of moves that it made."""
    cdef int action, label
    cdef int n_moves = 0
    while rows.size() < limit * N_COLUMNS:
        if next_fraction(random) < p_random:
            action = random_action(system, st, random)
        else:
            action = first_optimal(oracle, system, st, gold)
        if action < 0:
            break
        # An arc that is not gold is as wrong with any label
        label = gold_label(system, st, gold, action)
        rows.push_back(action_focus(action))
        rows.push_back(action_move(action))
        rows.push_back(label)
        make_action(system, st, action, label)
        n_moves += 1
    return n_moves


def walk(
    Oracle oracle, const int[::1] lengths not None, const int[::1] heads not None,
    const int[::1] labels, double p_random, uint64_t seed, size_t limit,
):
    """Derivations that follow an oracle, and stray from it: (moves, n_moves).

    p_random: probability of a random valid move, instead of the first optimal one; 0 with a static
    oracle, which soon has no next move elsewhere. Arcs between a word and its gold head get the gold
    label. limit: transitions in all; the last derivation may break off.
    """
    cdef _Walker walker = _Walker(oracle, lengths, heads, labels)
    cdef vector[int] rows
    cdef vector[int] n_moves
    cdef int s
    for s in range(lengths.shape[0]):
        if rows.size() >= limit * N_COLUMNS:
            break
        walker.start(lengths[s], heads, labels)
        with nogil:
            n_moves.push_back(walk_sentence(
                &oracle.c, walker.system, &walker.st, &walker.gold, p_random, &seed, limit, &rows
            ))
    return to_array(rows).reshape(-1, N_COLUMNS), to_array(n_moves)


def find_losses(
    Oracle oracle, const int[::1] lengths not None, const int[::1] heads not None,
    const int[:, ::1] moves not None, const int[::1] n_moves not None,
):
    """(T,), int32: the loss, labels not scored, of the configuration before every transition."""
    cdef _Walker walker = _Walker(oracle, lengths, heads, None)
    check_costs(oracle)
    walker.check_moves(lengths, moves, n_moves)
    losses = numpy.zeros(moves.shape[0], dtype="i")
    cdef int[::1] view = losses
    cdef int s
    cdef Py_ssize_t t = 0
    cdef Py_ssize_t end
    for s in range(n_moves.shape[0]):
        walker.start(lengths[s], heads, None)
        end = t + n_moves[s]
        with nogil:
            while t < end:
                view[t] = oracle.c.loss(&oracle.c, &walker.st, &walker.gold)
                walker.system.apply(&walker.st, moves[t, 0], moves[t, 1], moves[t, 2])
                t += 1
    return losses


cdef void get_all_costs(
    const OracleC* oracle, const SystemC* system, const StateC* st, const GoldC* gold, CostsC* costs
) noexcept nogil:
    """The costs of all moves at all foci; those at the last one stay in `costs`."""
    cdef int first, focus
    cdef int n_foci = find_foci(system, st, &first)
    for focus in range(first, first + n_foci):
        get_costs(oracle, system, st, focus, gold, costs)


def time_costs(
    Oracle oracle, const int[::1] lengths not None, const int[::1] heads not None,
    const int[::1] labels, const int[:, ::1] moves not None, const int[::1] n_moves not None,
    const int[::1] timed not None, double seconds,
):
    """What the costs of all moves at all foci take: (times, capped), (K,).

    timed: (K,), the transitions to time, in ascending order. seconds: when the times add up to more,
    the others are left out.

    times: int64, nanoseconds; a reading of the clock is part of each (some 20 ns). capped: bool, whether
    the oracle gave a search up.
    """
    cdef _Walker walker = _Walker(oracle, lengths, heads, labels)
    check_costs(oracle)
    walker.check_moves(lengths, moves, n_moves)
    cdef CostsC costs
    times = numpy.zeros(timed.shape[0], dtype="int64")
    capped = numpy.zeros(timed.shape[0], dtype="bool")
    cdef int64_t[::1] times_view = times
    cdef unsigned char[::1] capped_view = capped.view("u1")
    cdef double left = seconds * 1e9
    cdef int64_t start
    cdef int64_t cap_hits
    cdef int s
    cdef Py_ssize_t k = 0
    cdef Py_ssize_t t = 0
    cdef Py_ssize_t end
    for s in range(n_moves.shape[0]):
        walker.start(lengths[s], heads, labels)
        end = t + n_moves[s]
        with nogil:
            while t < end and k < timed.shape[0] and left >= 0:
                if t == timed[k]:
                    cap_hits = oracle.counts.cap_hits
                    start = nanoseconds()
                    get_all_costs(&oracle.c, walker.system, &walker.st, &walker.gold, &costs)
                    times_view[k] = nanoseconds() - start
                    capped_view[k] = oracle.counts.cap_hits > cap_hits
                    left -= times_view[k]
                    k += 1
                walker.system.apply(&walker.st, moves[t, 0], moves[t, 1], moves[t, 2])
                t += 1
    return times[:k], capped[:k]


def find_costs(
    Oracle oracle, const int[::1] lengths not None, const int[::1] heads not None,
    const int[::1] labels, const int[:, ::1] moves not None, const int[::1] n_moves not None,
    Py_ssize_t every=1, Py_ssize_t n_walks=1,
):
    """(ceil(T / every), n_moves, 2), int32: cost and tie cost of all moves before the transitions 0,
    every, 2 * every and so on; -1: not valid.

    List systems: at the focus of the transition. One configuration and one
    gold tree go through each derivation, as in rollouts, n_walks times from its start.
    """
    cdef _Walker walker = _Walker(oracle, lengths, heads, labels)
    check_costs(oracle)
    check_values("every", every, 1, INT_MAX)
    walker.check_moves(lengths, moves, n_moves)
    cdef CostsC costs
    cdef int n_each = oracle.c_system.n_moves
    found = numpy.full(((moves.shape[0] + every - 1) // every, n_each, 2), -1, dtype="i")
    cdef int[:, :, ::1] view = found
    cdef int s, move
    cdef Py_ssize_t start = 0
    cdef Py_ssize_t t, end
    for s in range(n_moves.shape[0]):
        walker.start(lengths[s], heads, labels)
        end = start + n_moves[s]
        with nogil:
            for _ in range(n_walks):
                state_reset(&walker.st, lengths[s])
                walker.system.start(&walker.st)
                for t in range(start, end):
                    if t % every == 0:
                        get_costs(
                            &oracle.c, walker.system, &walker.st, moves[t, 0], &walker.gold, &costs
                        )
                        for move in range(n_each):
                            if costs.valid[move]:
                                view[t // every, move, 0] = costs.cost[move]
                                view[t // every, move, 1] = costs.tie_cost[move]
                    walker.system.apply(&walker.st, moves[t, 0], moves[t, 1], moves[t, 2])
        start = end
    return found


cdef to_array(vector[int]& values):
    cdef int[::1] array = numpy.empty(values.size(), dtype="i")
    if values.size() > 0:
        memcpy(&array[0], values.data(), values.size() * sizeof(int))
    return numpy.asarray(array)
