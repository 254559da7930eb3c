"""The registered architecture of the neural transition parser."""

from collections.abc import Callable
from dataclasses import dataclass

from spacy.tokens import Doc
from thinc.api import Model
from thinc.types import Floats2d, Ints1d

from ...errors import Errors
from ...layers.fast_ops import with_fast_ops
from ...layers.recurrent import RecurrentEncoder
from ...shapes import check_finite
from ...tokens.white_space import token_rows, word_rows, words_of
from ..collocates import DocCollocations, doc_collocations
from .model import BoundaryScorer, TransitionScorer, WordGradients, WordScores

# How many numbers a state shows of the vectors of words that no move may join
NARROW = 16
TAG_WEIGHT = 0.3
LEARN_RATE = 0.002


@dataclass
class ParserScores:
    """The scores of the words of a batch of docs. White space is no word.

    words: of all words of the batch, one doc behind the other.
    boundaries: (n, 1) per doc; positive where a word starts a sentence.
    vectors: (n, width), of all words, as they come from the tok2vec.
    collocations: where the model looks at collocates.
    lacks_vectors: whether the model listens to a component that has given a doc no vectors.
    """

    words: WordScores
    boundaries: list[Floats2d]
    vectors: Floats2d
    collocations: DocCollocations | None
    lacks_vectors: bool


@dataclass
class ParserGradients:
    """The gradients of `ParserScores`."""

    words: WordGradients
    boundaries: list[Floats2d]
    vectors: Floats2d | None = None


def TransitionParser(
    tok2vec: Model[list[Doc], list[Floats2d]],
    hidden_width: int = 256,
    arc_width: int = 64,
    boundary_width: int = 32,
    recurrent_width: int = 96,
    recurrent_depth: int = 2,
    collocates: bool = False,
    grad_factor: float = 1.0,
    tag_weight: float | None = None,
    learn_rate: float | None = None,
    embed: Model[list[Doc], list[Floats2d]] | None = None,
    encoder: Model[list[Floats2d], list[Floats2d]] | None = None,
) -> Model[list[Doc], ParserScores]:
    """Make the neural model of `nonmono_parser`.

    tok2vec: any spaCy token-to-vector model: a listener, one of its own, a transformer's listener.
    hidden_width: the width of the layer that reads a parser state.
    arc_width: the width of the two vectors of a word whose dot product scores an arc.
    boundary_width: the hidden width of the sentence boundary scorer.
    recurrent_width, recurrent_depth: the units of each direction (a multiple of 16), and the number, of
        the recurrent layers through which the vectors of the tok2vec go first, so that they know the
        whole doc; with 0 they are normalized only.
    collocates: whether a state shows the nearest collocates of the focus words that wait outside of the
        context, two for each; needs the component `collocations` in the pipeline.
    grad_factor: by how much the gradient is multiplied that goes on into the tok2vec. Where other
        components learn from the same one, less than 1 leaves more of it to them.
    tag_weight: the weight of a second task in training, beside that of the parser: the vectors of the
        tok2vec learn to tell the tags of the words, where the gold Docs have any. None: TAG_WEIGHT, or 0
        where a tagger or a morphologizer learns from the same tok2vec, as `initialize` finds out.
    learn_rate: of the parser's own layers, as long as the optimizer's rate is the highest so far; it
        falls as that falls, and does not wait for a warm-up. None: the optimizer's, or 0.002 where a
        layer of PyTorch learns in the same pipeline or makes the vectors: a transformer wants much lower
        rates than layers that start from nothing.
    embed: vectors of the parser's own, which stand beside those of the tok2vec: for a listener whose
        tok2vec sees less of a word than `spacy-nonmono.MultiHashEmbed.v1` does.
    encoder: layers in the place of the recurrent ones, from the vectors of docs to others of the same
        width. Here `spacy-nonmono.RecurrentEncoder.v1` takes all of its settings.

    Raises ValueError (NM067) for recurrent layers that cannot be. The model raises ValueError: NM035 if
    it is to look at collocates, and the pipeline has none, NM220 for a vector that is not finite.
    """
    if encoder is None:
        encoder = RecurrentEncoder(None, recurrent_width, recurrent_depth)
    scorer = TransitionScorer(nH=hidden_width, nA=arc_width, nN=NARROW)
    boundaries = BoundaryScorer(boundary_width)
    # A model with a reference to nothing cannot have a layer replaced
    refs: dict[str, Model] = {"tok2vec": tok2vec, **({} if embed is None else {"embed": embed})}
    refs |= {"encoder": encoder, "scorer": scorer, "boundaries": boundaries}
    model: Model[list[Doc], ParserScores] = Model(
        "transition_parser",
        forward,
        init=init,
        layers=list(refs.values()),
        refs={**refs},
        attrs={
            "collocates": collocates,
            "grad_factor": grad_factor,
            "tag_weight": tag_weight,
            "learn_rate": learn_rate,
        },
    )
    return with_fast_ops(model)


def forward(
    model: Model, docs: list[Doc], is_train: bool
) -> tuple[ParserScores, Callable[[ParserGradients], list[Doc]]]:
    """Score the words of docs."""
    tok2vec = model.get_ref("tok2vec")
    of_tokens, backprop_tok2vec = tok2vec(docs, is_train)
    words_of_docs = [words_of(doc) for doc in docs]
    own: list[Floats2d] = []
    embed = model.maybe_get_ref("embed")
    if embed is not None:
        own_of_tokens, backprop_embed = embed(docs, is_train)
        own = word_rows(model.ops, own_of_tokens, words_of_docs)
    # thinc's `flatten`, and listeners to transformers, lose the width of no rows
    no_rows = model.ops.alloc2f(0, model.get_ref("scorer").get_dim("nI"))
    width = no_rows.shape[1] - sum(rows.shape[1] for rows in own[:1])
    of_tokens = [rows if len(rows) else no_rows[:, :width] for rows in of_tokens]
    outside = word_rows(model.ops, of_tokens, words_of_docs)
    # A listener that has heard nothing gives zeros; in training it raises an error
    listens = not is_train and any(hasattr(node, "upstream_name") for node in tok2vec.walk())
    lacks_vectors = listens and any(len(found) > 0 and not found.any() for found in outside)
    if embed is not None:
        outside = [model.ops.xp.hstack(pair) for pair in zip(outside, own, strict=True)]
    lengths: Ints1d = model.ops.asarray1i([len(words) for words in words_of_docs])
    flat_outside = model.ops.xp.concatenate([no_rows, *outside])
    if flat_outside.dtype != no_rows.dtype:
        flat_outside = model.ops.asarray2f(flat_outside)
        outside = list(map(model.ops.asarray2f, outside))
    pairs = zip(docs, words_of_docs, strict=True)
    words_of_batch = (doc[i] for doc, places in pairs for i in places.tolist())
    check_finite("The vector", flat_outside, words_of_batch)
    vectors, backprop_encoder = model.get_ref("encoder")(outside, is_train)
    flat = model.ops.xp.concatenate([no_rows, *vectors])
    words, backprop_words = model.get_ref("scorer")(flat, is_train)
    boundaries, backprop_boundaries = model.get_ref("boundaries")(vectors, is_train)

    def backprop(d_scores: ParserGradients) -> list[Doc]:
        d_vectors = model.ops.unflatten(backprop_words(d_scores.words), lengths)
        for d_doc, d_boundary in zip(d_vectors, backprop_boundaries(d_scores.boundaries), strict=True):
            d_doc += d_boundary
        d_outside = model.ops.flatten(backprop_encoder(d_vectors))
        if d_scores.vectors is not None:
            d_outside += d_scores.vectors
        if embed is not None:
            d_own = model.ops.unflatten(model.ops.as_contig(d_outside[:, width:]), lengths)
            backprop_embed(token_rows(model.ops, d_own, docs, words_of_docs))
            d_outside = model.ops.as_contig(d_outside[:, :width])
        d_outside *= model.attrs["grad_factor"]
        d_words = model.ops.unflatten(d_outside, lengths)
        return backprop_tok2vec(token_rows(model.ops, d_words, docs, words_of_docs))

    collocations = None
    if model.attrs["collocates"]:
        collocations = doc_collocations(docs)
        if collocations is None and docs:
            raise ValueError(Errors.NM035)
    return ParserScores(words, boundaries, flat_outside, collocations, lacks_vectors), backprop


def init(model: Model, X: list[Doc] | None = None, Y: None = None) -> None:
    """Give all layers their widths, which follow from the vectors of the docs X."""
    width = sum(
        init_vectors(model.get_ref(name), X) for name in ("tok2vec", "embed") if model.has_ref(name)
    )
    vectors = [model.ops.alloc2f(2, width)]
    encoder = model.get_ref("encoder")
    encoder.initialize(X=vectors)
    model.get_ref("scorer").set_dim("nI", width)
    model.get_ref("scorer").initialize()
    model.get_ref("boundaries").initialize(X=vectors)


def init_vectors(model: Model, docs: list[Doc] | None) -> int:
    """Initialize a model of vectors and find out their width. Some models know it only by an example,
    such as listeners to transformers."""
    model.initialize(X=docs)
    width: int | None = model.maybe_get_dim("nO")
    return model.predict(docs)[0].shape[1] if width is None else width
