import numpy as np
from numpy.typing import NDArray

from ..decoding.batch import Batch
from ..oracles.oracle import Oracle

class Teacher:
    """The gold trees of a batch, and what an oracle makes of them.

    oracle: None teaches nothing; a static oracle is always followed, and sentences that it cannot
    derive are left out. lengths: (n_sentences,). gold_heads, gold_labels: (N,), heads within the
    sentence, -1 root, -2 unknown; label ids, -1 unknown. p_model: probability of following the model.
    """

    def __init__(
        self,
        batch: Batch,
        oracle: Oracle | None,
        lengths: NDArray[np.int32],
        gold_heads: NDArray[np.int32],
        gold_labels: NDArray[np.int32],
        p_model: float,
        seed: int,
    ) -> None: ...
