from typing import Any, TypeAlias

from ..state import State

POSITION_NAMES: tuple[str, ...]

# A name; in list systems a name and a focus
Move: TypeAlias = str | tuple[str, int]

class TransitionSystem:
    @property
    def name(self) -> str: ...
    @property
    def has_buffer(self) -> bool:
        """Whether it works with a stack and a buffer; Covington's systems do not."""
    @property
    def positions(self) -> tuple[str, ...]:
        """Names of the words that a scorer may look at."""
    @property
    def moves(self) -> tuple[str, ...]:
        """Names of the moves, in the order of their numbers."""
    @property
    def arc_moves(self) -> tuple[str, ...]: ...
    @property
    def options(self) -> dict[str, Any]: ...
    @property
    def list_based(self) -> bool: ...
    @property
    def single_root(self) -> bool: ...
    @property
    def projective(self) -> bool: ...
    def initial_state(self, n_words: int) -> State: ...
    def valid_moves(self, state: State) -> list[Move]: ...
    def apply(
        self, state: State, move: Move, label: str = "dep", insert_label: str = "dep"
    ) -> None: ...
    def heads(self, state: State) -> list[int]: ...
