"""Room for new labels in the weights of the neural scorer."""

import numpy
import pytest

from spacy_nonmono.scoring.classes import MoveNames
from spacy_nonmono.scoring.neural.atoms import n_atom_rows
from spacy_nonmono.scoring.neural.model import TransitionScorer, resize_labels, with_labels

MOVES = MoveNames(("shift", "swap"), ("left_arc", "right_arc"))
NAMES = ("atoms", "out_W", "out_b")


def scorer(n_labels):
    numpy.random.seed(0)
    model = TransitionScorer(nH=3, nA=4, nN=2)
    model.set_dim("nI", 5)
    model.set_dim("nF", 2)
    model.initialize()
    resize_labels(model, MOVES, n_labels)
    for name in NAMES:
        model.set_param(name, numpy.random.normal(0, 1, model.get_param(name).shape).astype("f"))
    return model


@pytest.mark.parametrize(("n_before", "n_after"), [(1, 2), (2, 3), (3, 5)])
def test_new_labels(n_before, n_after):
    """What is there stays; a new label scores below the mean of the others, left arcs and right arcs
    apart."""
    before = scorer(n_before)
    after = with_labels(before, MOVES, n_after)
    hidden = numpy.random.normal(0, 1, (4, 3))
    scores = []
    for model, n in ((before, n_before), (after, n_after)):
        atoms, out_W, out_b = (model.get_param(name) for name in NAMES)
        assert len(atoms) == n_atom_rows(n) and len(out_W) == len(out_b) == MOVES.n_classes(n)
        scores.append(hidden @ out_W.T + out_b)
    old, new = scores
    n_fixed = len(MOVES.plain)
    numpy.testing.assert_array_equal(new[:, : old.shape[1]], old)
    for side in range(2):
        lower = old[:, n_fixed + side :: 2].mean(axis=1, keepdims=True) - 1
        found = new[:, old.shape[1] + side :: 2]
        assert found.shape[1] == n_after - n_before
        numpy.testing.assert_allclose(found, numpy.repeat(lower, found.shape[1], 1), rtol=1e-4)
    n_rows = n_atom_rows(n_before)
    numpy.testing.assert_array_equal(after.get_param("atoms")[:n_rows], before.get_param("atoms"))
    assert (abs(after.get_param("atoms")[n_rows:]) < 1).all()


def test_room_for_one_label_at_least():
    model = scorer(0)
    assert len(model.get_param("out_b")) == MOVES.n_classes(1) == MOVES.n_classes(0) == 4
