import numpy as np
from numpy.typing import NDArray

def arc_loss(
    head_vectors: NDArray[np.float32],
    dep_vectors: NDArray[np.float32],
    root: NDArray[np.float32],
    distance: NDArray[np.float32],
    lengths: NDArray[np.int32],
    gold_heads: NDArray[np.int32],
    weight: float,
) -> tuple[
    float, NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]
]:
    """Cross-entropy of the gold heads of a batch of sentences, times `weight`, and its gradients.

    head_vectors, dep_vectors: (N, nA), the words of all sentences. lengths: (n_sentences,), sum N.
    gold_heads: (N,), index within the sentence, -1 root, anything below: unknown, skipped.
    Returns the loss and the gradients of head_vectors, dep_vectors, root and distance.
    """
