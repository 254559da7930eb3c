"""Static oracles: one move on the derivation of the gold tree, a coded error anywhere else."""

from typing import Any

import pytest

from spacy_nonmono import get_oracle, get_system
from tests import naive
from tests.naive import SYSTEMS, all_trees
from tests.oracles.test_exhaustive import walk


@pytest.mark.parametrize("n", range(1, 6))
@pytest.mark.parametrize("name", SYSTEMS)
def test_derivations(name: str, n: int) -> None:
    """One optimal move at a time rebuilds the gold tree, if the system can build it."""
    system = get_system(name)
    oracle = get_oracle("static", system)
    for gold in all_trees(n):
        expected = naive.static_derivation(SYSTEMS[name], gold)
        state = system.initial_state(n)
        if expected is None:
            with pytest.raises(ValueError, match="NM007"):
                oracle.optimal(state, list(gold))
            continue
        moves: list[str] = []
        while not state.is_final:
            (move,) = oracle.optimal(state, list(gold))
            system.apply(state, move)
            moves.append(move)
        assert moves == expected
        assert list(system.heads(state)) == list(gold)


@pytest.mark.parametrize("name", SYSTEMS)
def test_off_the_derivation(name: str) -> None:
    """Every configuration that the derivation does not pass is refused."""
    n = 3
    twin: Any = SYSTEMS[name]
    oracle = get_oracle("static", get_system(name))
    for gold in all_trees(n):
        moves = naive.static_derivation(twin, gold)
        if moves is None:
            continue
        config = twin.initial(n)
        on_path = {config: moves[0]}
        for move, following in zip(moves, [*moves[1:], None], strict=True):
            config = twin.apply(config, move)
            on_path[config] = following
        for config, state in zip(naive.reachable(name, n), walk(name, n), strict=True):
            if config not in on_path:
                with pytest.raises(ValueError, match="NM006"):
                    oracle.optimal(state, list(gold))
            elif on_path[config] is not None:
                assert list(oracle.optimal(state, list(gold))) == [on_path[config]]


@pytest.mark.parametrize("name", SYSTEMS)
def test_costs_are_refused(name: str) -> None:
    system = get_system(name)
    oracle = get_oracle("static", system)
    with pytest.raises(ValueError, match="NM"):
        oracle.costs(system.initial_state(3), [1, -1, 1])


def test_longer_sentences() -> None:
    """A projective and a crossing tree of eight words."""
    trees = {
        "arc_eager_unshift": [1, 2, -1, 4, 2, 6, 4, 2],
        "arc_eager_tree_constrained": [1, 2, -1, 4, 2, 6, 4, 2],
        "arc_eager": [1, 2, -1, 4, 2, 6, -1, 6],
        "arc_eager_repair": [1, 2, -1, 4, 2, 6, -1, 6],
        "covington": [2, 3, -1, 2, 6, 1, 2, 4],
        "covington_nonmonotonic": [2, 3, -1, 2, 6, 1, 2, 4],
    }
    for name, gold in trees.items():
        system = get_system(name)
        oracle = get_oracle("static", system)
        state = system.initial_state(len(gold))
        while not state.is_final:
            (move,) = oracle.optimal(state, gold)
            system.apply(state, move)
        assert list(system.heads(state)) == gold
