"""The layers of the neural scorer that work on word vectors, as thinc models."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from thinc.api import (
    Linear,
    Maxout,
    Model,
    chain,
    list2ragged,
    ragged2list,
    with_array,
)
from thinc.types import Floats2d, Floats3d

from ...layers.fast_ops import taking_no_rows
from ..classes import MoveNames
from .arcs import N_DISTANCES
from .atoms import n_atom_rows

# The positions that come first, since a move may join them: of the others a state shows a narrow view
FOCUS = ("S0", "N0")
N_FOCUS = len(FOCUS)
# Those that it does not show: the vectors know the words beside a word
LEFT_OUT = ("S0+", "N0-", "S0h2", "N0h2")
# In systems of pairs these are beside one, too
LEFT_OUT_OF_PAIRS = ("S2", "N2")


@dataclass
class WordScores:
    """What the state scorer and the arc scores need of every word.

    products: (nF, N + 1, nH): the product of each word's vector with the weights of each position; the
        last row stands for an empty position.
    head_vectors, dep_vectors: (N, nA): the vectors whose dot product scores an arc.
    """

    products: Floats3d
    head_vectors: Floats2d
    dep_vectors: Floats2d


@dataclass
class ProductGradients:
    """The gradients of the products that states have used, position after position; see
    `losses.used_rows`.

    values: (R, nH). words: (R,) and starts: (nF + 1,), both on the CPU.
    """

    values: Floats2d
    words: numpy.ndarray
    starts: numpy.ndarray


@dataclass
class WordGradients:
    """The gradients of `WordScores`."""

    products: ProductGradients
    head_vectors: Floats2d
    dep_vectors: Floats2d


def TransitionScorer(nH: int, nA: int, nN: int) -> Model[Floats2d, WordScores]:
    """Make the layer that has all weights of the state scorer and of the arc scores.

    nH: hidden units. nA: width of the arc scores. nN: width of what a state shows of the vectors at all
    positions but the first N_FOCUS ones. The positions nF are those of the transition system; labels are
    added with `resize_labels`.
    """
    return Model(
        "narrow_transition_scorer",
        forward,
        init=init,
        # nP: in files; once there were maxout pieces
        dims={"nI": None, "nF": None, "nH": nH, "nP": 1, "nA": nA, "nN": nN},
        params={
            "W": None,  # (N_FOCUS * nH, nI)
            "narrow_W": None,  # (nN, nI)
            "others_W": None,  # ((nF - N_FOCUS) * nH, nN)
            "empty": None,  # (nF, nH)
            "bias": None,  # (nH,)
            "atoms": None,  # (rows, nH)
            "out_W": None,  # (nO, nH)
            "out_b": None,  # (nO,)
            "head_W": None,  # (nA, nI)
            "head_b": None,  # (nA,)
            "dep_W": None,
            "dep_b": None,
            "root": None,  # (nA,)
            "distance": None,  # (N_DISTANCES,)
        },
        attrs={"dropout_rate": 0.0},
    )


def narrow_positions(positions: Sequence[str], kind: str) -> list[str]:
    """Choose the positions of a system of that kind that a state shows; those of `FOCUS` come first."""
    left_out = (*LEFT_OUT, *LEFT_OUT_OF_PAIRS) if kind == "pairs" else LEFT_OUT
    return [*FOCUS, *(name for name in positions if name not in (*FOCUS, *left_out))]


def forward(
    model: Model, X: Floats2d, is_train: bool
) -> tuple[WordScores, Callable[[WordGradients], Floats2d]]:
    """Compute from the vectors of words (N, nI) what the state scorer and the arc scores need."""
    ops, xp = model.ops, model.ops.xp
    nF, nH = param(model, "empty").shape
    products: Any = ops.alloc3f(nF, X.shape[0] + 1, nH, zeros=False)

    def multiply(seen: Any, name: str, first: int) -> None:
        W = param(model, name).reshape(-1, nH, seen.shape[1])
        xp.matmul(seen, W.transpose(0, 2, 1), out=products[first : first + len(W), :-1])

    multiply(X, "W", 0)
    narrow: Any = X @ param(model, "narrow_W").T
    multiply(narrow, "others_W", N_FOCUS)
    products[:, -1] = model.get_param("empty")
    head_vectors, dep_vectors = (
        X @ param(model, f"{side}_W").T + param(model, f"{side}_b") for side in ("head", "dep")
    )

    def backprop(d_scores: WordGradients) -> Floats2d:
        dX = backprop_products(model, X, narrow, d_scores.products)
        sides: Any = (("head", d_scores.head_vectors), ("dep", d_scores.dep_vectors))
        for side, d_side in sides:
            model.inc_grad(f"{side}_W", d_side.T @ X)
            model.inc_grad(f"{side}_b", d_side.sum(axis=0))
            dX += d_side @ param(model, f"{side}_W")
        return dX

    return WordScores(products, head_vectors, dep_vectors), backprop


def backprop_products(
    model: Model, X: Floats2d, narrow: Floats2d, d_products: ProductGradients
) -> Any:
    """Compute the gradient of the vectors X. States look at about half of the products, so to go
    position by position is cheaper than to take all at once."""
    ops, xp = model.ops, model.ops.xp
    nF, nH = param(model, "empty").shape
    d_empty = xp.zeros_like(param(model, "empty"))

    def backprop_positions(positions: range, seen: Any, name: str) -> Any:
        W = param(model, name).reshape(len(positions), nH, -1)
        dW, d_seen = xp.zeros_like(W), xp.zeros_like(seen)
        for k, f in enumerate(positions):
            rows = slice(d_products.starts[f], d_products.starts[f + 1])
            words: Any = d_products.words[rows]
            values: Any = d_products.values[rows]
            if len(words) and words[-1] == len(X):
                d_empty[f] = values[-1]
                words, values = words[:-1], values[:-1]
            words = ops.asarray(words)
            xp.matmul(values.T, seen[words], out=dW[k])
            d_seen[words] += values @ W[k]
        model.inc_grad(name, dW.reshape(len(positions) * nH, -1))
        return d_seen

    dX = backprop_positions(range(N_FOCUS), X, "W")
    d_narrow = backprop_positions(range(N_FOCUS, nF), narrow, "others_W")
    model.inc_grad("narrow_W", d_narrow.T @ X)
    dX += d_narrow @ param(model, "narrow_W")
    model.inc_grad("empty", d_empty)
    return dX


def init(model: Model, X: Floats2d | None = None, Y: None = None) -> None:
    """Draw the weights, but for those of the labels."""
    nI, nF, nA, nH, nN = (model.get_dim(name) for name in ("nI", "nF", "nA", "nH", "nN"))
    # The sum over positions has unit variance at the start, and so has an arc score.
    scale = {"W": (nF * nI) ** -0.5, "head_W": (nI * nA**0.5) ** -0.5}
    model.set_param("narrow_W", normal(model, nI**-0.5, nN, nI))
    model.set_param("others_W", normal(model, (nF * nN) ** -0.5, (nF - N_FOCUS) * nH, nN))
    model.set_param("W", normal(model, scale["W"], N_FOCUS * nH, nI))
    model.set_param("empty", normal(model, nF**-0.5, nF, nH))
    model.set_param("bias", model.ops.alloc1f(nH))
    for side in ("head", "dep"):
        model.set_param(f"{side}_W", normal(model, scale["head_W"], nA, nI))
        model.set_param(f"{side}_b", model.ops.alloc1f(nA))
    model.set_param("root", model.ops.alloc1f(nA))
    model.set_param("distance", model.ops.alloc1f(N_DISTANCES))
    # Those of the labels come with `resize_labels`.
    for name in ("atoms", "out_W", "out_b"):
        model.set_param(name, None)


def param(model: Model, name: str) -> Any:
    """Get a parameter, without thinc's distinction of the number of axes."""
    return model.get_param(name)


def normal(model: Model, scale: float, *shape: int) -> Any:
    """Draw normally distributed numbers with this standard deviation."""
    values: Any = numpy.random.normal(0.0, scale, shape).astype("f")
    return model.ops.asarray(values)


def resize_labels(model: Model, moves: MoveNames, n_labels: int) -> None:
    """Give the atom rows and the output classes room for labels, keeping what is there.

    A new label beside others scores below their mean, so it changes no prediction until it is trained.
    By how much (1), and how far from 0 new atom rows start (0.1), are guesses that were not tuned.
    Arcs have a class even where no label is known: there is room for one at least.
    """
    n_labels = max(n_labels, 1)
    nH = model.get_dim("nH")
    n_classes = moves.n_classes(n_labels)
    larger: dict[str, Any] = {
        "atoms": normal(model, 0.1, n_atom_rows(n_labels), nH),
        "out_W": model.ops.alloc2f(n_classes, nH),
        "out_b": model.ops.alloc1f(n_classes),
    }
    for name, array in larger.items():
        if model.has_param(name):
            old = param(model, name)
            array[: old.shape[0]] = old
            if name != "atoms":
                for c in range(old.shape[0], n_classes):
                    array[c] = old[moves.same_move(c, old.shape[0])].mean(axis=0)
            if name == "out_b":
                array[old.shape[0] :] -= 1.0
        model.set_param(name, array)


def with_labels(model: Model, moves: MoveNames, n_labels: int) -> Model:
    """Make a scorer with the weights of this one and room for labels."""
    resized = without_params(model)
    for name in model.param_names:
        resized.set_param(name, model.get_param(name))
    resize_labels(resized, moves, n_labels)
    return resized


def without_params(model: Model) -> Model:
    """Make a scorer like this one, without weights. It is another node: this one has gradients in the
    shapes of its weights, and an optimizer keeps what it knows by node, in the shapes that it saw first.
    """
    made = TransitionScorer(*(model.get_dim(name) for name in ("nH", "nA", "nN")))
    made.ops = model.ops
    made.attrs.update(model.attrs)
    for name in ("nI", "nF"):
        made.set_dim(name, model.get_dim(name))
    return made


def BoundaryScorer(width: int) -> Model[list[Floats2d], list[Floats2d]]:
    """Make layers that score each word, above 0 if it starts a sentence: (n, 1) per doc. width: hidden
    units."""
    model: Model[list[Floats2d], list[Floats2d]] = chain(
        list2ragged(),
        with_array(chain(Maxout(nO=width, nP=2, normalize=True, dropout=0.0), Linear(nO=1))),
        ragged2list(),
    )
    model.set_dim("nO", 1)
    return taking_no_rows(model)
