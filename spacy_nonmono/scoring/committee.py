"""The registered architecture of a committee: models that learn by themselves and parse together."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy
from spacy.tokens import Doc
from thinc.api import Model
from thinc.types import Floats2d

from ..errors import Errors
from .collocates import DocCollocations

COMMITTEE = "committee"
MEMBER = "transition_parser"
# The weights of the layers behind those of words
WEIGHTS = ("atoms", "bias", "out_W", "out_b", "root", "distance")


@dataclass
class CommitteeScores:
    """The `ParserScores` of the members of a committee."""

    members: list[Any]

    @property
    def boundaries(self) -> list[Floats2d]:
        """(n, 1) per doc: the means of the members' boundary scores."""
        of_docs = zip(*(scores.boundaries for scores in self.members), strict=True)
        return [sum(scores) / len(scores) for scores in of_docs]

    @property
    def collocations(self) -> DocCollocations | None:
        """Those of all members, as far as they look at collocates."""
        return self.members[0].collocations

    @property
    def lacks_vectors(self) -> bool:
        """Whether a member has no vectors of a doc."""
        return any(scores.lacks_vectors for scores in self.members)


def Committee(*members: Model) -> Model[list[Doc], CommitteeScores]:
    """Make a model of several models of `nonmono_parser`, which parse together.

    members: two or more models `spacy-nonmono.TransitionParser.v2`. They should share as little as
        possible: those that listen to one tok2vec make the same errors.

    Raises ValueError: NM222 if there is only one, NM223 if one is another model, or not all look at
    collocates.
    """
    if len(members) < 2:
        raise ValueError(Errors.NM222.format(found=len(members)))
    found = {(member.name, member.attrs.get("collocates")) for member in members}
    if len(found) > 1 or members[0].name != MEMBER:
        raise ValueError(Errors.NM223)
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


def scores_of(scores: Any) -> list[Any]:
    """Return the scores of the members of a committee; any others are those of an only member."""
    return scores.members if isinstance(scores, CommitteeScores) else [scores]


def scorers_of(model: Model) -> list[Model]:
    """Return the layer of each member that has the weights of states."""
    return [member.get_ref("scorer") for member in members_of(model)]


def decoder_arrays(model: Model, scores: Any) -> tuple[list[Any], Any, Any, dict[str, Any]]:
    """Return what decoding takes of words, and the weights behind, on the CPU: products of each member,
    head vectors, dep vectors, weights by name. Those of a committee are one model, whose scores of moves
    and of arcs are the means of those of the members: their hidden units and arc vectors stand side by
    side."""
    to_numpy = model.ops.to_numpy
    words, scorers = [one.words for one in scores_of(scores)], scorers_of(model)
    products = [to_numpy(one.products) for one in words]
    heads = [to_numpy(one.head_vectors) for one in words]
    deps = [to_numpy(one.dep_vectors) for one in words]
    weights = {name: [to_numpy(one.get_param(name)) for one in scorers] for name in WEIGHTS}
    n = len(scorers)
    if n == 1:
        return products, heads[0], deps[0], {name: arrays[0] for name, arrays in weights.items()}
    joined = {name: numpy.concatenate(arrays, axis=-1) for name, arrays in weights.items()}
    means = {name: sum(weights[name]) / n for name in ("out_b", "distance")}
    # Two of these are multiplied
    share = numpy.float32(n**-0.5)
    joined |= means | {"out_W": joined["out_W"] / n, "root": joined["root"] * share}
    return products, numpy.hstack(heads) * share, numpy.hstack(deps) * share, joined
