"""Features of the linear scorer against a slow reading of the templates, on random walks."""

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_nonmono import get_system, list_systems
from spacy_nonmono.scoring.linear.linear import mix_values, state_features
from spacy_nonmono.scoring.linear.template_sets import (
    BROWN_TEMPLATES,
    COLLOCATION_TEMPLATES,
    COVINGTON_TEMPLATES,
    FOCUS_PAIR_TEMPLATES,
    FORM_TEMPLATES,
    WINDOW_TEMPLATES,
    ZHANG_NIVRE_TEMPLATES,
    default_templates,
)
from spacy_nonmono.scoring.linear.templates import WORD_KINDS, Templates
from spacy_nonmono.transitions.positions import POSITION_NAMES

from ..naive.templates import collocate_features, positions, waiting_collocates
from ..naive.templates import features as naive_features

LABELS = ["a", "b"]
SETS = (
    ZHANG_NIVRE_TEMPLATES,
    COVINGTON_TEMPLATES,
    FOCUS_PAIR_TEMPLATES,
    FORM_TEMPLATES,
    BROWN_TEMPLATES,
    COLLOCATION_TEMPLATES,
    tuple(f"{name}.w" for name in POSITION_NAMES),
)
ALL = Templates(list(dict.fromkeys(name for names in SETS for name in names))).names


def walk(system, n, choices):
    state = system.initial_state(n)
    moves = system.valid_moves(state)
    if moves:
        # Copies share the label ids
        system.apply(state.copy(), moves[0], label=LABELS[0])
    for choice in choices:
        moves = system.valid_moves(state)
        if not moves:
            break
        label = LABELS[choice % 2]
        system.apply(state, moves[choice % len(moves)], label=label)
    return state


def read(system, state, focus):
    """Stack and buffer as the templates see them."""
    if system.kind == "list":
        return state.pending[: focus + 1], state.pending[focus + 1 :]
    if system.name in ("arc_standard", "arc_swap"):  # their arcs join the two topmost stack words
        return state.stack[:-1], (state.stack[-1:] or [-1]) + state.buffer
    return state.stack, state.buffer


class Configuration:
    """A configuration on a random walk, random values of its words, and random collocates."""

    def __init__(self, name, n, choices, seed):
        self.system = get_system(name)
        self.state = walk(self.system, n, choices)
        moves = self.system.valid_moves(self.state)
        foci = sorted({focus for _, focus in moves}) if self.system.kind == "list" else [0]
        self.focus = foci[seed % len(foci)] if foci else 0
        rng = numpy.random.default_rng(seed)
        self.matrix = rng.integers(0, 3, (n, len(WORD_KINDS))).astype("uint64")  # 0: missing
        self.linked = [sorted({int(k) for k in rng.integers(0, n, 5)} - {w}) for w in range(n)]
        self.columns = {
            kind: [int(value) or None for value in self.matrix[:, k]]
            for k, kind in enumerate(WORD_KINDS)
        }
        mix_values(self.matrix)

    def positions(self, window):
        stack, buffer = read(self.system, self.state, self.focus)
        words = positions(stack, buffer, self.state.heads, self.linked, window)
        if "CL" not in self.system.positions:
            words["CL"] = words["CR"] = None
        return words

    def naive_features(self, templates, window):
        state = self.state
        return naive_features(
            templates, self.positions(window), self.columns, state.heads, state.labels
        )

    def features(self, templates, linked, window):
        sizes = [len(words) for words in linked]
        collocates = (
            numpy.cumsum([0, *sizes]).astype("i"),
            numpy.array([w for words in linked for w in words], dtype="i"),
        )
        args = (templates, self.system, self.state, self.matrix, collocates, self.focus, window)
        return state_features(*args).tolist()


configurations = given(
    st.integers(1, 12), st.lists(st.integers(0, 30), max_size=40), st.integers(0, 9), st.integers(0, 2)
)


@pytest.mark.parametrize("name", list_systems())
@configurations
def test_features(name, n, choices, seed, window):
    it = Configuration(name, n, choices, seed)
    expected = it.naive_features(ALL, window)
    found = it.features(Templates(ALL), it.linked, window)
    assert [feature is None for feature in expected] == [feature == 0 for feature in found]
    # Other values are other features
    seen = [feature for feature in expected if feature is not None]
    assert len(set(seen)) == len(set(found) - {0})


@pytest.mark.parametrize("name", list_systems())
@settings(max_examples=50)
@configurations
def test_features_of_all_collocates(name, n, choices, seed, window):
    """They are those of every collocate as if it were the only one, each once."""
    it = Configuration(name, n, choices, seed)
    both = Templates([*FORM_TEMPLATES, *COLLOCATION_TEMPLATES], all_collocates=True)
    assert sorted(both.names[-len(COLLOCATION_TEMPLATES) :]) == sorted(COLLOCATION_TEMPLATES)
    found = it.features(both, it.linked, window)
    n_forms = len(FORM_TEMPLATES)
    if any(it.linked):
        assert found[:n_forms] == it.features(Templates(FORM_TEMPLATES), it.linked, window)
    each = found[n_forms:]
    assert len(set(each)) == len(each) and 0 not in each
    words = it.positions(window)
    waiting = waiting_collocates(words, it.state.heads, it.linked, window)
    expected = collocate_features(
        COLLOCATION_TEMPLATES, words, waiting, it.columns, it.state.heads, it.state.labels
    )
    assert len(each) == len(expected)
    one_by_one = set()
    for word in range(n):
        for collocate in it.linked[word]:
            alone = [[collocate] if w == word else [] for w in range(n)]
            one_by_one |= set(it.features(Templates(COLLOCATION_TEMPLATES), alone, window))
    assert set(each) == one_by_one - {0}


def test_two_collocates_in_a_template():
    names = ["S0.w S0kl.w", "S0kl.w S0kr.w", "N0.w"]
    assert Templates(names).names == ("S0.w S0kl.w", "S0kl.w S0kr.w", "N0.w")
    with pytest.raises(ValueError, match=r"NM173.*'S0kl.w S0kr.w'"):
        Templates(names, all_collocates=True)


@pytest.mark.parametrize("window", [-1, 3])
def test_impossible_window(window):
    it = Configuration("arc_eager", 3, [], 0)
    with pytest.raises(ValueError, match=r"NM020.*collocate_window"):
        it.features(Templates(ALL), it.linked, window)


def test_features_of_two_configurations():
    """The same values give the same features, whatever the template list and the sentence."""
    system = get_system("arc_eager")
    matrix = numpy.array([[5] * len(WORD_KINDS), [7] * len(WORD_KINDS)], dtype="uint64")
    mix_values(matrix)
    state = walk(system, 2, [0])
    found = dict(zip(ALL, state_features(Templates(ALL), system, state, matrix), strict=True))
    some = Templates(["N0.w", "S0.w N0.w", "N0.w d", "S0.w"]).names
    for template, feature in zip(
        some, state_features(Templates(some), system, state, matrix), strict=True
    ):
        assert feature == found.get(template, feature)
    longer = numpy.concatenate([matrix, matrix])
    features = state_features(Templates(some), system, walk(system, 4, [0]), longer)
    assert features[some.index("S0.w N0.w")] == found["S0.w N0.w"]


def test_templates_without_values_are_left_out():
    columns = tuple(kind if kind in ("w", "shape") else None for kind in WORD_KINDS)
    kept = Templates(ZHANG_NIVRE_TEMPLATES, columns).names
    assert sorted(kept) == sorted(t for t in ZHANG_NIVRE_TEMPLATES if ".p" not in t)


@pytest.mark.parametrize("kind", ["stack and buffer", "list", "pairs"])
def test_defaults_compile(kind):
    names = default_templates(kind)
    assert sorted(Templates(names).names) == sorted(names)
    assert sorted(Templates(WINDOW_TEMPLATES).names) == sorted(WINDOW_TEMPLATES)


def test_numbers_of_templates():
    """As the papers' tables count them."""
    assert len(ZHANG_NIVRE_TEMPLATES) == 84
    assert len(COVINGTON_TEMPLATES) == 87


@pytest.mark.parametrize("wrong", ["S0.x", "S9.w", "S0", "", "S0.w N0.", "S0.w  d.w"])
def test_unknown_atom(wrong):
    with pytest.raises(ValueError, match=r"NM030.*" + (wrong.split() or [""])[-1]):
        Templates(["N0.w", wrong])


def test_same_atoms_twice():
    with pytest.raises(ValueError, match=r"NM031.*S0.w N0.p.*N0.p S0.w"):
        Templates(["S0.w N0.p", "S0.p", "N0.p S0.w"])
