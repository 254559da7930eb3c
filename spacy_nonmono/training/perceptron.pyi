import numpy as np
from numpy.typing import NDArray

from ..decoding.linear_batch import LinearBatch
from ..oracles.oracle import Oracle
from ..scoring.templates import Templates
from ..scoring.weights import Weights

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
) -> int:
    """Parse the sentences of a batch, learning from every mistake at once.

    weights: those of the batch. C: the longest step of MIRA; 0 for the perceptron. The other arguments
    are those of `Teacher`. Returns the number of configurations in which the best choice was wrong.
    """

def learn_starts(
    templates: Templates,
    weights: Weights,
    matrix: NDArray[np.uint64],
    lengths: NDArray[np.int32],
    starts: NDArray[np.int32],
    C: float,
) -> int:
    """Learn which words start a sentence: those with a positive score.

    matrix: (N, n_columns), mixed. lengths: words of each doc. starts: (N,) 1 starts a sentence, -1 does
    not, 0 unknown. The first word of a doc teaches nothing. Returns the number of mistakes.
    """

def learn_roots(
    templates: Templates,
    weights: Weights,
    matrix: NDArray[np.uint64],
    lengths: NDArray[np.int32],
    gold_heads: NDArray[np.int32],
    C: float,
) -> int:
    """Learn which word is the root of a sentence: that with the highest score.

    matrix: (N, n_columns), mixed. lengths: words of each sentence. gold_heads: (N,), -1 for a root.
    Sentences of which not exactly one word is known to be the root teach nothing. Returns the number of
    mistakes.
    """
