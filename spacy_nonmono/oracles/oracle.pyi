from collections.abc import Sequence

from ..state import State
from ..transitions.system import Move, TransitionSystem

class Gold:
    """A gold tree in the form that the oracles read, made for one call."""

    def __init__(
        self, state: State, heads: Sequence[int | None], labels: Sequence[str | None] | None
    ) -> None: ...

class Oracle:
    """An oracle for one transition system, as `get_oracle` makes it.

    Gold heads are 0-based head indices, -1 for a root, None where unknown, without cycles; gold labels
    are strings, None where unknown, or None if labels are not scored.

    Raises ValueError (NM014) for a system that it does not know.
    """

    def __init__(self, system: TransitionSystem) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def system(self) -> TransitionSystem: ...
    @property
    def searches(self) -> int:
        """Losses computed by search or by counting cycles, since the oracle was made."""
    @property
    def nodes(self) -> int:
        """Steps of these searches."""
    @property
    def cap_hits(self) -> int:
        """Searches that were given up at their cap, so that a bound took the place of the loss."""
    def costs(
        self,
        state: State,
        gold_heads: Sequence[int | None],
        gold_labels: Sequence[str | None] | None = None,
        label: str | None = None,
    ) -> dict[Move, int]:
        """{move: loss after the move - loss before it} for every valid move.

        label: the label that arcs get; by default the best one.

        Raises ValueError: NM004, NM005, NM017 for a gold tree that does not fit the sentence, NM016 for
        one with a cycle, NM008 for a state of another system, NM019 for a sentence that is too long,
        NM010 for a static oracle.
        """
    def optimal(
        self,
        state: State,
        gold_heads: Sequence[int | None],
        gold_labels: Sequence[str | None] | None = None,
    ) -> list[Move]:
        """The moves that training treats as correct: least cost, ties broken by preference."""
    def loss(
        self,
        state: State,
        gold_heads: Sequence[int | None],
        gold_labels: Sequence[str | None] | None = None,
    ) -> int:
        """Number of words that get a wrong head at best from here on (for a bound, the bound)."""

class StaticOracle(Oracle):
    """Follows the one derivation of the gold tree that is defined for the system."""
