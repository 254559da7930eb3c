"""How the component scores and learns with several models: each by itself, and then they vote."""

from collections.abc import Iterator, Sequence
from math import inf

import numpy
from spacy.tokens import Doc
from thinc.api import Model, Optimizer

from ..decoding.batch import Batch
from ..decoding.votes import vote_heads
from ..errors import Errors
from ..oracles.oracle import Oracle
from ..scoring.committee import CommitteeScores, members_of
from ..transitions.system import TransitionSystem
from .gold import GoldParse
from .learner import Each, Learner, Pairs, make_learner

# A member keeps more of its arcs that cross others than it would by itself (in odds, as `worth`), since
# the vote decides among them: there such an arc gives way to one that is less than so many nats less
# likely. Both so that not more sentences have crossing arcs than gold ones, and most of these arcs are
# right (English-EWT, Hungarian-Szeged and Turkish-IMST, dev).
BENEFIT = 0.5
MARGIN = 2.0
TINY = 1e-6


class CommitteeBatch:
    """The sentences of a batch, ready to be decoded by each member. The attributes are those of `Batch`.
    """

    def __init__(
        self,
        members: Sequence[Batch],
        systems: Sequence[TransitionSystem],
        lengths: numpy.ndarray,
        each: Each = map,
    ) -> None:
        self.members = members
        self._systems = systems
        self._projective = all(system.projective for system in systems)
        self._lengths = lengths
        self._each = each

    @property
    def n_choices(self) -> int:
        """How many choices all members made."""
        return sum(member.n_choices for member in self.members)

    def parse(self, *, scores: bool = False, worth: float = inf) -> None:
        """Parse the sentences, and vote: fill `heads`, `labels` and `scores`.

        An arc has the votes of the members that found it, each of which is worth the member's score of
        it. An arc that crosses others gives way to that of another member that crosses none, if this is
        less than MARGIN less likely by the arc scores of all. A label has the most votes of the members
        that found its arc. Where no member builds crossing arcs, the committee does not either.
        """
        worth += BENEFIT
        list(self._each(lambda member: member.parse(scores=True, worth=worth), self.members))
        heads_MN = numpy.stack([member.heads for member in self.members])
        labels_MN = numpy.stack([member.labels for member in self.members])
        votes_MN = numpy.array([member.scores for member in self.members], dtype="d")
        probs_MN = numpy.mean([member.arc_probs(heads_MN) for member in self.members], axis=0)
        self.heads, crossing = vote_heads(
            self._systems[0],
            self._lengths,
            heads_MN,
            votes_MN,
            numpy.log(probs_MN.astype("d") + TINY),
            inf if self._projective else MARGIN,
        )
        if self._projective:
            ends = numpy.cumsum(self._lengths)
            for s in numpy.flatnonzero(crossing):
                words = slice(ends[s] - self._lengths[s], ends[s])
                self.heads[words] = heads_MN[votes_MN[:, words].sum(axis=1).argmax(), words]
        found_MN = heads_MN == self.heads
        # Of each member's label, what all members say who found the arc
        totals_MN = numpy.zeros_like(votes_MN)
        for labels_N, votes_N in zip(labels_MN, votes_MN * found_MN, strict=True):
            totals_MN += numpy.where(labels_MN == labels_N, votes_N, 0)
        totals_MN[~found_MN] = -1
        best = totals_MN.argmax(axis=0), numpy.arange(len(self.heads))
        self.labels = labels_MN[best]
        self.scores = (totals_MN[best] / len(self.members)).astype("f") if scores else None


class CommitteeLearner:
    """Scores with `Committee` models. Each member learns by itself, with its own system and oracle. The
    methods are those of `Learner`, but for what is to be asked of each member."""

    has_probabilities = True

    def __init__(self, members: Sequence[Learner]) -> None:
        """Raises ValueError (NM223) if a member has no probabilities."""
        if not all(member.has_probabilities for member in members):
            raise ValueError(Errors.NM223)
        self.members = list(members)
        self.needs_averages = any(member.needs_averages for member in members)

    def _each(self, model: Model) -> Iterator[tuple[Learner, Model]]:
        return zip(self.members, model.layers, strict=True)

    def is_ready(self, model: Model) -> bool:
        return all(member.is_ready(part) for member, part in self._each(model))

    def initialize(self, model: Model, docs: list[Doc], n_labels: int) -> None:
        for member, part in self._each(model):
            member.initialize(part, docs, n_labels)

    def add_labels(self, model: Model, n_labels: int) -> None:
        for member, part in self._each(model):
            member.add_labels(part, n_labels)

    def check_labels(self, model: Model, n_labels: int) -> None:
        for member, part in self._each(model):
            member.check_labels(part, n_labels)

    def predict(self, model: Model, docs: list[Doc], each: Each) -> CommitteeScores:
        return CommitteeScores(list(each(lambda part: part.predict(docs), model.layers)), each)

    def batch(self, model: Model, scores: CommitteeScores, lengths: numpy.ndarray) -> CommitteeBatch:
        parts = zip(self._each(model), scores.members, strict=True)
        batches = [member.batch(part, own, lengths) for (member, part), own in parts]
        systems = [member.system for member in self.members]
        return CommitteeBatch(batches, systems, lengths, scores.each)

    def update(
        self, model: Model, docs: list[Doc], golds: list[GoldParse], p_model: float, drop: float
    ) -> float:
        return sum(
            member.update(part, docs, golds, p_model, drop) for member, part in self._each(model)
        )

    def finish_update(self, model: Model, sgd: Optimizer) -> None:
        for member, part in self._each(model):
            member.finish_update(part, sgd)

    def rehearse(self, model: Model, docs: list[Doc], teacher: Model) -> float:
        teachers = zip(self._each(model), teacher.layers, strict=True)
        losses = [member.rehearse(part, docs, own) or 0.0 for (member, part), own in teachers]
        return sum(losses)


def make_committee(
    model: Model, systems: Sequence[TransitionSystem], oracles: Sequence[Oracle], pairs: Pairs
) -> Learner | CommitteeLearner:
    """Make the learner of a model, which may be a committee; raises what `make_learner` raises."""
    each = zip(members_of(model), systems, oracles, strict=True)
    learners = [make_learner(*member, pairs) for member in each]
    return CommitteeLearner(learners) if len(learners) > 1 else learners[0]
