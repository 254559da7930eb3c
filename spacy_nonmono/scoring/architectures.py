"""The registered architecture of the neural transition parser."""

from collections.abc import Callable
from dataclasses import dataclass

from spacy.tokens import Doc
from thinc.api import Model
from thinc.types import Floats2d, Ints1d

from .layers import BoundaryScorer, TransitionScorer, WordScores


@dataclass
class ParserScores:
    """Word-level scores of a batch of docs, or the gradients of them.

    words: of all words of the batch, one doc behind the other.
    boundaries: (n, 1) a doc; positive where a word starts a sentence.
    """

    words: WordScores
    boundaries: list[Floats2d]


def TransitionParser(
    tok2vec: Model[list[Doc], list[Floats2d]],
    hidden_width: int = 128,
    maxout_pieces: int = 2,
    arc_width: int = 64,
    boundary_width: int = 32,
) -> Model[list[Doc], ParserScores]:
    """The neural model of `nonmono_parser`.

    tok2vec: any spaCy token-to-vector model: a listener, one of its own, a transformer's listener.
    hidden_width, maxout_pieces: of the layer that reads a parser state.
    arc_width: of the two vectors of a word whose dot product scores an arc.
    boundary_width: hidden width of the sentence boundary scorer.
    """
    scorer = TransitionScorer(nH=hidden_width, nP=maxout_pieces, nA=arc_width)
    boundaries = BoundaryScorer(boundary_width)
    return Model(
        "transition_parser",
        forward,
        init=init,
        layers=[tok2vec, scorer, boundaries],
        refs={"tok2vec": tok2vec, "scorer": scorer, "boundaries": boundaries},
    )


def forward(
    model: Model, docs: list[Doc], is_train: bool
) -> tuple[ParserScores, Callable[[ParserScores], list[Doc]]]:
    vectors, backprop_tok2vec = model.get_ref("tok2vec")(docs, is_train)
    lengths: Ints1d = model.ops.asarray1i([len(doc) for doc in docs])
    words, backprop_words = model.get_ref("scorer")(model.ops.flatten(vectors), is_train)
    boundaries, backprop_boundaries = model.get_ref("boundaries")(vectors, is_train)

    def backprop(d_scores: ParserScores) -> list[Doc]:
        d_vectors = model.ops.unflatten(backprop_words(d_scores.words), lengths)
        for d_doc, d_boundary in zip(
            d_vectors, backprop_boundaries(d_scores.boundaries), strict=True
        ):
            d_doc += d_boundary
        return backprop_tok2vec(d_vectors)

    return ParserScores(words, boundaries), backprop


def init(model: Model, X: list[Doc] | None = None, Y: None = None) -> None:
    tok2vec = model.get_ref("tok2vec")
    tok2vec.initialize(X=X)
    width = tok2vec.maybe_get_dim("nO")
    if width is None:
        # Some transformers' listeners know no width.
        width = tok2vec.predict(X)[0].shape[1]
    model.get_ref("scorer").set_dim("nI", width)
    model.get_ref("scorer").initialize()
    vectors = [model.ops.alloc2f(2, width)]
    model.get_ref("boundaries").initialize(X=vectors)
