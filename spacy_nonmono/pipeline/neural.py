"""How the component scores and learns with the neural model."""

from functools import partial
from typing import Any

import numpy
from spacy.tokens import Doc
from thinc.api import Model, Optimizer, set_dropout_rate

from ..decoding.batch import Batch
from ..decoding.neural_batch import NeuralBatch
from ..errors import Errors
from ..oracles.oracle import Oracle
from ..scoring.classes import MoveNames, class_numbers
from ..scoring.collocates import collocates_of
from ..scoring.committee import decoder_arrays, members_of, scorers_of, scores_of
from ..scoring.loading import damaged
from ..scoring.neural.architecture import LEARN_RATE, TAG_WEIGHT, ParserGradients, ParserScores
from ..scoring.neural.atoms import n_atom_rows
from ..scoring.neural.model import (
    WordGradients,
    WordScores,
    narrow_positions,
    param,
    resize_labels,
    with_labels,
    without_params,
)
from ..scoring.neural.neural import position_slots
from ..scoring.positions import COLLOCATE_POSITIONS
from ..training.arc_loss import arc_loss
from ..training.losses import (
    States,
    boundary_loss,
    class_probabilities,
    sigmoid,
    state_loss,
)
from ..training.rollout import rollout
from ..training.tag_loss import TagTask
from ..transitions.system import TransitionSystem
from .gold import GoldParse
from .learner import Learner, Pairs
from .neighbours import has_pytorch
from .sentences import parsing_starts, sentence_lengths, training_sentences

# Weight of the loss of the arc scores beside that of the states: a guess that was not tuned.
ARC_WEIGHT = 0.25


class NeuralLearner(Learner):
    """Scores with `TransitionParser` models or a `Committee` of them, and trains them by gradients."""

    needs_averages = True
    has_probabilities = True

    def __init__(
        self, model: Model, system: TransitionSystem, oracle: Oracle, pairs: Pairs
    ) -> None:
        super().__init__(model, system, oracle, pairs)
        members = members_of(model)
        collocates = COLLOCATE_POSITIONS if members[0].attrs["collocates"] else ()
        positions = narrow_positions([*system.positions, *collocates], system.kind)
        self.positions = tuple(positions)
        self._slots = position_slots(positions)
        for member in members:
            member.get_ref("scorer").set_dim("nF", len(positions), force=True)
        self._tag_tasks = [(TagTask(), TagTask()) for _ in members]
        self._highest_rate = 0.0

    def is_ready(self, model: Model) -> bool:
        return all(scorer.has_param("atoms") for scorer in scorers_of(model))

    def initialize(self, model: Model, docs: list[Doc], n_labels: int) -> None:
        self._highest_rate = 0.0
        self._tag_tasks = [(TagTask(), TagTask()) for _ in members_of(model)]
        for member, scorer in zip(members_of(model), scorers_of(model), strict=True):
            if scorer.has_param("atoms"):
                member.replace_node(scorer, without_params(scorer))
            member.initialize(X=docs)
            resize_labels(member.get_ref("scorer"), self.moves, n_labels)

    def add_labels(self, model: Model, n_labels: int) -> None:
        if self.is_ready(model):
            for member, scorer in zip(members_of(model), scorers_of(model), strict=True):
                member.replace_node(scorer, with_labels(scorer, self.moves, n_labels))

    def check_labels(self, model: Model, n_labels: int) -> None:
        n = self.moves.n_classes(n_labels)
        expected = [n_atom_rows(max(n_labels, 1)), n, n]
        for scorer in scorers_of(model) if self.is_ready(model) else ():
            found = [len(param(scorer, name)) for name in ("atoms", "out_W", "out_b")]
            if found != expected:
                raise damaged(f"weights of another number of labels {found}", expected)

    def reorder(self, model: Model, saved: MoveNames, n_labels: int) -> None:
        if self.is_ready(model):
            numbers = class_numbers(self.moves, saved, n_labels)
            for scorer in scorers_of(model):
                for name in ("out_W", "out_b"):
                    scorer.set_param(name, param(scorer, name)[numbers])

    def batch(self, model: Model, scores: ParserScores, lengths: numpy.ndarray) -> NeuralBatch:
        """Sentences ready to be decoded; weights and scores go to the CPU."""
        return NeuralBatch(
            self.system,
            lengths,
            *decoder_arrays(model, scores),
            self._slots,
            collocates_of(scores.collocations, lengths),
            self._pairs.max_distance,
            self._pairs.threshold_after(self.n_words),
        )

    def parse(
        self, model: Model, scores: Any, lengths: numpy.ndarray, *, dep_scores: bool, worth: float
    ) -> tuple[Batch, numpy.ndarray | None]:
        """A committee's score of an arc is the mean of its own and those of its members, each parsing by
        itself: 0 where a member finds another arc. That they disagree says more than what they score."""
        batch, own = super().parse(model, scores, lengths, dep_scores=dep_scores, worth=worth)
        members = list(zip(members_of(model), scores_of(scores), strict=True))
        if own is None or len(members) == 1:
            return batch, own
        total = own
        for one in members:
            alone, found = super().parse(*one, lengths, dep_scores=True, worth=worth)
            total = total + ((alone.heads == batch.heads) & (alone.labels == batch.labels)) * found
        return batch, total / (len(members) + 1)

    def update(
        self,
        model: Model,
        docs: list[Doc],
        golds: list[GoldParse],
        p_model: float,
        drop: float,
    ) -> float:
        """Each member of a committee learns by itself."""
        set_dropout_rate(model, float(drop))  # the model is saved with it
        each = zip(members_of(model), self._tag_tasks, strict=True)
        return sum(self._update(member, tasks, docs, golds, p_model) for member, tasks in each)

    def _update(
        self,
        model: Model,
        tag_tasks: tuple[TagTask, TagTask],
        docs: list[Doc],
        golds: list[GoldParse],
        p_model: float,
    ) -> float:
        scores, backprop = model.begin_update(docs)
        loss, d_boundaries = boundary_loss(model, scores.boundaries, [gold.starts for gold in golds])
        on_cpu = map(model.ops.to_numpy, scores.boundaries)
        lengths, heads, labels = training_sentences(docs, golds, on_cpu)
        seed = numpy.random.randint(0, 2**62)
        states = States(
            *rollout(
                self.batch(model, scores, lengths), self.oracle, lengths, heads, labels, p_model, seed
            )
        )
        state_part, d_products = state_loss(model.get_ref("scorer"), scores.words.products, states)
        arc_part, d_heads, d_deps = self._arc_loss(model, scores.words, lengths, heads)
        tag_part, d_vectors = self._tag_loss(model, tag_tasks, scores.vectors, golds)
        d_words = WordGradients(d_products, d_heads, d_deps)
        backprop(ParserGradients(d_words, d_boundaries, d_vectors))
        return loss + state_part + arc_part + tag_part

    def learns_tags(self, model: Model) -> bool:
        return any(self._tag_weight(member) > 0 for member in members_of(model))

    def _tag_weight(self, model: Model) -> float:
        weight: float | None = model.attrs["tag_weight"]
        if weight is not None:
            return weight
        listens = any(hasattr(node, "upstream_name") for node in model.walk())
        return 0.0 if listens and self.others_learn_tags else TAG_WEIGHT

    def _tag_loss(
        self, model: Model, tasks: tuple[TagTask, TagTask], vectors: Any, golds: list[GoldParse]
    ) -> tuple[float, Any | None]:
        """Return the loss, and the gradient of the vectors of all words; None without a second task."""
        known = [gold.tags for gold in golds if gold.tags is not None]
        weight = self._tag_weight(model)
        if not known or not weight:
            return 0.0, None
        tags = numpy.concatenate(known, axis=1)
        parts = [
            task.update(vectors, values, weight) for task, values in zip(tasks, tags, strict=True)
        ]
        return sum(loss for loss, _ in parts), sum(gradient for _, gradient in parts)

    def finish_update(self, model: Model, sgd: Optimizer) -> None:
        for member, tasks in zip(members_of(model), self._tag_tasks, strict=True):
            own = self._own_rate(member, sgd)
            for layer in member.layers:
                layer.finish_update(sgd if has_pytorch(layer) else own)
            for task in tasks:
                task.finish_update(own)

    def _own_rate(self, model: Model, sgd: Optimizer) -> Any:
        """Return the optimizer with the learn rate of the parser's own layers."""
        rate: float | None = model.attrs["learn_rate"]
        if rate is None and self.with_pytorch:
            rate = LEARN_RATE
        # `Language.rehearse` passes a function that collects the gradients
        if rate is None or not isinstance(sgd, Optimizer):
            return sgd
        self._highest_rate = max(self._highest_rate, sgd.learn_rate)
        return partial(sgd, lr_scale=rate / self._highest_rate) if self._highest_rate else sgd

    def _arc_loss(
        self, model: Model, words: WordScores, lengths: numpy.ndarray, heads: numpy.ndarray
    ) -> tuple[float, Any, Any]:
        """Return the loss, and the gradients of the two vectors of every word."""
        scorer = model.get_ref("scorer")
        ops = model.ops
        loss, d_heads, d_deps, d_root, d_distance = arc_loss(
            ops.to_numpy(words.head_vectors),
            ops.to_numpy(words.dep_vectors),
            ops.to_numpy(scorer.get_param("root")),
            ops.to_numpy(scorer.get_param("distance")),
            lengths,
            heads,
            ARC_WEIGHT,
        )
        xp = ops.xp
        scorer.inc_grad("root", xp.asarray(d_root))
        scorer.inc_grad("distance", xp.asarray(d_distance))
        return loss, xp.asarray(d_heads), xp.asarray(d_deps)

    def rehearse(self, model: Model, docs: list[Doc], teacher: Model) -> float:
        set_dropout_rate(model, 0.0)
        pairs = zip(members_of(model), members_of(teacher), strict=True)
        return sum(self._rehearse(member, docs, of_teacher) for member, of_teacher in pairs)

    def _rehearse(self, model: Model, docs: list[Doc], teacher: Model) -> float:
        teacher_scores = teacher.predict(docs)
        if teacher_scores.lacks_vectors:
            raise ValueError(Errors.NM036)
        scores, backprop = model.begin_update(docs)
        on_cpu = map(model.ops.to_numpy, teacher_scores.boundaries)
        starts = parsing_starts(docs, on_cpu)
        lengths = sentence_lengths(numpy.concatenate(starts))
        unknown = numpy.full((int(lengths.sum()),), -1, dtype="i")
        batch = self.batch(teacher, teacher_scores, lengths)
        states = States(*rollout(batch, None, lengths, unknown, unknown, 1.0, 0))
        targets = class_probabilities(teacher.get_ref("scorer"), teacher_scores.words.products, states)
        loss, d_products = state_loss(model.get_ref("scorer"), scores.words.products, states, targets)
        # The heads are those that the teacher has found
        arc_part, d_heads, d_deps = self._arc_loss(model, scores.words, lengths, batch.heads)
        d_boundaries = [
            sigmoid(boundaries) - sigmoid(target)
            for boundaries, target in zip(scores.boundaries, teacher_scores.boundaries, strict=True)
        ]
        d_words = WordGradients(d_products, d_heads, d_deps)
        backprop(ParserGradients(d_words, d_boundaries))
        return loss + arc_part
