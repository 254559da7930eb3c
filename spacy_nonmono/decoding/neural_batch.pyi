import numpy as np
from numpy.typing import NDArray

from ..transitions.system import TransitionSystem
from .batch import Batch

class NeuralBatch(Batch):
    """Sentences ready to be decoded.

    lengths: (n_sentences,), words of each sentence, in the order of the rows.
    products: (N + 1, nF, nP * nH). heads, deps: (N, nA), the vectors of the arc scores. weights:
    the parameters "atoms", "bias", "out_W", "out_b", "root", "distance" by name. slots: indices of
    the places that are looked at. n_pieces: nP. collocates: None, or where the collocates of each
    word begin (N + 1,) and which they are (M,), within the sentence. max_distance: 0 is no bound.

    Raises ValueError (NM020-NM022) if these do not fit each other.
    """

    def __init__(
        self,
        system: TransitionSystem,
        lengths: NDArray[np.int32],
        products: NDArray[np.float32],
        head_vectors: NDArray[np.float32],
        dep_vectors: NDArray[np.float32],
        weights: dict[str, NDArray[np.float32]],
        slots: NDArray[np.int32],
        n_pieces: int,
        collocates: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None,
        max_distance: int = 0,
    ) -> None: ...
