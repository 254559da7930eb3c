from collections.abc import Hashable
from typing import Never

class State:
    """A configuration, as `TransitionSystem.initial_state` makes it. Words are 0-based."""

    def __new__(cls) -> Never: ...
    @property
    def system(self) -> str:
        """Name of the transition system that the state belongs to."""
    @property
    def n_words(self) -> int: ...
    @property
    def heads(self) -> list[int]:
        """Head of every word, -1 for a root or a word not attached."""
    @property
    def labels(self) -> list[str]:
        """Label of the arc to the head of every word, "" where there is no arc."""
    @property
    def stack(self) -> list[int]:
        """The stack, top last; for Covington's systems the words 0..i; for list systems the pending
        words up to the focus."""
    @property
    def buffer(self) -> list[int]:
        """The buffer, front first, ROOT as -1 where the system holds it; for Covington j..n-1; for
        list systems the pending words after the focus."""
    @property
    def pending(self) -> list[int]:
        """List systems: the words without a head, ROOT as -1 where the system holds it."""
    @property
    def is_final(self) -> bool:
        """Whether no move is valid."""
    def dependents(self, word: int) -> list[int]:
        """The dependents of a word, in sentence order.

        Raises IndexError (NM013) if there is no such word.
        """
    def copy(self) -> State: ...
    def key(self) -> Hashable:
        """Equal iff two states are the same configuration of the same system."""
