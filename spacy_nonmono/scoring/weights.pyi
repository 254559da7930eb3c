import numpy as np
from numpy.typing import NDArray

CELL: np.dtype[np.void]

class Weights:
    """Weights under training, none at first. A feature is a number, 0 stands for none."""

    def __init__(self) -> None: ...
    def __len__(self) -> int:
        """The number of features."""
    @staticmethod
    def from_averages(averages: AveragedWeights) -> Weights:
        """Weights whose current values are averages, to go on from."""
    def update(self, features: NDArray[np.uint64], c: int, delta: float) -> None:
        """Add `delta` to the weight of a class for every feature that is not 0. features: (n,)."""
    def tick(self) -> None:
        """One more example has been seen."""
    def scores(self, features: NDArray[np.uint64], n_classes: int) -> NDArray[np.float32]:
        """(n_classes,): the sums of the current weights of features (n,)."""
    def averages(self, min_updates: int = 0) -> AveragedWeights:
        """The averages over all examples seen.

        min_updates: features that have taken part in fewer updates are left out.
        """

class AveragedWeights:
    """Averaged weights.

    features: (F,) uint64. n_cells: (F,) uint16, number of cells of each feature. cells: (M,) of CELL,
    weights and classes, feature by feature.
    """

    def __init__(
        self, features: NDArray[np.uint64], n_cells: NDArray[np.uint16], cells: NDArray[np.void]
    ) -> None: ...
    @property
    def features(self) -> NDArray[np.uint64]: ...
    @property
    def n_cells(self) -> NDArray[np.uint16]: ...
    @property
    def cells(self) -> NDArray[np.void]: ...
    def __len__(self) -> int:
        """The number of features."""
    def scores(self, features: NDArray[np.uint64], n_classes: int) -> NDArray[np.float32]:
        """(n_classes,): the sums of the weights of features (n,)."""
