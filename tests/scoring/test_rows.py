"""The rows of a configuration against a slow reading of the Python view, on random walks."""

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono import get_system, list_systems
from spacy_nonmono.scoring.arcs import arc_probabilities
from spacy_nonmono.scoring.neural import (
    N_FIXED_ROWS,
    max_pieces,
    n_atom_rows,
    place_slots,
    spread_pieces,
    state_rows,
)
from spacy_nonmono.scoring.places import COLLOCATES

from ..decoding.util import flatten_links, random_links
from ..naive.templates import positions

LABELS = ["a", "b"]
N_LABEL_ATOMS = 10
# The blocks of the atom table: where each begins, in the order of the rows of a state.
SIMPLE = numpy.cumsum([0, 10, 64, 36, 16])
LIMITS = [0.003, 0.01, 0.03, 0.08, 0.18, 0.35, 0.5, 0.65, 0.82, 0.92, 0.98]


def naive_positions(
    stack: list[int], buffer: list[int], heads: list[int], links: list[list[int]]
) -> dict[str, int]:
    found = positions(stack, buffer, heads, links)
    return {name: -1 if word is None else word for name, word in found.items()}


def bucket(p: float) -> int:
    return 1 + sum(p >= limit for limit in LIMITS)


def naive_arc_buckets(state, words, probs_NN, roots_N) -> list[int | None]:
    """None where a probability is too close to the edge of a bucket to tell."""
    heads, n = state.heads, len(state.heads)
    l, r, below = words["S0"], words["N0"], words["S1"]  # noqa: E741
    values: list[float | None] = [None] * 15
    if l >= 0:
        values[0], values[1] = probs_NN[l, :l].sum(), roots_N[l]
        values[2] = probs_NN[l, heads[l]] if heads[l] >= 0 else None
        if below >= 0:
            values[3], values[4] = probs_NN[l, below], probs_NN[below, l]
    if r >= 0:
        values[5], values[6] = probs_NN[r, r + 1 :].sum(), roots_N[r]
        values[7] = probs_NN[r, heads[r]] if heads[r] >= 0 else None
        values[8] = probs_NN[r, below] if below >= 0 else None
    if l >= 0 and r >= 0:
        values[9], values[10] = probs_NN[r, l], probs_NN[l, r]
        values[11], values[12] = probs_NN[l, r + 1 :].sum(), probs_NN[r, :l].sum()
        values[13] = probs_NN[r + 1 :, l].max() if r + 1 < n else 0.0
        values[14] = probs_NN[:l, r].max() if l > 0 else 0.0
    out: list[int | None] = []
    for value in values:
        if value is None:
            out.append(0)
        elif bucket(value - 1e-5) != bucket(value + 1e-5):
            out.append(None)
        else:
            out.append(bucket(value))
    return out


@pytest.mark.parametrize("name", list_systems())
@given(st.integers(1, 9), st.lists(st.integers(0, 30), max_size=30), st.integers(0, 5))
def test_rows(name: str, n: int, choices: list[int], seed: int) -> None:
    system = get_system(name)
    state = system.initial_state(n)
    if state.is_final:
        return
    first = system.valid_moves(state)[0]
    system.apply(state.copy(), first, label=LABELS[0], insert_label=LABELS[1])
    for choice in choices:
        moves = system.valid_moves(state)
        if not moves:
            break
        label = LABELS[choice % 2]
        system.apply(state, moves[choice % len(moves)], label=label, insert_label=label)
    rng = numpy.random.default_rng(seed)
    arrays = [rng.normal(0, 0.8, shape).astype("f") for shape in ((n, 8), (n, 8), (8,), (18,))]
    places = sorted({place for _, place in system.valid_moves(state)}) if system.list_based else [0]
    place = places[seed % len(places)] if places else 0
    links = random_links(rng, [n])
    looked_at = [*system.positions, *COLLOCATES]
    slots = place_slots(looked_at)
    token_rows, atom_rows = state_rows(system, state, slots, *arrays, flatten_links(links), place)
    stack, buffer = state.stack, state.buffer
    if system.list_based:
        stack, buffer = state.pending[: place + 1], state.pending[place + 1 :]
    elif name == "arc_standard":  # its arcs join the two topmost stack words
        stack, buffer = stack[:-1], (stack[-1:] or [-1]) + buffer
    words = naive_positions(stack, buffer, state.heads, links)
    expected = [n if words[position] < 0 else words[position] for position in looked_at]
    assert token_rows.tolist() == expected
    probs_NN, roots_N = arc_probabilities(*arrays)
    for k, found in enumerate(naive_arc_buckets(state, words, probs_NN, roots_N)):
        if found is not None:
            assert atom_rows[4 + k] == SIMPLE[4] + k * 13 + found, k
    labelled = ["S0", "N0", "S1", "S0h", "S0l", "S0r", "S0l2", "S0r2", "N0l", "N0l2"]
    for slot, position in enumerate(labelled):
        label = state.labels[words[position]] if words[position] >= 0 else ""
        row = N_FIXED_ROWS + slot + N_LABEL_ATOMS * (1 + LABELS.index(label) if label else 0)
        assert atom_rows[19 + slot] == row
    s0, n0 = words["S0"], words["N0"]
    left_of_s0, right_of_s0, left_of_n0 = (
        0 if word < 0 else min(3, sum(state.heads[k] == word for k in kids))
        for word, kids in ((s0, range(s0)), (s0, range(s0 + 1, n)), (n0, range(n0)))
    )
    assert atom_rows[1] == SIMPLE[1] + 16 * left_of_s0 + 4 * right_of_s0 + left_of_n0
    headed = [0 if word < 0 else 1 + (state.heads[word] >= 0) for word in (s0, n0)]
    assert (atom_rows[2] - SIMPLE[2]) // 4 == 3 * headed[0] + headed[1]
    assert (atom_rows[:4] >= SIMPLE[:4]).all() and (atom_rows[:4] < SIMPLE[1:]).all()
    assert atom_rows.max() < n_atom_rows(len(LABELS))


@given(st.integers(0, 4), st.integers(1, 4), st.integers(1, 5), st.integers(0, 9))
def test_pieces(S: int, nP: int, nH: int, seed: int) -> None:
    rng = numpy.random.default_rng(seed)
    pre = rng.integers(-2, 3, (S, nP, nH)).astype("f")
    hidden, which = max_pieces(pre)
    assert hidden.tolist() == pre.max(axis=1).tolist()
    assert which.tolist() == pre.argmax(axis=1).tolist()
    d_hidden = rng.normal(size=(S, nH)).astype("f")
    d_pre = spread_pieces(d_hidden, which, nP).reshape(S, nP, nH)
    expected = d_hidden[:, None] * (numpy.arange(nP)[:, None] == which[:, None])
    assert d_pre.tolist() == expected.tolist()
