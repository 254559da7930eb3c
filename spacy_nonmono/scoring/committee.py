"""The registered architecture of a committee: models that each parse, and then vote."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from spacy.tokens import Doc
from thinc.api import Model
from thinc.types import Floats2d

from ..errors import Errors

COMMITTEE = "committee"


@dataclass
class CommitteeScores:
    """The scores of the words of a batch of docs.

    members: the scores of each member.
    each: how to call a function for each member, when they are decoded.
    """

    members: list[Any]
    each: Callable[..., Iterable[Any]] = map

    @property
    def boundaries(self) -> list[Floats2d]:
        """(n, 1) per doc: the means of the members' boundary scores."""
        of_docs = zip(*(scores.boundaries for scores in self.members), strict=True)
        return [sum(scores) / len(scores) for scores in of_docs]

    @property
    def lacks_vectors(self) -> bool:
        """Whether a member has no vectors of a doc."""
        return any(getattr(scores, "lacks_vectors", False) for scores in self.members)


def Committee(*members: Model) -> Model[list[Doc], CommitteeScores]:
    """Make a model of several models of `nonmono_parser`, whose trees are found by vote.

    members: two or more models, such as `spacy-nonmono.TransitionParser.v2`. They should share as little
        as possible: those that listen to one tok2vec make the same errors.

    Raises ValueError (NM222) if there is only one.
    """
    if len(members) < 2:
        raise ValueError(Errors.NM222.format(found=len(members)))
    # `spacy pretrain` can name one layer, and takes that of the first member
    refs = {"tok2vec": members[0].maybe_get_ref("tok2vec")}
    return Model(COMMITTEE, forward, layers=members, refs=refs)


def forward(
    model: Model, docs: list[Doc], is_train: bool
) -> tuple[CommitteeScores, Callable[[list[Any]], None]]:
    """Score the words of docs. The gradients are a list of those of the members."""
    scores, backprops = zip(*(member(docs, is_train) for member in model.layers), strict=True)

    def backprop(d_scores: list[Any]) -> None:
        for backprop_member, d_member in zip(backprops, d_scores, strict=True):
            backprop_member(d_member)

    return CommitteeScores(list(scores)), backprop


def members_of(model: Model) -> list[Model]:
    """Return the members of a committee; any other model is its only member."""
    return list(model.layers) if model.name == COMMITTEE else [model]
