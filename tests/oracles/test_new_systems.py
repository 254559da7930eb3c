"""Arc-standard, arc-hybrid and the list systems against an exhaustive search over their own moves."""

import pickle
from itertools import product
from typing import Any

import numpy as np
import pytest

from spacy_nonmono import get_oracle, get_system
from tests.naive import all_trees, partial_trees

NAMES = ("arc_standard", "arc_hybrid", "easy_first", "yamada_matsumoto")
ARCS = ("left_arc", "right_arc")
N_CONFIGS = {"arc_standard": 103, "arc_hybrid": 126, "easy_first": 85, "yamada_matsumoto": 135}
EXHAUSTIVE = pytest.param(5, marks=pytest.mark.exhaustive)


def move_name(move: Any) -> str:
    return move if isinstance(move, str) else move[0]


def explore(system: Any, n: int, labels: tuple[str, ...] = ("dep",)) -> tuple[list, list]:
    """Every reachable state, and of each its (move, label, state after it)."""
    states = [system.initial_state(n)]
    index = {states[0].key(): 0}
    edges: list[list[tuple[Any, str, int]]] = []
    for state in states:
        found = []
        for move in system.valid_moves(state):
            for label in labels if move_name(move) in ARCS else labels[:1]:
                after = state.copy()
                system.apply(after, move, label=label)
                if after.key() not in index:
                    index[after.key()] = len(states)
                    states.append(after)
                found.append((move, label, index[after.key()]))
        edges.append(found)
    return states, edges


def exact_losses(states: list, edges: list, golds: list) -> np.ndarray:
    """[state, gold]: wrong heads in the best tree that can be reached, by search."""
    losses = np.full((len(states), len(golds)), 99)

    def wrong(state: Any, gold: Any) -> int:
        heads, labels = gold
        return sum(
            h is not None
            and (
                h != found
                or (h >= 0 and labels is not None and labels[d] not in (None, state.labels[d]))
            )
            for d, (h, found) in enumerate(zip(heads, state.heads, strict=True))
        )

    todo = list(range(len(states)))
    while todo:  # no cycles: every move shifts, attaches, or ends a pass
        later = []
        for at in reversed(todo):
            if not edges[at]:
                losses[at] = [wrong(states[at], gold) for gold in golds]
            elif all((losses[after] < 99).all() for _, _, after in edges[at]):
                losses[at] = losses[[after for _, _, after in edges[at]]].min(axis=0)
            else:
                later.append(at)
        todo = sorted(later)
    return losses


def check_costs(system: Any, n: int, golds: list, labels: tuple[str, ...] = ("dep",)) -> int:
    """Costs, loss and optimal moves of every configuration; the number of costs."""
    oracle = get_oracle("dynamic", system)
    states, edges = explore(system, n, labels)
    losses = exact_losses(states, edges, golds)
    n_costs = 0
    for at, state in enumerate(states):
        for k, gold in enumerate(golds):
            expected: dict[Any, int] = {}
            for move, _, after in edges[at]:
                value = losses[after, k] - losses[at, k]
                expected[move] = min(value, expected.get(move, value))
            assert oracle.costs(state, *gold) == expected, (state, gold)
            assert oracle.loss(state, *gold) == losses[at, k], (state, gold)
            least = min(expected.values(), default=0)
            optimal = {move for move, cost in expected.items() if cost == least}
            assert set(oracle.optimal(state, *gold)) == optimal, (state, gold)
            n_costs += len(expected)
            for label in labels if len(labels) > 1 else ():
                costs = oracle.costs(state, *gold, label=label)
                for move, used, after in edges[at]:
                    if used == label or move_name(move) not in ARCS:
                        assert costs[move] == losses[after, k] - losses[at, k]
    return n_costs


def golds_of(name: str, n: int) -> list:
    trees = all_trees(n) if name == "arc_standard" else all_trees(n, single_root=True, projective=True)
    return [(tree, None) for tree in trees]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, EXHAUSTIVE])
@pytest.mark.parametrize("name", NAMES)
def test_costs(name: str, n: int) -> None:
    system = get_system(name)
    states, _ = explore(system, n)
    assert n != 4 or len(states) == N_CONFIGS[name]
    n_costs = check_costs(system, n, golds_of(name, n))
    print(f"{name}, {n} words: {len(states)} configurations, {n_costs} costs, 0 differences")


@pytest.mark.parametrize("name", NAMES)
def test_costs_with_partial_gold(name: str) -> None:
    golds = partial_trees(tree for tree, _ in golds_of(name, 3))
    check_costs(get_system(name), 3, [(gold, None) for gold in golds])


@pytest.mark.parametrize("name", NAMES)
def test_costs_with_labels(name: str) -> None:
    labels = list(product(("a", "b", None), repeat=3))
    golds = [(tree, given) for tree, _ in golds_of(name, 3) for given in labels]
    check_costs(get_system(name), 3, golds, ("a", "b"))


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("name", NAMES)
def test_outputs(name: str, n: int) -> None:
    """Every projective tree with one root, and nothing else, in a list or a stack that is used up."""
    states, _ = explore(get_system(name), n)
    final = [state for state in states if state.is_final]
    trees = {tuple(state.heads) for state in final}
    assert trees == set(all_trees(n, single_root=True, projective=True))
    for state in final:
        rest = [state.heads.index(-1)] if name == "yamada_matsumoto" else [-1]
        assert state.stack + state.buffer == rest


@pytest.mark.parametrize("fine", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("name", NAMES)
def test_static(name: str, n: int, fine: bool) -> None:
    if fine and name != "yamada_matsumoto":
        return
    system = get_system(name, fine_grained_shift=True) if fine else get_system(name)
    oracle, dynamic = get_oracle("static", system), get_oracle("dynamic", system)
    projective = set(all_trees(n, single_root=True, projective=True))
    for gold in all_trees(n):
        state = system.initial_state(n)
        if gold not in projective:
            with pytest.raises(ValueError, match="NM007"):
                oracle.optimal(state, gold)
            continue
        while not state.is_final:
            (move,) = oracle.optimal(state, gold)
            assert move in dynamic.optimal(state, gold)
            system.apply(state, move)
        assert tuple(state.heads) == gold


def test_fine_grained_shift() -> None:
    """The class of the three shifts that the gold relation names is left, at the same cost."""
    fine, plain = get_system("yamada_matsumoto", fine_grained_shift=True), get_system("yamada_matsumoto")
    oracle, plain_oracle = get_oracle("dynamic", fine), get_oracle("dynamic", plain)
    states, _ = explore(fine, 4)
    plain_states, _ = explore(plain, 4)
    at = {state.key(): state for state in plain_states}
    assert len(states) == len(at) == 135
    for state in states:
        for gold in all_trees(4, single_root=True, projective=True):
            costs = oracle.costs(state, gold)
            optimal = oracle.optimal(state, gold)
            expected = set(plain_oracle.optimal(at[state.key()], gold))
            shifts = [move for move in costs if "shift" in move[0]]
            assert {costs[move] for move in shifts} <= {0}
            if shifts:
                assert [name for name, _ in shifts] == ["shift", "shift_left", "shift_right"]
                place = shifts[0][1]
                left, right = state.pending[place : place + 2]
                named = "shift"
                if gold[left] == right:
                    named = "shift_left"
                elif gold[right] == left:
                    named = "shift_right"
                assert ("shift", place) in expected
                expected = expected - {("shift", place)} | {(named, place)}
            assert set(optimal) == expected


def test_options() -> None:
    assert pickle.loads(pickle.dumps(get_system("yamada_matsumoto"))).fine_grained_shift is False
    fine = get_system("yamada_matsumoto", fine_grained_shift=True)
    assert pickle.loads(pickle.dumps(fine)).fine_grained_shift is True
    for name in NAMES:
        assert type(pickle.loads(pickle.dumps(get_system(name)))) is type(get_system(name))
        with pytest.raises(ValueError, match="NM011"):
            get_system(name, coarse=True)
    with pytest.raises(ValueError, match="NM011"):
        get_system("easy_first", fine_grained_shift=True)
