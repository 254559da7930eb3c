import numpy as np
from numpy.typing import NDArray

from ..transitions.system import TransitionSystem
from .batch import Batch

class NeuralBatch(Batch):
    def __init__(
        self,
        system: TransitionSystem,
        lengths: NDArray[np.int32],
        products: NDArray[np.float32],
        head_vectors: NDArray[np.float32],
        dep_vectors: NDArray[np.float32],
        weights: dict[str, NDArray[np.float32]],
        slots: NDArray[np.int32],
        collocates: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None,
        max_distance: int = 0,
        pair_threshold: float = 0,
    ) -> None: ...
