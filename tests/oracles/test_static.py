"""Static oracles: one move on the derivation of the gold tree, a coded error anywhere else."""

from typing import Any

import pytest

from spacy_nonmono import get_oracle
from tests import naive
from tests.conftest import Row
from tests.lockstep import NAMES, compiled, walk
from tests.naive import N_CONFIGS_OF_FOUR_WORDS, TWINS, all_trees
from tests.oracles.test_exhaustive import IN_TABLE

SIZES = (1, 2, 3, pytest.param(4, marks=IN_TABLE), pytest.param(5, marks=IN_TABLE))


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", NAMES)
def test_derivations(name: str, n: int, table: list[Row]) -> None:
    """One optimal move at a time rebuilds the gold tree, if the system can build it."""
    system = compiled(name)
    oracle = get_oracle("static", system)
    differences = []
    n_derived = n_transitions = 0
    for gold in all_trees(n):
        expected = naive.static_derivation(TWINS[name], gold)
        state = system.initial_state(n)
        if expected is None:
            with pytest.raises(ValueError, match="NM007"):
                oracle.optimal(state, list(gold))
            continue
        moves: list[Any] = []
        while not state.is_final:
            (move,) = oracle.optimal(state, list(gold))
            system.apply(state, move)
            moves.append(move)
        n_derived += 1
        n_transitions += len(moves)
        if moves != expected or list(system.heads(state)) != list(gold):
            differences.append((gold, moves, expected))
    if n >= 4:
        row = {
            "system": name,
            "oracle": "static",
            "words": str(n),
            "configurations": naive.n_places(naive.reachable(name, n)),
            "gold trees": f"{n_derived:,} of {len(all_trees(n)):,}",
            "transitions": n_transitions,
            "differences": len(differences),
        }
        if n == 4 and name in N_CONFIGS_OF_FOUR_WORDS:
            row["expected"] = N_CONFIGS_OF_FOUR_WORDS[name]
        table.append(row)
    assert differences[:3] == []


@pytest.mark.parametrize("name", NAMES)
def test_off_the_derivation(name: str) -> None:
    """Every configuration that the derivation does not pass is refused."""
    n = 3
    twin: Any = TWINS[name]
    oracle = get_oracle("static", compiled(name))
    for gold in all_trees(n):
        moves = naive.static_derivation(twin, gold)
        if moves is None:
            continue
        config = twin.initial(n)
        # Labels are not looked at: those of inserted arcs come when all is done
        on_path = {config._replace(labels=()): moves[0]}
        for move, following in zip(moves, [*moves[1:], None], strict=True):
            config = twin.apply(config, move)
            on_path[config._replace(labels=())] = following
        for config, state in zip(naive.reachable(name, n), walk(name, n), strict=True):
            place = config._replace(labels=())
            if place not in on_path:
                with pytest.raises(ValueError, match="NM006"):
                    oracle.optimal(state, list(gold))
            elif on_path[place] is not None:
                assert list(oracle.optimal(state, list(gold))) == [on_path[place]]


@pytest.mark.parametrize("name", NAMES)
def test_costs_are_refused(name: str) -> None:
    system = compiled(name)
    oracle = get_oracle("static", system)
    with pytest.raises(ValueError, match="NM"):
        oracle.costs(system.initial_state(3), [1, -1, 1])


def test_longer_sentences() -> None:
    """Eight words: a projective tree of one root, one of several roots, a crossing one."""
    trees = {
        "single": [1, 2, -1, 4, 2, 6, 4, 2],
        "several": [1, 2, -1, 4, 2, 6, -1, 6],
        "crossing": [2, 3, -1, 2, 6, 1, 2, 4],
    }
    for name in NAMES:
        several = "single" if TWINS[name].single_root else "several"
        crosses = name == "arc_swap" or name.startswith("covington")
        gold = trees["crossing" if crosses else several]
        system = compiled(name)
        oracle = get_oracle("static", system)
        state = system.initial_state(len(gold))
        while not state.is_final:
            (move,) = oracle.optimal(state, gold)
            system.apply(state, move)
        assert list(system.heads(state)) == gold


@pytest.mark.parametrize(("n", "mean", "longest"), [(4, 9.25, None), (5, 12.47, 18)])
def test_lengths_with_swap(n: int, mean: float, longest: int | None) -> None:
    """Every tree with one root has a derivation, and the lazy one swaps little."""
    system = compiled("arc_swap")
    oracle = get_oracle("static", system)
    lengths = []
    for gold in all_trees(n, single_root=True):
        state = system.initial_state(n)
        n_moves = -1  # the Shift of ROOT does not count
        while not state.is_final:
            (move,) = oracle.optimal(state, list(gold))
            system.apply(state, move)
            n_moves += 1
        assert system.heads(state) == list(gold)
        lengths.append(n_moves)
    assert sum(lengths) / len(lengths) == pytest.approx(mean, abs=0.005)
    assert longest in (None, max(lengths))
