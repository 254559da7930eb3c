"""How the component scores and learns with the linear model."""

import numpy
from spacy.tokens import Doc
from thinc.api import Model

from ..decoding.linear_batch import LinearBatch
from ..oracles.oracle import Oracle
from ..scoring.classes import MoveNames, class_numbers
from ..scoring.collocates import collocates_of
from ..scoring.linear.linear import window_scores
from ..scoring.linear.model import ROOTS, STARTS, STATES, LinearScores, shim_of
from ..scoring.linear.weights import AveragedWeights, Weights
from ..scoring.loading import damaged
from ..training.perceptron import learn_roots, learn_starts, learn_states
from ..transitions.system import TransitionSystem
from .gold import GoldParse
from .learner import Learner, Pairs
from .sentences import training_sentences


class LinearLearner(Learner):
    """Scores with `LinearTransitionParser` models, which learn from configuration to configuration."""

    def __init__(
        self, model: Model, system: TransitionSystem, oracle: Oracle, pairs: Pairs
    ) -> None:
        super().__init__(model, system, oracle, pairs)
        shim_of(model).choose_templates(system.kind)

    def is_ready(self, model: Model) -> bool:
        return shim_of(model).is_ready

    def initialize(self, model: Model, docs: list[Doc], n_labels: int) -> None:
        model.initialize(X=docs)
        self.add_labels(model, n_labels)

    def add_labels(self, model: Model, n_labels: int) -> None:
        shim_of(model).n_classes = self.moves.n_classes(n_labels)

    def check_labels(self, model: Model, n_labels: int) -> None:
        found, expected = shim_of(model).n_classes, self.moves.n_classes(n_labels)
        if self.is_ready(model) and found != expected:
            raise damaged(f"weights of {found} classes", expected)

    def reorder(self, model: Model, saved: MoveNames, n_labels: int) -> None:
        shim_of(model).reorder(class_numbers(saved, self.moves, n_labels))

    def batch(
        self,
        model: Model,
        scores: LinearScores,
        lengths: numpy.ndarray,
        weights: Weights | AveragedWeights | None = None,
    ) -> LinearBatch:
        """Make sentences ready to be decoded. weights: those under training; None: the averages."""
        shim = shim_of(model)
        # In training, which word becomes the root of what is left over teaches nothing
        roots = numpy.zeros((len(scores.matrix),), dtype="f")
        if weights is None:
            weights = shim.averages(STATES)
            if not self.system.single_root:
                window = shim.compiled(scores.columns, window=True)
                roots = window_scores(window, shim.averages(ROOTS), scores.matrix, lengths)
        return LinearBatch(
            self.system,
            shim.compiled(scores.columns),
            weights,
            shim.n_classes,
            lengths,
            scores.matrix,
            roots,
            collocates_of(scores.collocations, lengths),
            self._pairs.max_distance,
            shim.settings.collocate_window,
        )

    def update(
        self,
        model: Model,
        docs: list[Doc],
        golds: list[GoldParse],
        p_model: float,
        drop: float,
    ) -> float:
        """There is no dropout. The loss is the number of mistakes."""
        shim = shim_of(model)
        C = model.attrs["aggressiveness"]
        scores: LinearScores = model.begin_update(docs)[0]
        lengths, heads, labels = training_sentences(docs, golds, scores.boundaries)
        gold_starts = numpy.concatenate([gold.starts for gold in golds])
        window = shim.compiled(scores.columns, window=True)
        n_wrong = learn_starts(
            window, shim.weights(STARTS), scores.matrix, scores.lengths, gold_starts, C
        )
        if not self.system.single_root:
            n_wrong += learn_roots(
                window, shim.weights(ROOTS), scores.matrix, lengths, heads, C
            )
        weights = shim.weights(STATES)
        seed = numpy.random.randint(0, 2**62)
        batch = self.batch(model, scores, lengths, weights)
        until_correct = model.attrs["until_correct"]
        n_wrong += learn_states(
            batch, weights, self.oracle, lengths, heads, labels, p_model, seed, C, until_correct
        )
        return float(n_wrong)
