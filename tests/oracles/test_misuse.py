"""Senseless calls of oracles: each is refused, and nothing crashes, hangs or passes in silence."""

import copy
import pickle
from typing import Any

import numpy
import pytest

from spacy_nonmono import get_oracle, get_system, list_systems
from spacy_nonmono.oracles import covington
from spacy_nonmono.oracles.arc_eager import ArcEagerOracle
from spacy_nonmono.oracles.covington import CovingtonBound
from spacy_nonmono.oracles.oracle import Gold, Oracle, StaticOracle
from spacy_nonmono.oracles.registry import list_oracles
from spacy_nonmono.registry import oracles
from spacy_nonmono.transitions.system import TransitionSystem
from tests.lockstep import NAMES, compiled, with_oracles

ALL = with_oracles("dynamic", "exact", "lower", "pc_upper", "upper", "static")
COSTED = [pair for pair in ALL if pair[1] != "static"]
GOLD = [1, -1, 1]


@pytest.mark.parametrize(("name", "oracle"), ALL)
@pytest.mark.parametrize("state", [None, 3, "state"])
def test_what_is_no_state(name: str, oracle: str, state: Any) -> None:
    found = get_oracle(oracle, compiled(name))
    for call in (found.costs, found.optimal, found.loss):
        with pytest.raises(TypeError):
            call(state, GOLD)


def test_base_class() -> None:
    class Mine(Oracle):
        def __init__(self) -> None:
            pass

    state = get_system("arc_eager").initial_state(3)
    make: Any
    for make in (Oracle, StaticOracle, Mine, lambda: Oracle.__new__(Oracle)):
        oracle = make()
        for call in (oracle.costs, oracle.optimal, oracle.loss):
            with pytest.raises(TypeError, match="NM018"):
                call(state, GOLD)
        repr(oracle)


@pytest.mark.parametrize(("name", "oracle"), ALL)
def test_system_that_it_does_not_know(name: str, oracle: str) -> None:
    make = maker(compiled(name).name, oracle)
    kind = type(get_oracle(oracle, compiled(name)))
    served = {n for n in list_systems() for o in list_oracles(n) if type_of(n, o) is kind}
    for other in NAMES:
        if compiled(other).name not in served:
            with pytest.raises(ValueError, match="NM014"):
                make(compiled(other))
    with pytest.raises(ValueError, match="NM014"):
        make(TransitionSystem())
    with pytest.raises(TypeError):
        make(None)
    with pytest.raises(TypeError):
        kind.__new__(kind)


def maker(system: str, oracle: str) -> Any:
    own = oracles.get(system)
    return own[oracle] if oracle in own else oracles.get(f"{system}.{oracle}")


def type_of(system: str, oracle: str) -> type:
    return type(get_oracle(oracle, get_system(system)))


@pytest.mark.parametrize("name", ["dynamic", "", "LOWER"])
def test_unknown_bound(name: str) -> None:
    with pytest.raises(ValueError, match="NM002"):
        CovingtonBound(get_system("covington_nonmonotonic"), name)


@pytest.mark.parametrize(("name", "oracle"), ALL)
@pytest.mark.parametrize("gold", [[1, 0, -1, 0], [1, 2, 3, 0], [None, 2, 3, 1], [-1, 2, 1, 0]])
def test_cycle(name: str, oracle: str, gold: list[int | None]) -> None:
    state = compiled(name).initial_state(4)
    with pytest.raises(ValueError, match="NM016"):
        get_oracle(oracle, compiled(name)).optimal(state, gold)


@pytest.mark.parametrize(("name", "oracle"), COSTED)
@pytest.mark.parametrize("gold", [[None, 0, None, 2], [-1, -1, 1, -1], [None] * 4, [-1] * 4])
def test_forests(name: str, oracle: str, gold: list[int | None]) -> None:
    """Known in part, or with several roots: that is no misuse."""
    state = compiled(name).initial_state(4)
    found = get_oracle(oracle, compiled(name))
    costs = found.costs(state, gold)
    assert set(costs) == set(compiled(name).valid_moves(state))
    assert set(found.optimal(state, gold)) <= set(costs)
    assert 0 <= found.loss(state, gold) <= 4


@pytest.mark.parametrize("head", [1.0, 1.5, "1", b"1", [1], 2**40, -(2**40), float("nan"), -2, 3, 0])
def test_impossible_head(head: Any) -> None:
    system = get_system("arc_eager")
    with pytest.raises(ValueError, match="NM005"):
        get_oracle(None, system).costs(system.initial_state(3), [head, -1, 1])


@pytest.mark.parametrize("label", [1, b"dep", ["dep"], 1.5])
def test_impossible_label(label: Any) -> None:
    system = get_system("arc_eager")
    oracle, state = get_oracle(None, system), system.initial_state(3)
    with pytest.raises(ValueError, match="NM017"):
        oracle.costs(state, GOLD, ["a", label, None])
    with pytest.raises(TypeError):
        oracle.costs(state, GOLD, label=label)


@pytest.mark.parametrize("gold", [None, 3, {1, -1}, {0: 1, 1: -1, 2: 1}, iter(GOLD)])
def test_gold_that_is_no_sequence(gold: Any) -> None:
    system = get_system("arc_eager")
    with pytest.raises(TypeError, match="NM024"):
        get_oracle(None, system).costs(system.initial_state(3), gold)


def test_gold_of_no_state() -> None:
    with pytest.raises(TypeError):
        Gold(None, GOLD, None)  # type: ignore[arg-type]


def test_gold_that_lies_about_its_length() -> None:
    class Long(list[int]):
        def __len__(self) -> int:
            return 3

    system = get_system("arc_eager")
    oracle, state = get_oracle(None, system), system.initial_state(3)
    oracle.costs(state, numpy.array(GOLD))
    with pytest.raises(ValueError, match="NM004"):
        oracle.costs(state, Long([1, -1] * 1000))


@pytest.mark.parametrize(
    ("name", "oracle", "most"),
    [("arc_standard", "dynamic", 2000), ("covington_nonmonotonic", "upper", 10000)],
)
def test_sentences_that_are_too_long(name: str, oracle: str, most: int) -> None:
    system = get_system(name)
    with pytest.raises(ValueError, match="NM019"):
        get_oracle(oracle, system).loss(system.initial_state(most + 1), [-1] * (most + 1))


def test_a_cycle_as_long_as_can_be() -> None:
    """Counting cycles calls itself once per word. The arc from 1 to 0 closes one with the gold arcs."""
    n = 10000
    system = get_system("covington_nonmonotonic")
    state = system.initial_state(n)
    for move in ("shift", "left_arc"):
        system.apply(state, move)
    heads = [-1, *range(2, n), 0]
    assert get_oracle("upper", system).loss(state, heads) == 1


@pytest.mark.parametrize(("name", "oracle"), ALL)
def test_copies_of_oracles(name: str, oracle: str) -> None:
    found = get_oracle(oracle, compiled(name))
    state = compiled(name).initial_state(3)
    for other in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert type(other) is type(found)
        assert other.name == oracle
        assert other.optimal(state, GOLD) == found.optimal(state, GOLD)


def test_copies_keep_the_tie_break() -> None:
    for tie_break in ("default", "none"):
        found = get_oracle("lower", compiled("covington_nonmonotonic"), tie_break=tie_break)
        for other in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
            assert other.tie_break == tie_break


def test_system_of_another_oracle() -> None:
    """The issue's call: an arc-eager oracle on a system of Covington's."""
    with pytest.raises(ValueError, match="NM014"):
        ArcEagerOracle(get_system("covington"))


def test_a_system_without_oracles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covington, "COVINGTON", {})
    for name in (None, "static"):
        with pytest.raises(ValueError, match=r"NM065.*covington.*spacy_nonmono_oracles"):
            get_oracle(name, compiled("covington"))
