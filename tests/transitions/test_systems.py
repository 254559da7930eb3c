"""The public API of the systems: moves, states, errors, and long random walks beside the twins."""

import pickle
import random
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_nonmono import get_system, list_systems
from tests import naive
from tests.lockstep import NAMES, assert_same, compiled
from tests.naive import TWINS

LABELS = ("nsubj", "obj", "dep")
LISTS = [name for name in NAMES if isinstance(TWINS[name], naive.ListSystem)]


def choices(max_words: int) -> st.SearchStrategy[tuple[int, list[tuple[int, int]]]]:
    """A number of words, and more (move, label) draws than any derivation needs."""
    step = st.tuples(st.integers(0, 99), st.integers(0, 2))
    return st.integers(0, max_words).flatmap(
        lambda n: st.tuples(st.just(n), st.lists(step, min_size=4 * n, max_size=n * n + 4 * n))
    )


def test_list_systems() -> None:
    names = list(list_systems())
    assert sorted(names) == sorted({twin.name for twin in TWINS.values()})
    for name in names:
        get_system(name)


def test_unknown_system() -> None:
    with pytest.raises(ValueError, match="NM001"):
        get_system("no_such_system")


def right_arc_in(valid: list[Any]) -> Any:
    """The right arc among the valid moves, in a list system the last one; None if there is none."""
    return next((move for move in reversed(valid) if naive.kind(move) == "right_arc"), None)


def test_options() -> None:
    """They survive pickling; those that a system does not have are refused."""
    for fine in (False, True):
        system = get_system("yamada_matsumoto", fine_grained_shift=fine)
        assert pickle.loads(pickle.dumps(system)).fine_grained_shift is fine
    for name in list_systems():
        assert type(pickle.loads(pickle.dumps(get_system(name)))) is type(get_system(name))
        with pytest.raises(ValueError, match="NM011"):
            get_system(name, coarse=True)
    with pytest.raises(ValueError, match="NM011"):
        get_system("easy_first", fine_grained_shift=True)


@pytest.mark.parametrize("name", NAMES)
def test_bad_number_of_words(name: str) -> None:
    with pytest.raises(ValueError, match="NM009"):
        compiled(name).initial_state(-1)


@pytest.mark.parametrize("name", NAMES)
def test_no_words(name: str) -> None:
    system = compiled(name)
    state = system.initial_state(0)
    assert state.is_final
    assert system.valid_moves(state) == []
    assert state.heads == state.labels == list(system.heads(state)) == []
    assert_same(system, state, TWINS[name], TWINS[name].initial(0))


def moves_to_try(name: str) -> list[Any]:
    names = (*naive.MOVES, "", "SHIFT")
    return list(product(names, range(-2, 5))) if name in LISTS else list(names)


@pytest.mark.parametrize("name", NAMES)
def test_invalid_moves(name: str) -> None:
    """Refused with a coded error in every short configuration, and nothing changes."""
    system, twin = compiled(name), TWINS[name]
    pairs = [(twin.initial(3), system.initial_state(3))]
    for config, state in pairs:
        key = state.key()
        valid = twin.valid(config)
        for move in moves_to_try(name):
            if move in valid:
                after = state.copy()
                system.apply(after, move)
                pairs.append((twin.apply(config, move), after))
            else:
                with pytest.raises(ValueError, match="NM003"):
                    system.apply(state, move)
        assert state.key() == key
        assert_same(system, state, twin, config)


def test_state_of_another_system() -> None:
    for name, other in product(NAMES, NAMES):
        if TWINS[name].name == TWINS[other].name:
            continue
        system, state = compiled(name), compiled(other).initial_state(2)
        with pytest.raises(ValueError, match="NM008"):
            system.apply(state, system.valid_moves(system.initial_state(2))[0])
        with pytest.raises(ValueError, match="NM008"):
            system.valid_moves(state)


@pytest.mark.parametrize("name", NAMES)
def test_copies_are_independent(name: str) -> None:
    system = compiled(name)
    state = system.initial_state(4)
    while not state.is_final:
        copy = state.copy()
        assert copy.key() == state.key()
        heads, labels, key = state.heads, state.labels, state.key()
        system.apply(copy, system.valid_moves(copy)[-1], label="obj")
        assert copy.key() != key
        assert (state.heads, state.labels, state.key()) == (heads, labels, key)
        state = copy


@pytest.mark.parametrize("name", NAMES)
def test_views_are_copies(name: str) -> None:
    """Writing into the lists that a state gives does not change the state."""
    system = compiled(name)
    state = system.initial_state(3)
    key = state.key()
    views = [state.heads, state.labels, state.stack, state.buffer]
    if name in LISTS:
        views.append(state.pending)
    for view in views:
        view.append(0)
    assert len(state.heads) == len(state.labels) == 3
    assert state.key() == key


@pytest.mark.parametrize("name", NAMES)
def test_keys(name: str) -> None:
    """Equal for the same configuration reached apart; not for another sentence, head or label."""
    system = compiled(name)

    def state_after(n: int, label: str) -> Any:
        state = system.initial_state(n)
        while not any(head != -1 for head in state.heads):
            valid = system.valid_moves(state)
            system.apply(state, right_arc_in(valid) or "shift", label=label)
        return state

    keys = [state_after(n, label).key() for n in (3, 4) for label in ("nsubj", "obj")]
    assert len(set(keys)) == 4
    assert keys == [state_after(n, label).key() for n in (3, 4) for label in ("nsubj", "obj")]


@pytest.mark.parametrize("name", NAMES)
def test_the_default_label(name: str) -> None:
    system = compiled(name)
    state = system.initial_state(2)
    while right_arc_in(system.valid_moves(state)) is None:
        system.apply(state, "shift")
    system.apply(state, right_arc_in(system.valid_moves(state)))
    assert (state.heads, state.labels) == ([-1, 0], ["", "dep"])


def test_inserted_arcs_have_no_label() -> None:
    """The parser gives them one when all is done."""
    system = get_system("arc_eager_repair")
    state = system.initial_state(3)
    system.apply(state, "shift")
    system.apply(state, "shift")
    assert system.arc(state, "reduce") == (1, 2)
    system.apply(state, "reduce", label="not this one")
    system.apply(state, "reduce")
    assert state.heads == [-1, 0, 1]
    assert state.labels == ["", "", ""]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(drawn=choices(8))
def test_arc_says_what_a_move_joins(name: str, drawn: tuple[int, list[tuple[int, int]]]) -> None:
    """No move changes the heads of other words than the two that it joins, and the dependent has that
    head then."""
    n, draws = drawn
    system = compiled(name)
    state = system.initial_state(n)
    for which, _ in draws:
        if state.is_final:
            break
        valid = system.valid_moves(state)
        move = valid[which % len(valid)]
        arc = system.arc(state, move)
        before = state.heads
        system.apply(state, move)
        changed = {d for d in range(n) if state.heads[d] != before[d]}
        assert changed <= set(arc or ())
        if arc is not None:
            assert state.heads[arc[1]] == arc[0]
        takes_label = (move[0] if system.kind == "list" else move) in system.arc_moves
        assert arc is not None or not takes_label


def test_broken_cycle_loses_its_label() -> None:
    system = get_system("covington_nonmonotonic")
    state = system.initial_state(3)
    for move in ("shift", "right_arc", "shift", "right_arc"):
        system.apply(state, move, label="obj")
    assert state.heads == [-1, 0, 1]
    system.apply(state, "left_arc", label="nsubj")
    assert state.heads == [2, 0, -1]
    assert state.labels == ["nsubj", "obj", ""]


@pytest.mark.parametrize("name", LISTS)
def test_pending_words(name: str) -> None:
    """A list system has a list, and neither a stack nor a buffer."""
    system = compiled(name)
    state = system.initial_state(3)
    assert state.pending == ([-1, 0, 1, 2] if name == "easy_first" else [0, 1, 2])
    system.apply(state, right_arc_in(system.valid_moves(state)))
    assert state.stack == state.buffer == []
    assert len(state.pending) == len(system.initial_state(2).pending)


@pytest.mark.parametrize("name", LISTS)
def test_bare_names_are_no_moves_of_list_systems(name: str) -> None:
    system = compiled(name)
    with pytest.raises(ValueError, match="NM003"):
        system.apply(system.initial_state(3), "left_arc")


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(drawn=choices(12))
def test_random_walks(name: str, drawn: tuple[int, list[tuple[int, int]]]) -> None:
    """Long sentences: the same moves, heads and labels as the twin, up to the end."""
    n, draws = drawn
    system, twin = compiled(name), TWINS[name]
    state, config = system.initial_state(n), twin.initial(n)
    for which, label in draws:
        assert_same(system, state, twin, config)
        if state.is_final:
            assert list(system.heads(state)) == list(twin.heads(config))
            return
        valid = system.valid_moves(state)
        step = valid[which % len(valid)], LABELS[label]
        system.apply(state, step[0], label=step[1])
        config = twin.apply(config, *step)
    assert_same(system, state, twin, config)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(30))
def test_long_walks_end_with_a_tree(name: str, seed: int) -> None:
    rng = random.Random(seed)
    n = rng.randrange(1, 40)
    system = compiled(name)
    state = system.initial_state(n)
    n_moves = 0
    while not state.is_final:
        valid = system.valid_moves(state)
        assert valid
        system.apply(state, rng.choice(valid))
        n_moves += 1
    heads = list(system.heads(state))
    assert naive.is_tree(heads)
    if system.projective:
        assert naive.is_projective(heads)
    if TWINS[name].single_root:
        assert naive.n_roots(heads) == 1


@pytest.mark.parametrize("weights", [(1, 1, 1, 1), (5, 5, 1, 1), (9, 9, 1, 0), (1, 9, 0, 1)])
@pytest.mark.parametrize("n", [1, 2, 10, 60])
def test_unshift_derivations_are_short(n: int, weights: tuple[int, ...]) -> None:
    """No more than 4n - 3 moves, also where shifts and unshifts are preferred to arcs."""
    rng = random.Random(n)
    system = get_system("arc_eager_unshift")
    weight = dict(zip(("shift", "reduce", "left_arc", "right_arc"), weights, strict=True))
    for _ in range(20):
        state = system.initial_state(n)
        n_moves = 0
        while not state.is_final:
            valid = system.valid_moves(state)
            drawn = [weight[move] + 1e-9 for move in valid]
            system.apply(state, rng.choices(valid, drawn)[0])
            n_moves += 1
        assert n_moves <= 4 * n - 3
