"""What the component asks of a kind of model, and the kinds that there are."""

from typing import Any, Protocol

import numpy
from spacy.tokens import Doc
from thinc.api import Model

from ..decoding.greedy import Batch
from ..errors import Errors
from ..oracles.oracle import Oracle
from ..transitions.system import TransitionSystem
from .gold import GoldParse
from .linear import LinearLearner
from .neural import NeuralLearner


class Learner(Protocol):
    """What the component asks of a kind of model: to score, and to learn."""

    needs_averages: bool  # the optimizer is to average the weights
    has_probabilities: bool  # what the model scores are arcs with a probability
    boundary_limit: float  # a word with a higher boundary score starts a sentence

    def __init__(self, model: Model, system: TransitionSystem, max_distance: int) -> None: ...
    def is_ready(self, model: Model) -> bool:
        """Whether the model has weights."""

    def initialize(self, model: Model, docs: list[Doc], n_labels: int) -> None: ...
    def add_labels(self, model: Model, n_labels: int) -> None:
        """Give the weights room for so many labels, if there are weights."""

    def check_labels(self, model: Model, n_labels: int) -> None:
        """Raises ValueError (NM037) if the weights are for another number of labels."""

    def batch(self, model: Model, scores: Any, lengths: numpy.ndarray) -> Batch:
        """Sentences of the given lengths, ready to be decoded; scores: what the model predicts."""

    def update(
        self,
        model: Model,
        docs: list[Doc],
        golds: list[GoldParse],
        oracle: Oracle,
        p_model: float,
        drop: float,
    ) -> float:
        """Learn from docs, following the model with probability `p_model`; returns the loss."""

    def rehearse(self, model: Model, docs: list[Doc], teacher: Model) -> float | None:
        """Learn to score as a teacher does; returns the loss, None if such models cannot."""


# By the name of the model
LEARNERS: dict[str, type[Learner]] = {
    "transition_parser": NeuralLearner,
    "linear_transition_parser": LinearLearner,
}


def make_learner(model: Model, system: TransitionSystem, max_distance: int) -> Learner:
    """The learner of a model.

    Raises ValueError (NM063) if the model is of another architecture.
    """
    if model.name not in LEARNERS:
        raise ValueError(Errors.NM063.format(found=model.name, known=", ".join(LEARNERS)))
    return LEARNERS[model.name](model, system, max_distance)
