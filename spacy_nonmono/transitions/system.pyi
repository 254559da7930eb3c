from typing import Any, Literal, TypeAlias

from ..state import State

POSITION_NAMES: tuple[str, ...]

# A name; in list systems a name and a focus
Move: TypeAlias = str | tuple[str, int]

class TransitionSystem:
    @property
    def name(self) -> str: ...
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
    def kind(self) -> Literal["stack and buffer", "list", "pairs"]: ...
    @property
    def single_root(self) -> bool: ...
    @property
    def projective(self) -> bool: ...
    @property
    def limited(self) -> bool:
        """Whether it can build some of the trees with crossing arcs, not all."""
    @property
    def passing_moves(self) -> tuple[str, ...]:
        """Names of the moves that do nothing but pass by a pair of words."""
    @property
    def unshifting_moves(self) -> tuple[str, ...]:
        """Names of the moves that may put a word back to the buffer for a repair."""
    def initial_state(self, n_words: int) -> State: ...
    def valid_moves(self, state: State) -> list[Move]: ...
    def apply(self, state: State, move: Move, label: str = "dep") -> None: ...
    def arc(self, state: State, move: Move) -> tuple[int, int] | None: ...
    def attach(self, state: State, head: int, dependent: int, label: str | None = None) -> None: ...
    def heads(self, state: State) -> list[int]: ...
