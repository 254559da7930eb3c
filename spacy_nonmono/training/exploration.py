"""How training chooses the move to follow: the oracle's or the model's."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ..errors import Errors


@runtime_checkable
class ExplorationPolicy(Protocol):
    """What the parser asks of a policy; any object with this method will do."""

    def probability(self, n_updates: int) -> float:
        """Probability of following the model's own prediction at a move, in an update after
        `n_updates` earlier ones; the oracle is followed otherwise."""


@dataclass(frozen=True)
class Exploration:
    """Follow the oracle for the first updates, then the model with a probability
    (Goldberg & Nivre 2012).

    k: number of updates (batches) that follow the oracle.
    p: probability of following the model's own prediction at a move after that.

    Raises ValueError (NM054) if k is negative or p is not a probability.
    """

    k: int = 0
    p: float = 1.0

    def __post_init__(self) -> None:
        check_count("k", self.k)
        check_probability("p", self.p)

    def probability(self, n_updates: int) -> float:
        """Probability of following the model in an update, after `n_updates` earlier ones."""
        return 0.0 if n_updates < self.k else self.p


@dataclass(frozen=True)
class AnnealedExploration:
    """Follow the oracle for the first updates, then the model with a probability that changes linearly.

    k: number of updates (batches) that follow the oracle.
    p_start: probability of following the model in the first update after those.
    p_end: the same `steps` updates later, and from then on.
    steps: number of updates from p_start to p_end; 0: p_end at once.

    Raises ValueError (NM054) if k or steps is negative, or p_start or p_end is not a probability.
    """

    k: int = 0
    p_start: float = 0.0
    p_end: float = 1.0
    steps: int = 1000

    def __post_init__(self) -> None:
        check_count("k", self.k)
        check_probability("p_start", self.p_start)
        check_probability("p_end", self.p_end)
        check_count("steps", self.steps)

    def probability(self, n_updates: int) -> float:
        """Probability of following the model in an update, after `n_updates` earlier ones."""
        if n_updates < self.k:
            return 0.0
        done = min((n_updates - self.k) / self.steps, 1.0) if self.steps else 1.0
        # Not p_start + done * (p_end - p_start): that may end a rounding error off p_end.
        return (1.0 - done) * self.p_start + done * self.p_end


def check_count(option: str, found: int) -> None:
    if found < 0:
        raise ValueError(Errors.NM054.format(option=option, found=found, expected="0 or more"))


def check_probability(option: str, found: float) -> None:
    if not 0.0 <= found <= 1.0:
        raise ValueError(Errors.NM054.format(option=option, found=found, expected="0 to 1"))


def make_exploration(k: int = 0, p: float = 1.0) -> Exploration:
    return Exploration(k=k, p=p)


def make_annealed_exploration(
    k: int = 0, p_start: float = 0.0, p_end: float = 1.0, steps: int = 1000
) -> AnnealedExploration:
    return AnnealedExploration(k=k, p_start=p_start, p_end=p_end, steps=steps)
