import numpy as np
from numpy.typing import NDArray

from ..oracles.oracle import Oracle, StaticOracle

Ints = NDArray[np.int32]

def rebuilds(oracle: StaticOracle, lengths: Ints, heads: Ints) -> NDArray[np.bool_]:
    """(S,), bool: does the static derivation of the tree end, and with exactly the gold heads?

    lengths: (S,). heads: (N,), within the sentence, -1 root, -2 unknown.
    """

def walk(
    oracle: Oracle,
    lengths: Ints,
    heads: Ints,
    labels: Ints | None,
    p_random: float,
    seed: int,
    limit: int,
) -> tuple[Ints, Ints]:
    """Derivations that follow an oracle, and stray from it: (moves, n_moves).

    labels: (N,), ids, -1 unknown; None: labels are not scored. p_random: probability of a random
    valid move, instead of the first optimal one; 0 with a static oracle, which soon has no next move
    elsewhere. Arcs between a word and its gold head get the gold label. limit: transitions in all; the
    last derivation may break off.

    moves: (T, 3): move with its place, as one number: place * 7 + move; label of the arc; label that
    Shift keeps. n_moves: (S',), S' <= S.
    """

def find_losses(
    oracle: Oracle, lengths: Ints, heads: Ints, moves: Ints, n_moves: Ints
) -> Ints:
    """(T,), int32: the loss, labels not scored, of the configuration before every transition."""

def time_costs(
    oracle: Oracle,
    lengths: Ints,
    heads: Ints,
    labels: Ints | None,
    moves: Ints,
    n_moves: Ints,
    timed: Ints,
    seconds: float,
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """What the costs of all moves at all places take: (times, capped), (K,).

    timed: (K,), the transitions to time, in ascending order. seconds: when the times add up to more,
    the others are left out.

    times: nanoseconds; a reading of the clock is part of each (some 20 ns). capped: whether the oracle
    gave a search up.
    """

def find_costs(
    oracle: Oracle,
    lengths: Ints,
    heads: Ints,
    labels: Ints | None,
    moves: Ints,
    n_moves: Ints,
    every: int = 1,
    n_walks: int = 1,
) -> Ints:
    """(ceil(T / every), N_MOVES, 2), int32: cost and preference of all moves before the transitions 0,
    every, 2 * every and so on; -1: not valid.

    List systems: at the place of the transition, which is part of the move. One configuration and one
    gold tree go through each derivation, as in rollouts, n_walks times from its start.
    """
