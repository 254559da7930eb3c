"""Counts kept along a derivation against oracles that look at each configuration anew."""

import random
from typing import Any, NamedTuple

import numpy as np
import pytest

from spacy_nonmono import get_oracle
from spacy_nonmono.lab.replay import find_costs, rebuilds
from tests.lockstep import compiled
from tests.naive import all_trees
from tests.trees import grow

NAMES = (
    "arc_eager",
    "arc_eager_repair",
    "arc_eager_unshift",
    "arc_eager_distinct_unshift",
    "arc_hybrid",
    "easy_first",
    "yamada_matsumoto",
    "yamada_matsumoto_fine",
)
N_STAR = 300
LABELS = ("a", "b")


class Step(NamedTuple):
    move: tuple[int, int, int]
    costs: dict[str, int]  # of the moves at the focus of the transition
    optimal: list[str]  # likewise


def split(move: Any) -> tuple[str, int]:
    return move if isinstance(move, tuple) else (move, 0)


def random_tree(rng: random.Random, n: int) -> list[int | None]:
    """A tree, often not projective, in which a few words have most of the dependents; some unknown."""
    heads = grow(rng.sample(range(n), n), lambda some: some[int(len(some) * rng.random() ** 3)])
    return [None if rng.random() < 0.1 else head for head in heads]


def random_walk(name: str, heads: list, labels: list | None, seed: int, p_random: float) -> list[Step]:
    """A derivation by the public API, with the costs that it finds at each configuration."""
    rng = random.Random(seed)
    system = compiled(name)
    oracle = get_oracle("dynamic", system)
    state = system.initial_state(len(heads))
    steps = []
    while not state.is_final:
        costs = oracle.costs(state, heads, labels)
        optimal = oracle.optimal(state, heads, labels)
        move = rng.choice(list(costs) if rng.random() < p_random else optimal)
        kind, focus = split(move)
        label = rng.randrange(len(LABELS))
        steps.append(
            Step(
                (focus, system.moves.index(kind), label),
                {split(m)[0]: cost for m, cost in costs.items() if split(m)[1] == focus},
                [split(m)[0] for m in optimal if split(m)[1] == focus],
            )
        )
        system.apply(state, move, label=LABELS[label])
    return steps


def flat(golds: list, names: tuple = ()) -> np.ndarray:
    """Heads or labels of all sentences, as numbers."""
    unknown = -1 if names else -2
    return np.array(
        [
            unknown if value is None else names.index(value) if names else value
            for gold in golds
            for value in gold
        ],
        dtype="i",
    )


def assert_same_costs(
    name: str, heads_S: list, labels_S: list | None, walks_S: list[list[Step]], every: int, n_walks: int
) -> None:
    system = compiled(name)
    found = find_costs(
        get_oracle("dynamic", system),
        np.array([len(heads) for heads in heads_S], dtype="i"),
        flat(heads_S),
        None if labels_S is None else flat(labels_S, LABELS),
        np.array([step.move for steps in walks_S for step in steps], dtype="i"),
        np.array([len(steps) for steps in walks_S], dtype="i"),
        every,
        n_walks,
    )
    steps = [step for steps in walks_S for step in steps][::every]
    assert len(steps) == len(found)
    for step, costs in zip(steps, found, strict=True):
        ranks = {
            move: (int(cost), int(tie_cost))
            for move, (cost, tie_cost) in zip(system.moves, costs, strict=True)
            if cost >= 0
        }
        assert {move: cost for move, (cost, _) in ranks.items()} == step.costs
        least = min(ranks.values())
        if step.optimal:  # otherwise other foci have better moves
            assert [move for move, rank in ranks.items() if rank == least] == step.optimal


@pytest.mark.parametrize("name", NAMES)
def test_costs_along_random_walks(name):
    rng = random.Random(0)
    heads_S = [random_tree(rng, rng.randrange(1, 26)) for _ in range(40)]
    labels_S = [[rng.choice([*LABELS, None]) for _ in heads] for heads in heads_S]
    for p_random in (0.1, 1.0):
        walks_S = [
            random_walk(name, heads, labels, seed, p_random)
            for seed, (heads, labels) in enumerate(zip(heads_S, labels_S, strict=True))
        ]
        for every in (1, 3, 7):
            assert_same_costs(name, heads_S, labels_S, walks_S, every, n_walks=2)


@pytest.mark.parametrize("name", NAMES)
def test_costs_of_every_small_tree(name):
    for seed, heads in enumerate(all_trees(4)):
        steps = random_walk(name, list(heads), None, seed, 0.5)
        assert_same_costs(name, [heads], None, [steps], 1, 3)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("root", [0, N_STAR // 2, N_STAR - 1])
def test_costs_along_walks_over_a_star(name, root):
    heads = [-1 if word == root else root for word in range(N_STAR)]
    steps = random_walk(name, heads, None, seed=0, p_random=0.1)
    assert_same_costs(name, [heads], None, [steps], every=1, n_walks=1)


@pytest.mark.parametrize("name", [*NAMES, "arc_standard"])
@pytest.mark.parametrize("root", [0, N_STAR // 2, N_STAR - 1])
def test_static_oracles_rebuild_a_star(name, root):
    heads = np.full(N_STAR, root, dtype="i")
    heads[root] = -1
    oracle = get_oracle("static", compiled(name))
    assert rebuilds(oracle, np.array([N_STAR], dtype="i"), heads).all()


@pytest.mark.parametrize("n_walks", [1, 2])
def test_costs_after_more_moves_than_are_remembered(n_walks):
    """In arc_eager_unshift a word can move more than twice: the list of the moved words starts again."""
    heads = [2, 0, -1, 2, 3, 7, 7, 3]
    n_long = 0
    for seed in range(200):
        steps = random_walk("arc_eager_unshift", heads, None, seed, 1.0)
        every = len(steps) - 1
        n_long += every > 2 * len(heads)
        assert_same_costs("arc_eager_unshift", [heads], None, [steps], every, n_walks)
    assert n_long > 0
