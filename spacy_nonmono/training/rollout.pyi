import numpy as np
from numpy.typing import NDArray

from ..decoding.neural_batch import NeuralBatch
from ..oracles.oracle import Oracle

def rollout(
    batch: NeuralBatch,
    oracle: Oracle | None,
    lengths: NDArray[np.int32],
    gold_heads: NDArray[np.int32],
    gold_labels: NDArray[np.int32],
    p_model: float,
    seed: int,
) -> tuple[
    NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int32]
]: ...
