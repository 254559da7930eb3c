from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ...state import State
from ...transitions.system import TransitionSystem

def position_slots(names: Iterable[str]) -> NDArray[np.int32]: ...

def state_rows(
    system: TransitionSystem,
    state: State,
    slots: NDArray[np.int32],
    head_vectors: NDArray[np.float32],
    dep_vectors: NDArray[np.float32],
    root: NDArray[np.float32],
    distance: NDArray[np.float32],
    collocates: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None,
    focus: int = 0,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]: ...
