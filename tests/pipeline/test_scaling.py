"""The scaling that turns the scores of arcs into probabilities: what it computes, how it is fitted, and
that a parser keeps it."""

import math

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono.evaluation.calibration import fit_scores
from spacy_nonmono.pipeline.dep_scores import RIDGE, Scaling
from spacy_nonmono.pipeline.saved import ABSENT, check_described

from .test_dep_scores import scores
from .util import NAME, blank, initialized

pytestmark = pytest.mark.usefixtures("own_extensions")
TEXT = "foxes and owls hunt mice ."


@given(score=st.floats(0.001, 0.999), slope=st.floats(-3, 3), shift=st.floats(-3, 3))
def test_scaled_log_odds(score, slope, shift):
    (found,) = Scaling(slope, shift).scale(numpy.array([score]))
    odds = (score / (1 - score)) ** slope * math.exp(shift)
    assert found == pytest.approx(odds / (1 + odds))


def test_without_scaling_nothing_changes():
    ends = numpy.array([0, 1, 0.3], dtype="f")
    assert Scaling().scale(ends) is ends
    found = Scaling(0.5, 1.0).scale(ends)
    assert 0 <= found[0] < 0.01 and 0.99 < found[1] <= 1


def naive_loss(slope: float, shift: float, words: list[tuple[float, bool]]) -> float:
    n_right = sum(right for _, right in words)
    n_wrong = len(words) - n_right
    loss = RIDGE / 2 * ((slope - 1) ** 2 + shift**2)
    for score, right in words:
        log_odds = max(-16.0, min(16.0, math.log(score / (1 - score))))
        prob = 1 / (1 + math.exp(-slope * log_odds - shift))
        target = (n_right + 1) / (n_right + 2) if right else 1 / (n_wrong + 2)
        loss -= target * math.log(prob) + (1 - target) * math.log(1 - prob)
    return loss


@given(
    words=st.lists(st.tuples(st.floats(0.01, 0.99), st.booleans()), min_size=1, max_size=20),
)
def test_nothing_near_the_fit_is_likelier(words):
    found = Scaling.fit(*(numpy.array(column) for column in zip(*words, strict=True)))
    best = naive_loss(*found, words)
    for slope in (-0.01, 0, 0.01):
        for shift in (-0.01, 0, 0.01):
            assert naive_loss(found.slope + slope, found.shift + shift, words) >= best - 1e-9


def test_extremes_are_finite():
    ends = numpy.array([0.0, 1.0] * 50)
    for right in (ends > 0.5, ends < 0.5, ends >= 0, ends < 0):
        assert numpy.isfinite(Scaling.fit(ends, right)).all()
    assert Scaling.fit(ends[:0], ends[:0] > 0) == pytest.approx(Scaling())


def test_temperature_is_found_again():
    """Probabilities that were made too sure of themselves."""
    rng = numpy.random.default_rng(0)
    probs = rng.uniform(0.05, 0.95, 50_000)
    found = Scaling.fit(Scaling(2.5, -0.5).scale(probs), rng.uniform(size=len(probs)) < probs)
    assert found.slope == pytest.approx(1 / 2.5, rel=0.05)
    assert found.shift == pytest.approx(0.5 / 2.5, abs=0.05)


def test_parser_scales_and_keeps_it(tmp_path):
    nlp = initialized()
    parser = nlp.get_pipe(NAME)
    parser.dep_scores = True
    plain = scores(nlp(TEXT))
    parser.scaling = Scaling(0.5, 0.25)
    expected = Scaling(0.5, 0.25).scale(numpy.array(plain)).tolist()
    assert scores(nlp(TEXT)) == pytest.approx(expected)
    nlp.to_disk(tmp_path / "saved")
    for loaded in (blank().from_disk(tmp_path / "saved"), blank().from_bytes(nlp.to_bytes())):
        loaded.get_pipe(NAME).dep_scores = True
        assert loaded.get_pipe(NAME).scaling == parser.scaling
        assert scores(loaded(TEXT)) == pytest.approx(expected)


def test_a_fit_that_fails_changes_nothing(tmp_path):
    nlp = initialized()
    parser = nlp.get_pipe(NAME)
    parser.scaling = Scaling(0.5, 0.25)
    with pytest.raises(FileNotFoundError, match=r"\[NM080\]"):
        fit_scores(nlp, tmp_path / "gone.conllu")
    assert parser.scaling == Scaling(0.5, 0.25)


@pytest.mark.parametrize("found", [None, 1, [1.0], [1.0, "2"], [1.0, math.nan], [True, [2]]])
def test_damaged(found):
    """A scaling of something else is refused; none is that of an earlier version."""
    with pytest.raises(ValueError, match=r"\[NM037\].*the scaling"):
        check_described({**ABSENT, "labels": [], "moves": {"plain": [], "arcs": []}, "scaling": found})
