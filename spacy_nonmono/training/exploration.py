"""How training chooses the move to follow: the oracle's or the model's."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Exploration:
    """Follow the oracle for the first updates, then the model with a probability
    (Goldberg & Nivre 2012).

    k: number of updates (batches) that follow the oracle.
    p: probability of following the model's own prediction at a move after that.
    """

    k: int = 0
    p: float = 1.0

    def probability(self, n_updates: int) -> float:
        """Probability of following the model in an update, after `n_updates` earlier ones."""
        return 0.0 if n_updates < self.k else self.p


def make_exploration(k: int = 0, p: float = 1.0) -> Exploration:
    return Exploration(k=k, p=p)
