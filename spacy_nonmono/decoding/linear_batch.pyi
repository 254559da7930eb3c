import numpy as np
from numpy.typing import NDArray

from ..scoring.linear.templates import Templates
from ..scoring.linear.weights import AveragedWeights, Weights
from ..transitions.system import TransitionSystem
from .batch import Batch

class LinearBatch(Batch):
    def __init__(
        self,
        system: TransitionSystem,
        templates: Templates,
        weights: Weights | AveragedWeights,
        n_classes: int,
        lengths: NDArray[np.int32],
        matrix: NDArray[np.uint64],
        roots: NDArray[np.float32],
        collocates: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None,
        max_distance: int = 0,
        collocate_window: int = 2,
    ) -> None: ...
