import numpy as np
from numpy.typing import NDArray

from ..state import State
from ..transitions.system import TransitionSystem
from .templates import Templates
from .weights import AveragedWeights, Weights

def mix_values(matrix: NDArray[np.uint64]) -> None:
    """Prepare the values of words (N, n_columns) for `Templates`, in place; 0 is a missing value."""

def window_scores(
    templates: Templates,
    weights: Weights | AveragedWeights,
    matrix: NDArray[np.uint64],
    lengths: NDArray[np.int32],
) -> NDArray[np.float32]:
    """(N,): the score of every word by what is around it in its doc or sentence.

    matrix: (N, n_columns), mixed. lengths: words of each doc or sentence.

    Raises ValueError (NM020, NM021, NM036) if these do not fit each other.
    """

def state_features(
    templates: Templates,
    system: TransitionSystem,
    state: State,
    matrix: NDArray[np.uint64],
    collocates: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None,
    focus: int = 0,
) -> NDArray[np.uint64]:
    """(n_templates,): the features of a configuration of a sentence of one word or more, 0 where a
    template does not fire.

    matrix: (n, n_columns), mixed. collocates: as for `LinearBatch`. place: of a list system.
    """
