"""How training chooses the move to follow: the oracle's or the model's."""

from dataclasses import asdict, dataclass
from typing import Protocol, runtime_checkable

from ..errors import Errors
from .progress import UNITS, UPDATES


@runtime_checkable
class ExplorationPolicy(Protocol):
    """What the parser asks of a policy. Any object with this method will do."""

    def probability(self, done: float, /) -> float:
        """Get the probability of following the model's own prediction at a move, in an update after
        `done` earlier ones; otherwise the oracle is followed. A policy with an attribute `unit` of
        "passes" is told the passes over the training data instead, as a number with a fraction."""


@dataclass(frozen=True)
class Exploration:
    """Follow the oracle at first, then the model with a probability (Goldberg & Nivre 2012, 2013).

    k: number of updates (batches), or of passes over the training data, that follow the oracle.
    p: probability of following the model's own prediction at a move after that.
    unit: what k counts, "updates" or "passes"; the papers count passes.

    Raises ValueError (NM054) if k is negative, p is not a probability, or there is no such unit.
    """

    k: int = 0
    p: float = 1.0
    unit: str = UPDATES

    def __post_init__(self) -> None:
        check_options(self)

    def probability(self, done: float, /) -> float:
        """Get the probability of following the model in an update; done: updates or passes before it."""
        return 0.0 if done < self.k else self.p


@dataclass(frozen=True)
class AnnealedExploration:
    """Follow the oracle at first, then the model with a probability that changes linearly.

    k: number of updates (batches), or of passes over the training data, that follow the oracle.
    p_start: probability of following the model in the first update after those.
    p_end: the same `steps` updates or passes later, and from then on.
    steps: number of updates or passes from p_start to p_end; 0: p_end at once.
    unit: what k and steps count, "updates" or "passes".

    Raises ValueError (NM054) if k or steps is negative, p_start or p_end is not a probability, or there
    is no such unit.
    """

    k: int = 0
    p_start: float = 0.0
    p_end: float = 1.0
    steps: int = 1000
    unit: str = UPDATES

    def __post_init__(self) -> None:
        check_options(self)

    def probability(self, done: float, /) -> float:
        """Get the probability of following the model in an update; done: updates or passes before it."""
        if done < self.k:
            return 0.0
        share = min((done - self.k) / self.steps, 1.0) if self.steps else 1.0
        # Not p_start + share * (p_end - p_start): that may end a rounding error off p_end.
        return (1.0 - share) * self.p_start + share * self.p_end


def check_options(policy: "Exploration | AnnealedExploration") -> None:
    """Raises ValueError (NM054) if an option of a policy is out of range."""
    for option, found in asdict(policy).items():
        if option == "unit":
            is_right, expected = found in UNITS, " or ".join(map(repr, UNITS))
        elif option in ("k", "steps"):
            is_right, expected = found >= 0, "0 or more"
        else:
            is_right, expected = 0.0 <= found <= 1.0, "0 to 1"
        if not is_right:
            raise ValueError(Errors.NM054.format(option=option, found=found, expected=expected))
