"""Tags as a second task for the vectors of the words, in training only."""

from typing import Any

import numpy
from thinc.api import Model, Optimizer, Softmax

from ..layers.fast_ops import with_fast_ops

# The classes that there is room for at first
ROOM = 64


class TagTask:
    """Learns to tell the tags of a word from its vector, so that the vector tells the parser, too
    (Søgaard & Goldberg 2016; Zhang & Weiss 2016). It knows the tags that it has seen; it is not saved.
    """

    def __init__(self) -> None:
        self._ids: dict[int, int] = {}
        self.scorer: Model | None = None

    def update(self, vectors: Any, tags: numpy.ndarray, weight: float) -> tuple[float, Any]:
        """Learn from the tags of words. Returns the loss, times `weight`, and the gradient of the
        vectors, as they are on their device.

        vectors: (n, width). tags: (n,) uint64, hashes; 0 is not annotated.
        """
        ids = [self._ids.setdefault(tag, len(self._ids)) for tag in tags[tags > 0].tolist()]
        scorer = self._make_room(vectors.shape[1])
        xp: Any = scorer.ops.xp
        known = xp.asarray(numpy.flatnonzero(tags))
        gradient = xp.zeros_like(vectors)
        if not ids:
            return 0.0, gradient
        probs, backprop = scorer(vectors[known], is_train=True)
        gold = xp.arange(len(ids)), xp.asarray(ids)
        loss = -weight * float(xp.log(probs[gold] + 1e-30).sum())
        probs[gold] -= 1.0
        gradient[known] = backprop(probs * weight)
        return loss, gradient

    def finish_update(self, sgd: Optimizer) -> None:
        """Apply the gradients."""
        if self.scorer is not None:
            self.scorer.finish_update(sgd)

    def _make_room(self, width: int) -> Model:
        """Return the scorer, with room for all tags that were seen."""
        old, room = self.scorer, ROOM
        while room < len(self._ids):
            room *= 2
        if old is not None and old.get_dim("nO") >= room:
            return old
        new: Model = with_fast_ops(Softmax(nO=room, nI=width))
        new.initialize()
        if old is not None:
            for name in ("W", "b"):
                weights: Any = new.get_param(name)
                weights[: old.get_dim("nO")] = old.get_param(name)
        self.scorer = new
        return new
