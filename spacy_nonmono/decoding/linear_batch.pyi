import numpy as np
from numpy.typing import NDArray

from ..scoring.templates import Templates
from ..scoring.weights import AveragedWeights, Weights
from ..transitions.system import TransitionSystem
from .batch import Batch

class LinearBatch(Batch):
    """Sentences ready to be decoded.

    weights: AveragedWeights, or Weights, which may change meanwhile. lengths: (n_sentences,), words of
    each sentence. matrix: (N, n_columns), mixed values of the words. roots: (N,), scores of the words as
    roots. collocates: None, or where the collocates of each word begin (N + 1,) and which they are (M,),
    within the sentence. max_distance: 0 is no bound.

    Raises ValueError (NM020-NM022, NM036) if these do not fit each other.
    """

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
    ) -> None: ...
