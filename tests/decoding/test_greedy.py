"""The batched decoder against a slow one that drives the Python view and numpy."""

from functools import partial

import numpy
import pytest

from spacy_nonmono import get_system
from spacy_nonmono.decoding.neural_batch import NeuralBatch
from spacy_nonmono.scoring.arcs import arc_probabilities
from spacy_nonmono.scoring.neural import n_atom_rows, n_classes, place_slots, state_rows
from spacy_nonmono.scoring.places import COLLOCATES

from .util import (
    SYSTEMS,
    flatten_links,
    make_system,
    naive_scored_parse,
    random_links,
)

LABELS = ["a", "b", "c"]
nH, nP, nA = 6, 2, 8


def make_weights(rng: numpy.random.Generator) -> dict[str, numpy.ndarray]:
    shapes = {
        "atoms": (n_atom_rows(len(LABELS)), nP * nH),
        "bias": (nP * nH,),
        "out_W": (n_classes(len(LABELS)), nH),
        "out_b": (n_classes(len(LABELS)),),
        "root": (nA,),
        "distance": (18,),
    }
    return {name: rng.normal(0, 0.7, shape).astype("f") for name, shape in shapes.items()}


def naive_scores(
    system, state, place, slots, products, weights, heads_NA, deps_NA, collocates
) -> numpy.ndarray:
    token_rows, atom_rows = state_rows(
        system, state, slots, heads_NA, deps_NA, weights["root"], weights["distance"], collocates, place
    )
    pre = weights["bias"].copy()
    for f, row in enumerate(token_rows):
        pre += products[row, f]
    pre += weights["atoms"][atom_rows].sum(axis=0)
    hidden = pre.reshape(nP, nH).max(axis=0)
    return weights["out_W"] @ hidden + weights["out_b"]


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("linked", [False, True], ids=["", "linked"])
def test_same_as_naive(name: str, seed: int, linked: bool) -> None:
    """More sentences than slots, of very different lengths, in one batch."""
    rng = numpy.random.default_rng(seed)
    system = make_system(name)
    weights = make_weights(rng)
    lengths = rng.integers(0, 14, 90).astype("i")
    N = int(lengths.sum())
    slots = place_slots([*system.positions, *(COLLOCATES if linked else ())])
    products = rng.normal(0, 0.7, (N + 1, len(slots), nP * nH)).astype("f")
    heads_NA, deps_NA = (rng.normal(0, 0.7, (N, nA)).astype("f") for _ in range(2))
    links = random_links(rng, lengths) if linked else None
    batch = NeuralBatch(
        system,
        lengths,
        products,
        heads_NA,
        deps_NA,
        weights,
        slots,
        nP,
        flatten_links(links),
    )
    batch.parse()
    assert batch.scores is None
    parsed = batch.heads.copy(), batch.labels.copy()
    batch.parse(scores=True)
    assert numpy.array_equal(parsed, (batch.heads, batch.labels))
    start = 0
    for n in lengths[:40]:
        part = slice(start, start + n)
        start += int(n)
        if n == 0:
            continue
        scores = partial(
            naive_scores,
            system,
            slots=slots,
            collocates=flatten_links(links and links[part]),
            products=numpy.concatenate([products[part], products[-1:]]),
            weights=weights,
            heads_NA=heads_NA[part],
            deps_NA=deps_NA[part],
        )
        state, expected = naive_scored_parse(system, n, LABELS, scores)
        heads, labels = state.heads, state.labels
        found = batch.heads[part].tolist()
        assert found.count(-1) == 1
        if heads.count(-1) == 1:
            assert found == heads
            ids = [LABELS.index(label) if label else -1 for label in labels]
            assert batch.labels[part].tolist() == ids
        else:
            check_rest(system, found, heads, heads_NA[part], deps_NA[part], weights)
        probs_NN, roots_N = arc_probabilities(
            heads_NA[part], deps_NA[part], weights["root"], weights["distance"]
        )
        for d, h in enumerate(found):
            if expected[d] is None:
                expected[d] = roots_N[d] if h < 0 else probs_NN[d, h]
        assert batch.scores[part] == pytest.approx(expected, rel=1e-4, abs=1e-6)


def check_rest(system, found, heads, heads_NA, deps_NA, weights) -> None:
    """The likeliest root stays; the others go to it or, if arcs may cross, to their likeliest head."""
    probs_NN, roots_N = arc_probabilities(heads_NA, deps_NA, weights["root"], weights["distance"])
    headless = [d for d, h in enumerate(heads) if h < 0]
    root = max(headless, key=lambda d: roots_N[d])
    expected = list(heads)
    for d in headless:
        if d == root:
            continue
        expected[d] = root
        if not system.projective:
            free = [h for h in range(len(heads)) if not below(expected, h, d)]
            expected[d] = max(free, key=lambda h: (probs_NN[d, h], h == root))
    assert found == expected


def below(heads: list[int], word: int, ancestor: int) -> bool:
    """The word is the ancestor or lies below it; `ancestor` itself counts as without head."""
    while word >= 0 and word != ancestor:
        word = heads[word]
    return word == ancestor


@pytest.mark.parametrize("name", ["covington", "covington_nonmonotonic"])
def test_max_distance(name: str) -> None:
    rng = numpy.random.default_rng(0)
    system = get_system(name)
    lengths = numpy.array([40], dtype="i")
    products = rng.normal(0, 0.7, (41, len(system.positions), nP * nH)).astype("f")
    vectors = [rng.normal(0, 0.1, (40, nA)).astype("f") for _ in range(2)]
    weights = make_weights(rng)
    weights["out_b"][: n_classes(0)] = -50  # never Shift or No-Arc while an arc is valid
    slots = place_slots(system.positions)
    batch = NeuralBatch(system, lengths, products, *vectors, weights, slots, nP, None, 1)
    batch.parse()
    assert batch.heads.tolist().count(-1) == 1
