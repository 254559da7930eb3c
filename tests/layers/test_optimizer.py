"""The fast Adam, against that of thinc."""

from inspect import signature

import numpy
import pytest
import thinc.api
from hypothesis import given
from hypothesis import strategies as st
from spacy.util import registry
from thinc.api import Linear, fix_random_seed

from spacy_nonmono.layers.adam import step
from spacy_nonmono.layers.optimizer import Adam, FastAdam

KEY = (1, "W")


def train(optimizer, *, shape=(7, 5), scale=1.0, lr_scale=1.0):
    """The weights after some steps with random gradients, and the optimizer's arrays."""
    rng = numpy.random.default_rng(0)
    weights = rng.normal(size=shape).astype("f")
    for _ in range(20):
        gradient = rng.normal(scale=scale, size=shape).astype("f")
        weights, gradient = optimizer(KEY, weights, gradient, lr_scale=lr_scale)
        optimizer.step_schedules()
        assert not gradient.any()
    kept = (optimizer.mom1, optimizer.mom2, optimizer.averages)
    return weights, *(arrays[KEY] for arrays in kept if arrays)


def assert_as_thinc(settings, **options):
    for expected, found in zip(
        train(thinc.api.Adam(**settings), **options), train(Adam(**settings), **options), strict=True
    ):
        numpy.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


@given(
    st.fixed_dictionaries(
        {"learn_rate": st.sampled_from([0.001, 0.1])},
        optional={
            "beta1": st.sampled_from([0.0, 0.5]),
            "beta2": st.just(0.9),
            "eps": st.just(1e-3),
            "L2": st.just(0.1),
            "L2_is_weight_decay": st.booleans(),
            "grad_clip": st.sampled_from([0.0, 0.1]),
            "use_averages": st.booleans(),
        },
    ),
    st.sampled_from([(1,), (3, 2), (16,), (33, 3), (2, 2, 5)]),
    st.sampled_from([0.0, 0.01, 10.0]),
    st.sampled_from([1.0, 0.5]),
)
def test_any_settings_do_what_they_do_in_thinc(settings, shape, scale, lr_scale):
    if settings.get("beta1") == 0.0:
        settings["beta2"] = 0.0  # thinc has no other
    assert_as_thinc(settings, shape=shape, scale=scale, lr_scale=lr_scale)


def test_schedules():
    assert_as_thinc({"learn_rate": [0.1, 0.01, 0.001]})


def test_a_model_learns_with_it():
    fix_random_seed(0)
    model = Linear(2, 3).initialize()
    optimizer = Adam(0.1, L2=0.0)
    X = numpy.random.default_rng(0).normal(size=(20, 3)).astype("f")
    target = X @ numpy.array([[1, -2], [0, 1], [3, 0]], dtype="f")
    for _ in range(1000):
        Y, backprop = model(X, is_train=True)
        backprop(Y - target)
        model.finish_update(optimizer)
    assert abs(model.predict(X) - target).max() < 0.05
    with model.use_params(optimizer.averages):
        assert abs(model.predict(X) - target).max() < 0.05


@pytest.mark.parametrize("n_strange", [1, 2, 3])  # the weights, the gradients, both
@pytest.mark.parametrize("strange", [numpy.asfortranarray, lambda array: array.astype("d")])
def test_arrays_that_c_does_not_read_are_trained_in_place(strange, n_strange):
    rng = numpy.random.default_rng(0)
    start, steps = rng.normal(size=(3, 4)).astype("f"), rng.normal(size=(5, 3, 4)).astype("f")
    found = []
    for bits in (0, n_strange):
        optimizer, weights = Adam(), start.copy()
        weights = strange(weights) if bits & 1 else weights
        for values in steps:
            gradient = strange(values) if bits & 2 else values.copy()
            optimizer(KEY, weights, gradient)
            assert not gradient.any()
        found.append([weights, optimizer.averages[KEY]])
    for expected, got in zip(*found, strict=True):
        numpy.testing.assert_allclose(got, expected, rtol=1e-5)
        assert abs(got - start).max() > 1e-4


def test_no_weights():
    empty = numpy.zeros((0, 3), dtype="f")
    assert Adam()(KEY, empty, empty.copy())[0].shape == (0, 3)


def test_arrays_of_other_lengths_are_refused():
    options = dict.fromkeys(("clip", "beta1", "beta2", "eps", "rate", "decay", "follow"), 0.5)
    for wrong in range(1, 5):
        arrays = [numpy.zeros(3 if i == wrong else 4, dtype="f") for i in range(5)]
        with pytest.raises(ValueError, match="NM020"):
            step(*arrays, **options)


def test_it_is_registered_with_the_settings_of_thinc():
    assert registry.optimizers.get("spacy-nonmono.Adam.v1") is Adam
    assert isinstance(Adam(), FastAdam)
    ours, theirs = (
        {name: one.default for name, one in signature(make).parameters.items()}
        for make in (Adam, thinc.api.Adam)
    )
    assert ours == theirs
