import numpy as np
from numpy.typing import NDArray

from ..decoding.batch import Batch
from ..oracles.oracle import Oracle

class Teacher:
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
