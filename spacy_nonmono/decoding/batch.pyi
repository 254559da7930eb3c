import numpy as np
from numpy.typing import NDArray

class Batch:
    @property
    def heads(self) -> NDArray[np.int32]:
        """(N,) head of each word within its sentence, -1 for a root."""
    @property
    def labels(self) -> NDArray[np.int32]:
        """(N,) label id of each word, -1 for none."""
    @property
    def scores(self) -> NDArray[np.float32] | None:
        """(N,) how likely the model finds the arc of each word; None where nobody asked for them."""
    @property
    def n_choices(self) -> int:
        """How many choices the last parse took; a move without an alternative is none."""
    def parse(self, *, scores: bool = False, worth: float = ...) -> None: ...
    def derivations(self) -> list[list[tuple[int, int, int, float]]]: ...
