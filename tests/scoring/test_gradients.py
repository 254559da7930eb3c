"""Gradients of the state scorer, numerically."""

import numpy
import pytest
from thinc.api import CupyOps, Model, NumpyOps

from spacy_nonmono.scoring.classes import MoveNames
from spacy_nonmono.scoring.neural.atoms import n_atom_rows
from spacy_nonmono.scoring.neural.model import (
    N_FOCUS,
    ProductGradients,
    TransitionScorer,
    WordGradients,
    resize_labels,
)
from spacy_nonmono.training import losses
from spacy_nonmono.training.losses import (
    States,
    array_loss,
    boundary_loss,
    class_probabilities,
    state_loss,
    used_rows,
)
from spacy_nonmono.training.recorded_states import choice_loss

MOVES = MoveNames(("shift", "reduce", "no_arc"), ("left_arc", "right_arc"))
N_LABELS = 2
SHAPE = {"nI": 4, "nF": 3, "nH": 5, "nA": 8}


@pytest.fixture
def model() -> Model:
    numpy.random.seed(0)
    scorer = TransitionScorer(nH=SHAPE["nH"], nA=SHAPE["nA"], nN=2)
    scorer.set_dim("nI", SHAPE["nI"])
    scorer.set_dim("nF", SHAPE["nF"])
    scorer.initialize()
    resize_labels(scorer, MOVES, N_LABELS)
    for name in ("out_W", "out_b", "bias"):
        value = scorer.get_param(name)
        scorer.set_param(name, numpy.random.normal(0, 0.5, value.shape).astype("f"))
    return scorer


@pytest.fixture(params=["one focus each", "several foci"])
def states(request) -> States:
    rng = numpy.random.default_rng(1)
    S, nO = 5, MOVES.n_classes(N_LABELS)
    valid = rng.integers(0, 2, (S, nO)).astype("u1")
    valid[:, :3] = 1
    correct = numpy.zeros((S, nO), dtype="u1")
    correct[:, 1] = 1
    correct[::2, 2] = 1
    sizes = [1] * S
    if request.param == "several foci":
        sizes = [2, 1, 2]
        correct[[1, 4]] = 0  # a focus without a correct class
    return States(
        rng.integers(0, 5, (S, SHAPE["nF"])).astype("i"),
        rng.integers(0, n_atom_rows(N_LABELS), (S, 6)).astype("i"),
        valid,
        correct,
        numpy.array(sizes, dtype="i"),
    )


@pytest.fixture(params=["marked", "targets"])
def targets(request, states: States) -> numpy.ndarray | None:
    """Probabilities to learn, over all places of a configuration."""
    if request.param == "marked":
        return None
    shares = numpy.random.default_rng(4).uniform(0.1, 1, states.valid.shape) * states.valid
    starts = numpy.cumsum(states.sizes) - states.sizes
    totals = numpy.repeat(numpy.add.reduceat(shares.sum(axis=1), starts), states.sizes)
    return (shares / totals[:, None]).astype("f")


def loss_of(model: Model, X: numpy.ndarray, *states) -> tuple:
    """The loss, the gradient of the products, the backward pass; always with the same dropout."""
    words, backprop = model(X, is_train=True)
    numpy.random.seed(5)
    loss, d_products = state_loss(model, words.products, *states)
    none = numpy.zeros_like(words.head_vectors)
    return loss, d_products, lambda: backprop(WordGradients(d_products, none, none))


@pytest.mark.parametrize("drop", [0.0, 0.4])
def test_state_loss(model: Model, states: States, targets, drop: float) -> None:
    """Every parameter that a state reads, and the word vectors."""
    model.attrs["dropout_rate"] = drop
    X = numpy.random.default_rng(2).normal(0, 1, (4, SHAPE["nI"])).astype("f")
    _, _, backprop = loss_of(model, X, states, targets)
    checked = {"X": (X, backprop())}
    for name in ("W", "narrow_W", "others_W", "empty", "bias", "atoms", "out_W", "out_b"):
        checked[name] = (model.get_param(name), model.get_grad(name).copy())
    step = 2e-3  # a larger one reaches where another unit is zero
    rng = numpy.random.default_rng(3)
    for name, (array, gradient) in checked.items():
        used = numpy.argwhere(gradient != 0)
        assert len(used), name
        for index in map(tuple, rng.permutation(used)[:40]):
            array[index] += step
            above = loss_of(model, X, states, targets)[0]
            array[index] -= 2 * step
            below = loss_of(model, X, states, targets)[0]
            array[index] += step
            numeric = (above - below) / (2 * step)
            assert gradient[index] == pytest.approx(numeric, abs=2e-3, rel=2e-2), (name, index)


def test_products(model: Model) -> None:
    """Each is that of a vector, whole or narrow, with the weights of a position."""
    X = numpy.random.default_rng(2).normal(0, 1, (4, SHAPE["nI"])).astype("f")
    products = model.predict(X).products
    W = model.get_param("W").reshape(-1, SHAPE["nH"], SHAPE["nI"])
    assert len(W) == N_FOCUS
    others = model.get_param("others_W").reshape(-1, SHAPE["nH"], 2)
    weights = [*W, *(position @ model.get_param("narrow_W") for position in others)]
    assert products.shape[:2] == (len(weights), 5) == (SHAPE["nF"], 5)
    for f, position in enumerate(weights):
        numpy.testing.assert_allclose(products[f, :4], X @ position.T, atol=1e-5)
    numpy.testing.assert_array_equal(products[:, 4], model.get_param("empty"))


def test_without_hidden_units_nothing_is_learnt(model: Model, states: States) -> None:
    X = numpy.random.default_rng(2).normal(0, 1, (4, SHAPE["nI"])).astype("f")
    model.attrs["dropout_rate"] = 1.0
    _, d_products, _ = loss_of(model, X, states)
    assert not d_products.values.any()
    assert not model.get_grad("out_W").any() and model.get_grad("out_b").any()


@pytest.mark.parametrize("drop", [0.0, 0.4])
def test_same_with_array_operations(model: Model, states: States, targets, drop: float, monkeypatch):
    """As on a GPU, for which nothing is compiled."""
    model.attrs["dropout_rate"] = drop
    X = numpy.random.default_rng(2).normal(0, 1, (4, SHAPE["nI"])).astype("f")
    names = ("bias", "atoms", "out_W", "out_b")
    found = []
    for ops in (NumpyOps, CupyOps):
        monkeypatch.setattr(losses, "NumpyOps", ops)  # by which the two are told apart
        for name in names:
            model.set_grad(name, numpy.zeros_like(model.get_param(name)))
        loss, d_products, _ = loss_of(model, X, states, targets)
        probabilities = class_probabilities(model, model(X, is_train=True)[0].products, states)
        gradients = [model.get_grad(name).copy() for name in names]
        found.append([loss, probabilities, d_products.values, *gradients])
    for one, other in zip(*found, strict=True):
        numpy.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


def test_arc_vectors(model: Model) -> None:
    """The projections of the arc scores: a linear loss has known gradients."""
    rng = numpy.random.default_rng(4)
    X = rng.normal(0, 1, (4, SHAPE["nI"])).astype("f")
    words, backprop = model(X, is_train=True)
    d_heads, d_deps = (rng.normal(0, 1, (4, SHAPE["nA"])).astype("f") for _ in range(2))
    unused = ProductGradients(
        numpy.zeros((0, words.products.shape[2]), dtype="f"),
        numpy.zeros(0, dtype="i"),
        numpy.zeros(SHAPE["nF"] + 1, dtype="i"),
    )
    dX = backprop(WordGradients(unused, d_heads, d_deps))
    head_W, dep_W = model.get_param("head_W"), model.get_param("dep_W")
    numpy.testing.assert_allclose(dX, d_heads @ head_W + d_deps @ dep_W, rtol=1e-4, atol=1e-5)
    numpy.testing.assert_allclose(model.get_grad("head_W"), d_heads.T @ X, rtol=1e-4, atol=1e-5)
    numpy.testing.assert_allclose(model.get_grad("dep_b"), d_deps.sum(axis=0), rtol=1e-4)


@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_choice_loss(states: States, scale: float) -> None:
    """Equal to that of array operations, also where the correct classes score far below others."""
    shape = states.valid.shape
    scores = (scale * numpy.random.default_rng(5).normal(0, 1, shape)).astype("f")
    loss, gradient = choice_loss(scores, states.valid, states.correct, states.sizes)
    expected_loss, expected = array_loss(numpy, scores, states, None)
    assert loss == pytest.approx(expected_loss, rel=1e-5)
    numpy.testing.assert_allclose(gradient, expected, rtol=1e-4, atol=1e-6)


def test_used_rows() -> None:
    rng = numpy.random.default_rng(6)
    token_rows = rng.integers(0, 9, (7, 4)).astype("i")
    rows, words, starts = used_rows(token_rows, 8)
    numpy.testing.assert_array_equal(words[rows], token_rows)
    for f in range(4):
        used = slice(starts[f], starts[f + 1])
        numpy.testing.assert_array_equal(words[used], numpy.unique(token_rows[:, f]))
        assert ((rows[:, f] >= used.start) & (rows[:, f] < used.stop)).all()


def test_chunks_change_nothing(model: Model, states: States, monkeypatch) -> None:
    X = numpy.random.default_rng(2).normal(0, 1, (4, SHAPE["nI"])).astype("f")
    words, _ = model(X, is_train=True)
    whole, d_whole = state_loss(model, words.products, states)
    monkeypatch.setattr("spacy_nonmono.training.losses.CHUNK", 2)
    parts, d_parts = state_loss(model, words.products, states)
    assert parts == pytest.approx(whole, rel=1e-5)
    numpy.testing.assert_allclose(d_parts.values, d_whole.values, atol=1e-5)


def test_targets_equal_to_the_predictions_teach_nothing(model: Model, states: States) -> None:
    X = numpy.random.default_rng(2).normal(0, 1, (4, SHAPE["nI"])).astype("f")
    words, _ = model(X, is_train=True)
    targets = class_probabilities(model, words.products, states)
    _, d_products = state_loss(model, words.products, states, targets)
    numpy.testing.assert_allclose(d_products.values, 0.0, atol=1e-6)


def test_boundary_loss(model: Model) -> None:
    """The first word and words without annotation are skipped."""
    scores = [numpy.array([[0.3], [-0.2], [1.5], [0.1]], dtype="f")]
    starts = [numpy.array([1, 1, -1, 0], dtype="i")]
    loss, (gradient,) = boundary_loss(model, scores, starts)
    sigmoid = 1 / (1 + numpy.exp(-scores[0][:, 0].astype("float64")))
    assert loss == pytest.approx(-numpy.log(sigmoid[1]) - numpy.log(1 - sigmoid[2]), rel=1e-5)
    expected = [0.0, sigmoid[1] - 1, sigmoid[2], 0.0]
    numpy.testing.assert_allclose(gradient[:, 0], expected, atol=1e-6)
