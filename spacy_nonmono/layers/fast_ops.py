"""thinc's operations on the CPU, faster.

Matrix products by numpy's BLAS: thinc takes those of `blis`, which has no kernel for some processors and
falls back on plain loops there. On an AMD EPYC with AVX-512 numpy's are 2.8 times as fast (1000 x 384
times 384 x 288, one core: 92 against 33 billion operations a second).

Dropout masks of 16 random bits an entry, where thinc draws a double of 64. Layer normalization in one
go, where thinc makes a dozen arrays.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy
from spacy.ml.models.tok2vec import build_Tok2Vec_model
from spacy.tokens import Doc
from thinc.api import Model, NumpyOps
from thinc.layers import layernorm
from thinc.types import Floats2d, FloatsXd, Shape

from ..tokens.white_space import token_rows, word_rows, words_of
from .minibatch import minibatch_words
from .normalization import normalize, normalize_backward

# spaCy's layer that reads the attributes of tokens, and that of our `MultiHashEmbed`
EXTRACTORS = ("extract_features", "extract_attributes")
# Tokens that are embedded together
N_TYPES = 2000
# With fewer tokens it takes longer to find equal ones than to embed all
FEW = 32
# Of the hash of a token's attributes: 2**64 over the golden ratio
MULTIPLIER = numpy.uint64(0x9E3779B97F4A7C15)


class FastNumpyOps(NumpyOps):
    """thinc's operations on the CPU, with numpy's matrix products and cheaper dropout masks."""
    def __init__(self) -> None:
        super().__init__(use_blis=False)

    def get_dropout_mask(self, shape: Shape, drop: float | None) -> FloatsXd:
        """Draw a mask that has zeros with the probability `drop`, rounded to a multiple of 2**-16; the
        other numbers make up for the zeros."""
        limit = round((drop or 0.0) * 2**16)
        if not 0 < limit < 2**16:
            return super().get_dropout_mask(shape, drop)
        bits = numpy.frombuffer(numpy.random.bytes(2 * int(numpy.prod(shape))), dtype="u2")
        mask: Any = (bits >= numpy.uint16(limit)) * numpy.float32(2**16 / (2**16 - limit))
        return mask.reshape(shape)


def Tok2Vec(
    embed: Model[list[Doc], list[Floats2d]], encode: Model[list[Floats2d], list[Floats2d]]
) -> Model[list[Doc], list[Floats2d]]:
    """Make spaCy's `Tok2Vec.v2`, with faster operations on the CPU. There it predicts some thousand
    words at a time: the arrays of the thousand docs that `nlp.pipe` passes on would not fit into the
    cache. Of equal words it embeds one. White space is in no context: the vectors of the words are those
    of the same text with single blanks, and those of white space are zeros.

    embed: from docs to vectors of tokens without context. encode: puts them into context.
    """
    model = build_Tok2Vec_model(embed, encode)
    model._func = forward_words
    return with_fast_ops(model)


def forward_words(
    model: Model[list[Doc], list[Floats2d]], docs: list[Doc], is_train: bool
) -> tuple[list[Floats2d], Callable[[list[Floats2d]], list[Doc]]]:
    """Compute the vectors of all tokens; only the words go through the layer that puts them into
    context."""
    ops, (embed, encode) = model.ops, model.layers
    words = [words_of(doc) for doc in docs]
    if not is_train and isinstance(ops, FastNumpyOps):
        embedded = embed_types(embed, docs)
        vectors: list[Floats2d] = []
        for part in minibatch_words(docs):
            rows = slice(len(vectors), len(vectors) + len(part))
            found = embedded[rows] if embedded else embed.predict(part)
            vectors += forward_rows(Model.__call__, encode, word_rows(ops, found, words[rows]), False)[0]
        return token_rows(ops, vectors, docs, words), lambda d_vectors: []
    found, backprop_embed = embed(docs, is_train)
    found = word_rows(ops, found, words)
    encoded, backprop_encode = forward_rows(Model.__call__, encode, found, is_train)

    def backprop(d_vectors: list[Floats2d]) -> list[Doc]:
        d_found = backprop_encode(word_rows(ops, d_vectors, words))
        return backprop_embed(token_rows(ops, d_found, docs, words))  # type: ignore[no-any-return]

    return token_rows(ops, encoded, docs, words), backprop


def embed_types(embed: Model[list[Doc], list[Floats2d]], docs: list[Doc]) -> list[Floats2d]:
    """Embed each kind of token once, and give every token the vectors of its kind. This needs an `embed`
    that first reads the attributes of the tokens and looks at nothing else then, and FEW tokens or more.
    Otherwise the list is empty."""
    if not embed.layers or embed.layers[0].name not in EXTRACTORS or sum(map(len, docs)) < FEW:
        return []
    extract, *rest = embed.layers
    ids = extract.predict(docs)
    ids_NA: Any = numpy.concatenate(ids)
    keys = ids_NA @ MULTIPLIER ** numpy.arange(1, ids_NA.shape[1] + 1, dtype="uint64")
    _, first, which = numpy.unique(keys, return_index=True, return_inverse=True)
    types = ids_NA[first]
    if not numpy.array_equal(types[which], ids_NA):  # two have the same key
        types, which = ids_NA, numpy.arange(len(ids_NA))
    found = []
    for start in range(0, max(len(types), 1), N_TYPES):
        chunk: Any = [types[start : start + N_TYPES]]
        for layer in rest:
            chunk = layer.predict(chunk)
        found += chunk
    ends = numpy.cumsum([len(of_doc) for of_doc in ids])
    vectors: Any = numpy.split(numpy.concatenate(found)[which], ends[:-1])
    return vectors  # type: ignore[no-any-return]


def with_fast_ops(model: Model) -> Model:
    """Give a model and its layers faster operations on the CPU, and return the model. Backends other
    than thinc's plain one for CPUs are left alone.

    It looks for them whenever it is called, since a node gets the plain ones when thinc makes it, as
    `Model.copy` does.
    """
    for node in model.walk():
        if node.name == "layernorm":
            node._func = forward_layer_norm
    model._func = partial(forward_fast, model._func)
    use_fast_ops(model)  # for what `initialize` calls
    return model


def forward_fast(forward: Callable, model: Model, X: Any, is_train: bool) -> tuple[Any, Callable]:
    """Call `forward` with a model whose layers all have the faster operations."""
    # A copy is plain in all its nodes, and may have been put into a model that is not
    if any(type(node.ops) is NumpyOps for node in (model, *model.layers)):
        use_fast_ops(model)
    return forward(model, X, is_train)  # type: ignore[no-any-return]


def use_fast_ops(model: Model) -> None:
    """Replace thinc's plain operations for CPUs by the faster ones, in all layers of a model."""
    for node in model.walk():
        if type(node.ops) is NumpyOps:
            node.ops = FastNumpyOps()


def taking_no_rows(
    model: Model[list[Floats2d], list[Floats2d]],
) -> Model[list[Floats2d], list[Floats2d]]:
    """Let a model take docs without a word, and return the model."""
    model._func = partial(forward_rows, model._func)
    return model


def forward_rows(
    forward: Callable, model: Model, X: list[Floats2d], is_train: bool
) -> tuple[list[Floats2d], Callable[[list[Floats2d]], list[Floats2d]]]:
    """Call `forward`, unless X has no row at all: then what comes out has no rows, either. (thinc loses
    the width of no rows.)"""
    if any(map(len, X)):
        return forward(model, X, is_train)  # type: ignore[no-any-return]
    nO = model.maybe_get_dim("nO")
    return [model.ops.alloc2f(0, x.shape[1] if nO is None else nO) for x in X], lambda dY: X


def forward_layer_norm(
    model: Model[Floats2d, Floats2d], X: Floats2d, is_train: bool
) -> tuple[Floats2d, Callable[[Floats2d], Floats2d]]:
    """Do what thinc's layer normalization does, in C on the CPU."""
    if not isinstance(model.ops, FastNumpyOps):
        return layernorm.forward(model, X, is_train)  # type: ignore[return-value]
    gain: Any = model.get_param("G")
    bias: Any = model.get_param("b")
    array: Any = numpy.ascontiguousarray(X, dtype="f")
    Y, hat, scale = normalize(array, gain, bias)

    def backprop(dY: Floats2d) -> Floats2d:
        gradient: Any = numpy.ascontiguousarray(dY, dtype="f")
        dX, d_gain, d_bias = normalize_backward(gradient, hat, scale, gain)
        model.inc_grad("G", d_gain)  # type: ignore[arg-type]
        model.inc_grad("b", d_bias)  # type: ignore[arg-type]
        return dX  # type: ignore[return-value]

    return Y, backprop  # type: ignore[return-value]
