"""What the component asks of a kind of model: a learner, registered under the name of the model."""

from abc import ABC, abstractmethod
from math import inf, log
from typing import Any, NamedTuple

import numpy
from spacy.tokens import Doc
from thinc.api import Model, Optimizer

from ..decoding.batch import Batch
from ..errors import Errors
from ..oracles.oracle import Oracle
from ..registry import learners
from ..scoring.classes import MoveNames, moves_of
from ..transitions.system import TransitionSystem
from .gold import GoldParse

# By default, the probability that a pair of words needs, and the words of training data from which on it
# does. Arc scores that saw less are too sure of themselves (dev: four treebanks, and their beginnings).
PAIR_THRESHOLD = 0.01
ENOUGH_WORDS = 40_000
MAX_DISTANCE = 1_000_000  # no sentence may be longer


class Pairs(NamedTuple):
    """The pairs of words that Covington's systems look at; see `NonmonoParser`."""

    max_distance: int
    threshold: float | None

    def threshold_after(self, n_words: int) -> float:
        """Return the threshold after a training on so many words; 0: the number is unknown."""
        if self.threshold is not None:
            return self.threshold
        return PAIR_THRESHOLD * (min(1.0, n_words / ENOUGH_WORDS) if n_words else 1.0)


def worth_of_crossing(share: float | None) -> float:
    """Return what an arc that crosses others is worth (see `Batch.parse`), where this share of the arcs
    of the training data crosses others. None: the share is unknown, and all arcs stay."""
    # So that dev parts of four treebanks have about as many sentences with such arcs as there are
    return inf if share is None else 0.9 + 0.12 * log(share + 1e-5)


class Learner(ABC):
    """What the component asks of a kind of model: to score, and to learn. A learner need not inherit
    from this class; those that do share what is written here.

    positions: the names of those that a state shows, if the weights depend on their order.
    n_words: the number of words in the training data; 0: it is unknown.
    """

    needs_averages = False  # the optimizer is to average the weights
    has_probabilities = False  # what the model scores are arcs with a probability
    others_learn_tags = False  # from the tok2vec that the model listens to, if it does
    with_pytorch = False  # layers of PyTorch learn in the same pipeline, or make the vectors

    positions: tuple[str, ...] = ()

    def __init__(
        self, model: Model, system: TransitionSystem, oracle: Oracle, pairs: Pairs
    ) -> None:
        self.system = system
        self.oracle = oracle
        self.moves = moves_of(system)
        self.n_words = 0
        self._pairs = pairs

    @abstractmethod
    def is_ready(self, model: Model) -> bool:
        """Find out whether the model has weights."""

    @abstractmethod
    def initialize(self, model: Model, docs: list[Doc], n_labels: int) -> None:
        """Give the model weights for so many labels, with the shapes that the docs ask for."""

    @abstractmethod
    def add_labels(self, model: Model, n_labels: int) -> None:
        """Give the weights room for so many labels, if there are weights."""

    @abstractmethod
    def check_labels(self, model: Model, n_labels: int) -> None:
        """Raises ValueError (NM037) if the weights are for another number of labels."""

    @abstractmethod
    def reorder(self, model: Model, saved: MoveNames, n_labels: int) -> None:
        """Bring the classes of the weights into the order that the moves have now; they were saved when
        the system had its moves in another order."""

    @abstractmethod
    def batch(self, model: Model, scores: Any, lengths: numpy.ndarray) -> Batch:
        """Make sentences of the given lengths ready to be decoded. scores: what the model predicts."""

    def parse(
        self, model: Model, scores: Any, lengths: numpy.ndarray, *, dep_scores: bool, worth: float
    ) -> tuple[Batch, numpy.ndarray | None]:
        """Parse sentences, and score their arcs if these scores are wanted; see `Batch.parse`."""
        batch = self.batch(model, scores, lengths)
        batch.parse(scores=dep_scores, worth=worth)
        return batch, batch.scores

    def learns_tags(self, model: Model) -> bool:
        """Find out whether the model has a second task, to learn the tags of words."""
        return False

    @abstractmethod
    def update(
        self,
        model: Model,
        docs: list[Doc],
        golds: list[GoldParse],
        p_model: float,
        drop: float,
    ) -> float:
        """Learn from docs, following the model with probability `p_model`; returns the loss."""

    def finish_update(self, model: Model, sgd: Optimizer) -> None:
        """Apply the gradients of the model, and of what is in training only."""
        model.finish_update(sgd)

    def rehearse(self, model: Model, docs: list[Doc], teacher: Model) -> float | None:
        """Learn to score as a teacher does; returns the loss, None if such models cannot."""
        return None


def make_learner(model: Model, system: TransitionSystem, oracle: Oracle, pairs: Pairs) -> Learner:
    """Make the learner of a model.

    Raises ValueError: NM062 or NM066 for pairs that cannot be, NM063 if no learner is registered for
    such models.
    """
    if type(pairs.max_distance) is not int or not 0 <= pairs.max_distance <= MAX_DISTANCE:
        raise ValueError(Errors.NM062.format(found=pairs.max_distance))
    threshold = pairs.threshold_after(0)
    if not (isinstance(threshold, (int, float)) and 0 <= threshold < 1):
        raise ValueError(Errors.NM066.format(found=pairs.threshold))
    if model.name not in learners:
        known = ", ".join(sorted(learners.get_all()))
        raise ValueError(Errors.NM063.format(found=model.name, known=known))
    make: type[Learner] = learners.get(model.name)
    return make(model, system, oracle, pairs)
