"""Senseless calls of states and systems: refused, without a crash, a hang or a silent change."""

import copy
import pickle
from typing import Any

import pytest

from spacy_nonmono import get_oracle, get_system, list_systems
from spacy_nonmono.registry import systems
from spacy_nonmono.state import State
from spacy_nonmono.transitions.arc_eager import ArcEager
from spacy_nonmono.transitions.system import TransitionSystem
from tests.lockstep import NAMES, compiled

MAX_WORDS = 1_000_000


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [0, 3])
@pytest.mark.parametrize("word", [-1, 3, 10**8, 2**31, -(2**31)])
def test_dependents_of_no_word(name: str, n: int, word: int) -> None:
    with pytest.raises(IndexError, match="NM013"):
        compiled(name).initial_state(n).dependents(word)


@pytest.mark.parametrize("word", [None, 1.0, "0", 2**64])
def test_dependents_of_what_is_no_index(word: Any) -> None:
    with pytest.raises((TypeError, IndexError, OverflowError)):
        get_system("covington").initial_state(3).dependents(word)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [MAX_WORDS + 1, 2**31 - 1, 2**62])
def test_too_many_words(name: str, n: int) -> None:
    with pytest.raises(ValueError, match="NM012"):
        compiled(name).initial_state(n)


@pytest.mark.parametrize("name", ["arc_eager_unshift", "yamada_matsumoto", "covington"])
def test_as_many_words_as_can_be(name: str) -> None:
    state = compiled(name).initial_state(MAX_WORDS)
    assert state.copy().dependents(MAX_WORDS - 1) == []


@pytest.mark.parametrize("n", [1.5, 1.0, "3", None, [3], 2**70])
def test_numbers_of_words_that_are_none(n: Any) -> None:
    with pytest.raises((TypeError, OverflowError)):
        get_system("arc_eager").initial_state(n)


@pytest.mark.parametrize("make", [State, lambda: State.__new__(State), lambda: State(object())])
def test_states_are_made_by_systems(make: Any) -> None:
    with pytest.raises(TypeError, match="NM018"):
        make()


def test_state_of_a_subclass() -> None:
    class Mine(State):  # type: ignore[misc]
        pass

    with pytest.raises(TypeError, match="NM018"):
        Mine.__new__(Mine)


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_states_are_not_pickled(duplicate: Any) -> None:
    with pytest.raises(TypeError, match="NM023"):
        duplicate(get_system("arc_eager").initial_state(2))


def test_base_class() -> None:
    class Mine(TransitionSystem):
        def __init__(self) -> None:
            pass

    state = get_system("arc_eager").initial_state(3)
    for system in (TransitionSystem(), Mine(), TransitionSystem.__new__(TransitionSystem)):
        with pytest.raises(TypeError, match="NM018"):
            system.initial_state(3)
        for call in (system.valid_moves, system.heads, lambda s, t=system: t.apply(s, "shift")):
            with pytest.raises(ValueError, match="NM008"):
                call(state)


@pytest.mark.parametrize("name", list_systems())
def test_systems_without_their_constructor(name: str) -> None:
    """They are complete."""
    kind: Any = type(systems.get(name)())
    system = kind.__new__(kind)
    assert system.initial_state(3).key() == get_system(name).initial_state(3).key()


def test_subclass_in_python() -> None:
    class Mine(ArcEager):
        pass

    state = Mine().initial_state(2)
    Mine().apply(state, "shift")
    assert state.stack == [0]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("state", [None, 3, "arc_eager", object()])
def test_what_is_no_state(name: str, state: Any) -> None:
    system = compiled(name)
    for call in (system.valid_moves, system.heads, lambda s: system.apply(s, "shift")):
        with pytest.raises(TypeError):
            call(state)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "move",
    [
        *(None, 0, "", b"shift", ("shift",), ["shift", 0], ("shift", 0.0), ("left_arc", None)),
        *(("left_arc", 10**30), ("left_arc", -1), (None, 0), ((), 0), float("nan"), "Shift", object()),
    ],
)
def test_what_is_no_move(name: str, move: Any) -> None:
    system = compiled(name)
    state = system.initial_state(3)
    key = state.key()
    with pytest.raises(ValueError, match="NM003"):
        system.apply(state, move)
    with pytest.raises(ValueError, match="NM003"):
        system.arc(state, move)
    assert state.key() == key


@pytest.mark.parametrize("label", [None, 1, b"dep", ["dep"]])
def test_what_is_no_label(label: Any) -> None:
    system = get_system("arc_eager")
    with pytest.raises(TypeError):
        system.apply(system.initial_state(2), "shift", label=label)


@pytest.mark.parametrize(
    ("name", "head", "dependent", "error", "code"),
    [
        ("covington", 0, 3, IndexError, "NM013"),
        ("covington", -1, 2, IndexError, "NM013"),
        ("covington", 1, 1, ValueError, "NM039"),
        ("covington", 2, 0, ValueError, "NM039"),
        ("arc_standard", 0, 2, ValueError, "NM039"),
    ],
)
def test_what_cannot_be_attached(
    name: str, head: int, dependent: int, error: type[Exception], code: str
) -> None:
    system = get_system(name)
    state = system.initial_state(3)
    if name == "covington":
        system.attach(state, 0, 2, "dep")
    key = state.key()
    with pytest.raises(error, match=code):
        system.attach(state, head, dependent, "dep")
    assert state.key() == key


def test_a_move_that_moves() -> None:
    """Code of the caller that runs while a move is read cannot make another one valid."""
    system = get_system("arc_eager")
    state = system.initial_state(1)

    class Sly(str):
        def __eq__(self, other: object) -> bool:
            while not state.is_final:
                system.apply(state, system.valid_moves(state)[0])
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    with pytest.raises(ValueError, match="NM003"):
        system.apply(state, Sly("shift"))


@pytest.mark.parametrize("value", ["x", 1, None, 0.5])
def test_options_that_are_no_bool(value: Any) -> None:
    with pytest.raises(ValueError, match="NM015"):
        get_system("yamada_matsumoto", fine_grained_shift=value)


@pytest.mark.parametrize("name", NAMES)
def test_no_words(name: str) -> None:
    """Every question about a sentence without words has an answer."""
    system = compiled(name)
    state = system.initial_state(0)
    assert (state.heads, state.is_final, system.valid_moves(state)) == ([], True, [])
    assert state.copy().key() == state.key()
    oracle = get_oracle(None, system)
    assert oracle.optimal(state, []) == []
    if oracle.name != "static":
        assert oracle.costs(state, []) == {}
