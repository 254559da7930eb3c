import numpy as np
from numpy.typing import NDArray

CELL: np.dtype[np.void]
MOST_CLASSES: int

class Weights:
    """Weights under training, none at first. A feature is a number, 0 stands for none."""

    def __init__(self) -> None: ...
    def __len__(self) -> int:
        """The number of features."""
    @property
    def n_classes(self) -> int:
        """The greatest class that was updated, plus 1."""
    @staticmethod
    def from_averages(averages: AveragedWeights) -> Weights:
        """Weights whose current values are averages, to go on from."""
    def update(self, features: NDArray[np.uint64], c: int, delta: float) -> None:
        """Add `delta` to the weight of a class for every feature that is not 0. features: (n,).

        Raises ValueError (NM037) for a class below 0 or above 65,535.
        """
    def tick(self) -> None:
        """One more example has been seen."""
    def scores(self, features: NDArray[np.uint64], n_classes: int) -> NDArray[np.float32]:
        """(n_classes,): the sums of the current weights of features (n,).

        Raises ValueError (NM036) if there are weights of more classes.
        """
    def averages(self, min_updates: int = 0) -> AveragedWeights:
        """The averages over all examples seen.

        min_updates: features that have taken part in fewer updates are left out.
        """

def check_room(weights: Weights | AveragedWeights, n_classes: int) -> None:
    """Raises ValueError (NM036) if a model of so many classes has no room for the weights."""

class AveragedWeights:
    """Averaged weights.

    features: (F,) uint64, each once, none of them 0. n_cells: (F,) uint16, number of cells of each
    feature, one at least. cells: (M,) of CELL, finite weights and their classes, feature by feature.
    n_classes: how many classes there are.

    Raises ValueError (NM037) where the arrays are not so or do not fit each other.
    """

    def __init__(
        self,
        features: NDArray[np.uint64],
        n_cells: NDArray[np.uint16],
        cells: NDArray[np.void],
        n_classes: int = 65536,
    ) -> None: ...
    @property
    def n_classes(self) -> int:
        """The greatest class with a weight, plus 1."""
    @property
    def features(self) -> NDArray[np.uint64]: ...
    @property
    def n_cells(self) -> NDArray[np.uint16]: ...
    @property
    def cells(self) -> NDArray[np.void]: ...
    def __len__(self) -> int:
        """The number of features."""
    def scores(self, features: NDArray[np.uint64], n_classes: int) -> NDArray[np.float32]:
        """(n_classes,): the sums of the weights of features (n,).

        Raises ValueError (NM036) if there are weights of more classes.
        """
