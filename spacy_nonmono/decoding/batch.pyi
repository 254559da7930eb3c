import numpy as np
from numpy.typing import NDArray

class Batch:
    """Sentences ready to be decoded; a subclass for each kind of scorer."""

    @property
    def heads(self) -> NDArray[np.int32]:
        """(N,) head of each word within its sentence, -1 for a root."""
    @property
    def labels(self) -> NDArray[np.int32]:
        """(N,) label id of each word, -1 for none."""
    @property
    def scores(self) -> NDArray[np.float32] | None:
        """(N,) how likely the model finds the arc of each word; None where nobody asked for them."""
    def parse(self, *, scores: bool = False) -> None:
        """Decode; fills `heads` and `labels`.

        scores: whether to fill `scores` as well: of each word how likely the model finds its arc.

        Raises ValueError (NM056) if the model has no probabilities to tell.
        """
    def derivations(self) -> list[list[tuple[int, int, int, int, float]]]:
        """Decode; for each sentence its moves: (move, place, label, kept label, probability), the first
        four as numbers (labels: -1 for none)."""
