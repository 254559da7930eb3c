import numpy as np
from numpy.typing import NDArray

from ..decoding.linear_batch import LinearBatch
from ..oracles.oracle import Oracle
from ..scoring.linear.templates import Templates
from ..scoring.linear.weights import Weights

def learn_states(
    batch: LinearBatch,
    weights: Weights,
    oracle: Oracle,
    lengths: NDArray[np.int32],
    gold_heads: NDArray[np.int32],
    gold_labels: NDArray[np.int32],
    p_model: float,
    seed: int,
    C: float,
    until_correct: bool = False,
) -> int: ...

def learn_starts(
    templates: Templates,
    weights: Weights,
    matrix: NDArray[np.uint64],
    lengths: NDArray[np.int32],
    starts: NDArray[np.int32],
    C: float,
) -> int: ...

def learn_roots(
    templates: Templates,
    weights: Weights,
    matrix: NDArray[np.uint64],
    lengths: NDArray[np.int32],
    gold_heads: NDArray[np.int32],
    C: float,
) -> int: ...
