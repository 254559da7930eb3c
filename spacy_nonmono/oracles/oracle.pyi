from collections.abc import Sequence

from ..state import State
from ..transitions.system import Move, TransitionSystem

class Gold:
    def __init__(
        self, state: State, heads: Sequence[int | None], labels: Sequence[str | None] | None
    ) -> None: ...

class Oracle:
    def __init__(self, system: TransitionSystem) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def system(self) -> TransitionSystem: ...
    @property
    def is_cubic(self) -> bool:
        """Whether costs take cubic time in the words of the sentence."""
    @property
    def max_words(self) -> int: ...
    @property
    def searches(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def cap_hits(self) -> int: ...
    @property
    def underivable(self) -> int: ...
    @property
    def too_long(self) -> int: ...
    def costs(
        self,
        state: State,
        gold_heads: Sequence[int | None],
        gold_labels: Sequence[str | None] | None = None,
        label: str | None = None,
    ) -> dict[Move, int]: ...
    def optimal(
        self,
        state: State,
        gold_heads: Sequence[int | None],
        gold_labels: Sequence[str | None] | None = None,
    ) -> list[Move]: ...
    def loss(
        self,
        state: State,
        gold_heads: Sequence[int | None],
        gold_labels: Sequence[str | None] | None = None,
    ) -> int: ...

class StaticOracle(Oracle): ...
