"""What the oracles cost: microseconds a transition in training, and at given sentence lengths.

A time is that of one call for the costs of all valid moves, by the wall clock. On a busy machine the
mean and the 99th percentile hold what other processes took; the median does not.
"""

from collections.abc import Sequence
from itertools import cycle, pairwise
from typing import TypedDict

import numpy as np

from ..oracles.oracle import Oracle, StaticOracle
from ..oracles.registry import ORACLES, get_oracle
from ..transitions.registry import get_system, list_systems
from ..transitions.system import TransitionSystem
from ..treebank.projectivity import crossing_arcs
from .oracle_report import (
    N_TRANSITIONS,
    UNKNOWN_HEAD,
    UNKNOWN_LABEL,
    Moves,
    Trees,
    cut,
    make_trees,
)
from .replay import time_costs, walk

P_RANDOM = 0.1
N_TIMED = 10_000  # transitions timed at each sentence length,
SECONDS = 10.0  # unless an oracle needs longer for them
N_PILOT = 100
LENGTHS = (10, 100, 1000)


class Time(TypedDict):
    system: str
    oracle: str
    n_words: int | None  # of every sentence; None: those of the treebank
    transitions: int
    mean: float  # microseconds
    median: float
    p99: float
    cap_hits: float | None  # searches that a cap ended, a transition; None: the oracle does not count


def dynamic_oracles(system: TransitionSystem) -> list[Oracle]:
    """All oracles of a system that tell costs; the default one is first if it is among them."""
    oracles = [get_oracle(name, system) for name in ORACLES.get(system.name, {})]
    return [oracle for oracle in oracles if not isinstance(oracle, StaticOracle)]


def guide(system: TransitionSystem) -> Oracle:
    """The oracle that walks follow: the default one, or the lower bound, which costs nothing."""
    oracles = dynamic_oracles(system)
    return next((oracle for oracle in oracles if oracle.name == "lower"), oracles[0])


def can_walk(system: TransitionSystem) -> bool:
    """Whether it has a dynamic oracle, and moves without a position."""
    return bool(dynamic_oracles(system)) and not getattr(system, "list_based", False)


def systems_to_walk() -> list[TransitionSystem]:
    return [system for system in map(get_system, list_systems()) if can_walk(system)]


def times(
    trees: Trees,
    *,
    system: TransitionSystem | None = None,
    moves: Moves | None = None,
    n_transitions: int = N_TRANSITIONS,
    seed: int = 0,
) -> list[Time]:
    """What the costs of all moves take in training, labels scored, a transition.

    system, moves: a model's, of the trees' sentences; by default walks of every system, with a
    random valid move at probability 0.1.
    """
    rows = []
    for each in systems_to_walk() if system is None else filter(can_walk, [system]):
        if moves is None:
            followed = _walk(each, trees, n_transitions, seed)
        else:
            followed = cut(moves, n_transitions)
        rows += [_time(oracle, trees, followed) for oracle in dynamic_oracles(each)]
    return rows


def times_by_length(
    trees: Trees,
    *,
    lengths: Sequence[int] = LENGTHS,
    n_timed: int = N_TIMED,
    seed: int = 0,
) -> list[Time]:
    """`times` of every system at given sentence lengths, on walks.

    The sentences are chains of the treebank's projective trees, without labels. Where they have more
    than `n_timed` transitions, so many are timed at most, evenly spread; fewer of a slow oracle.
    """
    rows = []
    for n_words in lengths:
        chains = chain(trees, n_words, max(1, n_timed // (2 * n_words)))
        for system in systems_to_walk():
            moves = _walk(system, chains, len(chains.heads_N) * (n_words + 4), seed)
            for oracle in dynamic_oracles(system):
                every = _spread(oracle, chains, moves, n_timed)
                rows.append(_time(oracle, chains, moves, n_words, every))
    return rows


def chain(trees: Trees, n_words: int, n_sentences: int) -> Trees:
    """Projective trees with one root, of exactly `n_words` words, each made of several: every root
    but the first hangs on the one before.

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
        chained += _hang_roots(_cut_tree(heads, n_words))
    labels = [UNKNOWN_LABEL] * len(chained)
    return make_trees([n_words] * n_sentences, chained, labels, trees.label_ids)


def _cut_tree(heads: list[int], n_words: int) -> list[int]:
    kept = []
    for head in heads[:n_words]:
        while head >= n_words:
            head = heads[head]
        kept.append(head)
    return kept


def _hang_roots(heads: list[int]) -> list[int]:
    hung = list(heads)
    roots = [word for word, head in enumerate(heads) if head == -1]
    for before, root in pairwise(roots):
        hung[root] = before
    return hung


def _walk(system: TransitionSystem, trees: Trees, limit: int, seed: int) -> Moves:
    arrays = trees.lengths_S, trees.heads_N, trees.labels_N
    return Moves(*walk(guide(system), *arrays, P_RANDOM, seed, limit))


def _spread(oracle: Oracle, trees: Trees, moves: Moves, n_timed: int) -> int:
    """The transitions to time are so far apart."""
    n_moves = len(moves.moves_T)
    pilot = _time(oracle, trees, moves, every=max(1, n_moves // N_PILOT))
    n_affordable = max(N_PILOT, int(SECONDS * 1e6 / max(pilot["mean"], 1e-3)))
    return max(1, -(-n_moves // min(n_timed, n_affordable)))


def _time(
    oracle: Oracle, trees: Trees, moves: Moves, n_words: int | None = None, every: int = 1
) -> Time:
    before = getattr(oracle, "cap_hits", None)
    nanoseconds = time_costs(
        oracle,
        trees.lengths_S,
        trees.heads_N,
        trees.labels_N,
        moves.moves_T,
        moves.n_moves_S,
        every,
    )

    def percentile(q: int) -> float:
        return float(np.percentile(nanoseconds, q)) / 1000 if len(nanoseconds) else 0.0

    cap_hits = None
    if before is not None:
        cap_hits = (getattr(oracle, "cap_hits", 0) - before) / max(1, len(nanoseconds))
    return Time(
        system=oracle.system.name,
        oracle=oracle.name,
        n_words=n_words,
        transitions=len(nanoseconds),
        mean=float(nanoseconds.mean()) / 1000 if len(nanoseconds) else 0.0,
        median=percentile(50),
        p99=percentile(99),
        cap_hits=cap_hits,
    )
