import numpy as np
from numpy.typing import NDArray

from ..oracles.oracle import Oracle, StaticOracle

Ints = NDArray[np.int32]

def rebuilds(oracle: StaticOracle, lengths: Ints, heads: Ints) -> NDArray[np.bool_]: ...

def walk(
    oracle: Oracle,
    lengths: Ints,
    heads: Ints,
    labels: Ints | None,
    p_random: float,
    seed: int,
    limit: int,
) -> tuple[Ints, Ints]: ...

def find_losses(
    oracle: Oracle, lengths: Ints, heads: Ints, moves: Ints, n_moves: Ints
) -> Ints: ...

def time_costs(
    oracle: Oracle,
    lengths: Ints,
    heads: Ints,
    labels: Ints | None,
    moves: Ints,
    n_moves: Ints,
    timed: Ints,
    seconds: float,
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]: ...

def find_costs(
    oracle: Oracle,
    lengths: Ints,
    heads: Ints,
    labels: Ints | None,
    moves: Ints,
    n_moves: Ints,
    every: int = 1,
    n_walks: int = 1,
) -> Ints: ...
