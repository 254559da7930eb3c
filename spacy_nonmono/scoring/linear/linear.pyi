import numpy as np
from numpy.typing import NDArray

from ...state import State
from ...transitions.system import TransitionSystem
from .templates import Templates
from .weights import AveragedWeights, Weights

def mix_values(matrix: NDArray[np.uint64]) -> None: ...

def window_scores(
    templates: Templates,
    weights: Weights | AveragedWeights,
    matrix: NDArray[np.uint64],
    lengths: NDArray[np.int32],
) -> NDArray[np.float32]: ...

def state_features(
    templates: Templates,
    system: TransitionSystem,
    state: State,
    matrix: NDArray[np.uint64],
    collocates: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None,
    focus: int = 0,
    collocate_window: int = 2,
) -> NDArray[np.uint64]: ...
