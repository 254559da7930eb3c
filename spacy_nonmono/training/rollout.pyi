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
]:
    """Parse the sentences of a batch, following the model with probability `p_model` at each move.

    oracle: None records the model's own derivations, for rehearsal. lengths: (n_sentences,).
    gold_heads, gold_labels: (N,), heads within the sentence, -1 root, -2 unknown; label ids,
    -1 unknown.

    Returns what was recorded of the C configurations with a choice to learn, which have S places in
    all (one each, but in list systems): token rows (S, nF), atom rows (S, nK), valid and correct
    classes (S, nO), the number of places of each configuration (C,).
    """
