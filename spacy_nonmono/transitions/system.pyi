from typing import Any, TypeAlias

from ..state import State

POSITION_NAMES: tuple[str, ...]

# A name; in list systems a name and a focus
Move: TypeAlias = str | tuple[str, int]

class TransitionSystem:
    """Base of the transition systems: what moves exist and what they do."""

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
    def list_based(self) -> bool:
        """Whether a move is a pair of a name and a position."""
    @property
    def single_root(self) -> bool:
        """Whether every output is one tree with one root, nothing left to attach."""
    @property
    def projective(self) -> bool:
        """Whether the arcs of an output never cross."""
    def initial_state(self, n_words: int) -> State:
        """The initial configuration for a sentence; that of no words is final.

        Raises ValueError: NM009 for a negative number, NM012 for one above a million.
        """
    def valid_moves(self, state: State) -> list[Move]:
        """The moves that the configuration allows, by name; empty when it is final.

        List systems: pairs of a name and a position, that of the left one of the two words in
        `state.pending`.
        """
    def apply(
        self, state: State, move: Move, label: str = "dep", insert_label: str = "dep"
    ) -> None:
        """Make a move, in place.

        move: as `valid_moves` gives it.
        label: the label of the arc, where the move builds one.
        insert_label: kept with a word that is shifted, for the arc that Reduce may insert
            (arc_eager_repair only).

        Raises ValueError (NM003) if the move is not valid.
        """
    def heads(self, state: State) -> list[int]:
        """The system's own output: a head a word, -1 for every root."""
