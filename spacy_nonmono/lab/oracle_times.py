"""What the oracles cost: microseconds a transition in training, and at given sentence lengths.

A time is that of the costs of all valid moves of a configuration, of a list system those at all foci,
by the wall clock. On a busy machine the mean and the 99th percentile hold what other processes took; the
median does not.

A row takes about ten seconds at most: of a slow oracle fewer transitions are timed, drawn at random from
all of them, and it has no figures if even a few take too long.
"""

from collections.abc import Sequence
from itertools import cycle, pairwise
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from ..oracles.oracle import Oracle, StaticOracle
from ..oracles.registry import get_oracle, list_oracles
from ..shapes import UNKNOWN_HEAD
from ..tokens.projectivity import crossing_arcs
from ..transitions.registry import get_system, list_systems
from ..transitions.system import TransitionSystem
from .oracle_report import (
    N_TRANSITIONS,
    UNKNOWN_LABEL,
    Moves,
    Trees,
    cut_moves,
    make_trees,
)
from .replay import time_costs, walk

P_RANDOM = 0.1
N_TIMED = 10_000  # transitions timed at each sentence length
N_PILOT = 50  # timed first
SECONDS = 5.0  # at most, for these and for the others
LENGTHS = (10, 100, 1000)
# An oracle of cubic time is too slow to be led by in sentences of so many words
LONG = 200


class Time(TypedDict):
    """What an oracle costs in sentences of one length, or in those of a treebank."""

    system: str
    oracle: str
    n_words: int | None  # of every sentence; None: those of the treebank
    transitions: int  # timed
    mean: float | None  # microseconds; None: the oracle is too slow
    median: float | None
    p99: float | None
    cap_hits: float | None  # share of transitions where a cap ended a search; None: no searches


def dynamic_oracles(system: TransitionSystem) -> list[Oracle]:
    """Return all oracles of a system that compute costs. The default is the first if it does so."""
    oracles = [get_oracle(name, system) for name in list_oracles(system.name)]
    return [oracle for oracle in oracles if not isinstance(oracle, StaticOracle)]


def guide(system: TransitionSystem, n_words: int = 0) -> Oracle:
    """Return the oracle that walks follow in sentences of `n_words` words.

    It is the lower bound, which is fast, if the system has it, else the default oracle. In long
    sentences it is the static oracle if the other one is slow.
    """
    oracles = dynamic_oracles(system)
    chosen = next((oracle for oracle in oracles if oracle.name == "lower"), oracles[0])
    return get_oracle("static", system) if chosen.is_cubic and n_words >= LONG else chosen


def systems_to_walk() -> list[TransitionSystem]:
    """Return all systems that have a dynamic oracle."""
    return [system for system in map(get_system, list_systems()) if dynamic_oracles(system)]


def times(
    trees: Trees,
    *,
    system: TransitionSystem | None = None,
    moves: Moves | None = None,
    n_transitions: int = N_TRANSITIONS,
    seed: int = 0,
) -> list[Time]:
    """Measure how long each oracle takes for the costs of all moves, per transition, with labels.

    system, moves: a model's, of the trees' sentences; by default walks of every system, with a
    random valid move at probability 0.1.
    """
    rows = []
    for each in systems_to_walk() if system is None else filter(dynamic_oracles, [system]):
        if moves is None:
            followed = _walk(guide(each), trees, n_transitions, seed)
        else:
            followed = cut_moves(moves, n_transitions)
        rows += [_time(oracle, trees, followed) for oracle in dynamic_oracles(each)]
    return rows


def times_by_length(
    trees: Trees,
    *,
    lengths: Sequence[int] = LENGTHS,
    n_timed: int = N_TIMED,
    seed: int = 0,
) -> list[Time]:
    """Measure the times of every system in sentences of given lengths, on walks.

    The sentences are chains of the treebank's projective trees, without labels. Where they have more
    than `n_timed` transitions, so many are timed at most; fewer of a slow oracle. From 200 words on,
    systems with an oracle of cubic time do not stray from their static derivations.
    """
    rows = []
    for n_words in lengths:
        chains = chain(trees, n_words, max(1, n_timed // (2 * n_words)))
        for system in systems_to_walk():
            limit = len(chains.heads_N) * (n_words + 4)
            moves = _walk(guide(system, n_words), chains, limit, seed)
            rows += [
                _time(oracle, chains, moves, n_words, n_timed) for oracle in dynamic_oracles(system)
            ]
    return rows


def chain(trees: Trees, n_words: int, n_sentences: int) -> Trees:
    """Make projective trees of exactly `n_words` words, each of several trees of a treebank.

    The first root of a tree is its only root: each other one gets the root before it as its head.

    The last tree is cut off; words that lose their head go to the next ancestor that is left. Sentences
    that are not fully annotated or not projective are left out; without any other, words form chains.
    """
    usable = [heads for heads in trees.heads() if -1 in heads and UNKNOWN_HEAD not in heads]
    supply = cycle([heads for heads in usable if not crossing_arcs(heads)] or [[-1]])
    chained: list[int] = []
    for _ in range(n_sentences):
        heads: list[int] = []
        while len(heads) < n_words:
            start = len(heads)
            heads += [start + head if head >= 0 else -1 for head in next(supply)]
        cut: list[int] = []
        for head in heads[:n_words]:
            while head >= n_words:
                head = heads[head]
            cut.append(head)
        for before, root in pairwise([word for word, head in enumerate(cut) if head == -1]):
            cut[root] = before
        chained += cut
    labels = [UNKNOWN_LABEL] * len(chained)
    return make_trees([n_words] * n_sentences, chained, labels, trees.label_ids)


def _walk(oracle: Oracle, trees: Trees, limit: int, seed: int) -> Moves:
    # Off its path a static oracle soon has no next move
    p_random = 0.0 if isinstance(oracle, StaticOracle) else P_RANDOM
    return Moves(
        *walk(oracle, trees.lengths_S, trees.heads_N, trees.labels_N, p_random, seed, limit)
    )


def _time(
    oracle: Oracle,
    trees: Trees,
    moves: Moves,
    n_words: int | None = None,
    n_timed: int | None = None,
) -> Time:
    """Time an oracle on derivations. n_timed: the largest number of transitions to time; None: all."""
    n_moves = len(moves.moves_T)
    n_timed = n_moves if n_timed is None else min(n_timed, n_moves)
    n_next = min(n_timed, N_PILOT)
    nanoseconds, capped = _measure(oracle, trees, moves, 0)
    # A few, to see how many more can be timed: half as many as should fit, the others may be slower
    while n_next > len(nanoseconds):
        more = _measure(oracle, trees, moves, n_next)
        if len(more[0]) < n_next:
            break
        nanoseconds, capped = more
        n_affordable = int(SECONDS / 2 * 1e9 / max(1, nanoseconds.mean()))
        n_next = min(n_timed, n_affordable, 10 * n_next)
    times: list[float | None] = [None, None, None]
    if len(nanoseconds):
        values = (nanoseconds.mean(), *np.percentile(nanoseconds, (50, 99)))
        times = [float(value) / 1000 for value in values]
    return Time(
        system=oracle.system.name,
        oracle=oracle.name,
        n_words=n_words,
        transitions=len(nanoseconds),
        mean=times[0],
        median=times[1],
        p99=times[2],
        cap_hits=float(capped.mean()) if len(capped) and oracle.searches else None,
    )


def _measure(
    oracle: Oracle, trees: Trees, moves: Moves, n_timed: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return how long `n_timed` transitions take, and where the oracle gave up.

    The arrays are shorter if the transitions take too long.

    They are drawn: every k-th one might always be the first one of a sentence.
    """
    n_moves = len(moves.moves_T)
    drawn = np.random.default_rng(0).choice(n_moves, n_timed, replace=False)
    return time_costs(
        oracle,
        trees.lengths_S,
        trees.heads_N,
        trees.labels_N,
        moves.moves_T,
        moves.n_moves_S,
        np.sort(drawn).astype("i"),
        SECONDS,
    )
