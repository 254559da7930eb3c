import numpy as np
from numpy.typing import NDArray
from thinc.api import Ops

from ..transitions.system import TransitionSystem

class Batch:
    """Sentences ready to be decoded.

    ops: thinc's CPU ops. lengths: (n_sentences,), words of each sentence, in the order of the rows.
    products: (N + 1, nF, nP * nH). heads, deps: (N, nA), the vectors of the arc scores. weights:
    the parameters "atoms", "bias", "out_W", "out_b", "root", "distance" by name. slots: indices of
    the positions. n_pieces: nP. max_distance: 0 is no bound.
    """

    def __init__(
        self,
        system: TransitionSystem,
        ops: Ops,
        lengths: NDArray[np.int32],
        products: NDArray[np.float32],
        heads: NDArray[np.float32],
        deps: NDArray[np.float32],
        weights: dict[str, NDArray[np.float32]],
        slots: NDArray[np.int32],
        n_pieces: int,
        max_distance: int = 0,
    ) -> None: ...
    @property
    def heads(self) -> NDArray[np.int32]:
        """(N,) head of each word within its sentence, -1 for a root."""
    @property
    def labels(self) -> NDArray[np.int32]:
        """(N,) label id of each word, -1 for none."""
    def parse(self) -> None:
        """Decode; fills `heads` and `labels`."""
    def derivations(self) -> list[list[tuple[int, int, int, int, float]]]:
        """Decode; for each sentence its moves: (move, place, label, kept label, probability), the first
        four as numbers (labels: -1 for none)."""
