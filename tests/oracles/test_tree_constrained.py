"""The exact oracle of `arc_eager_tree_constrained`, against slow searches of everything reachable.

Sentences of up to five words are in `test_exhaustive.py`; longer ones are walked at random.
"""

from random import Random
from typing import Any

import pytest

from spacy_nonmono import get_oracle, get_system
from tests import naive, trees
from tests.lockstep import assert_same
from tests.naive import all_trees

NAME = "arc_eager_tree_constrained"
SYSTEM = get_system(NAME)
ORACLE = get_oracle("dynamic", SYSTEM)
TWIN = naive.SYSTEMS[NAME]


def test_costs_of_a_label() -> None:
    """A gold arc with another label costs one more."""
    state = SYSTEM.initial_state(2)
    SYSTEM.apply(state, "shift")
    gold: tuple[Any, Any] = ([1, -1], ["a", "root"])
    assert ORACLE.costs(state, *gold, label="a") == {"shift": 0, "left_arc": 0, "right_arc": 2}
    assert ORACLE.costs(state, *gold, label="b") == {"shift": 0, "left_arc": 1, "right_arc": 2}


def test_no_words() -> None:
    state = SYSTEM.initial_state(0)
    assert ORACLE.loss(state, []) == 0
    assert ORACLE.costs(state, []) == {}


def test_arcs_that_exclude_each_other() -> None:
    """Every gold arc can still be built, but not all of them."""
    state = SYSTEM.initial_state(3)
    SYSTEM.apply(state, "shift")
    SYSTEM.apply(state, "shift")
    assert ORACLE.loss(state, [-1, 0, 0]) == 1
    assert ORACLE.costs(state, [-1, 0, 0]) == {"shift": 0, "left_arc": 0, "right_arc": 0}


# ---- random walks ----


def random_tree(rng: Random, n: int) -> naive.Heads:
    """Half of them any trees, with several roots now and then; half what random moves build."""
    if rng.random() < 0.5:
        return tuple(-1 if rng.random() < 0.05 else head for head in trees.random_tree(rng, n))
    config = TWIN.initial(n)
    while not TWIN.final(config):
        config = TWIN.apply(config, rng.choice(TWIN.valid(config)))
    return TWIN.heads(config)


class Stripped:
    """The slow twin on configurations of which only what decides what is still reachable is kept: stack
    and buffer, and which of their words have a head. So there are few of them, the same for all gold
    trees."""

    name = NAME

    def initial(self, n: int) -> Any:
        return TWIN.initial(n)

    def valid(self, config: Any) -> list[str]:
        return TWIN.valid(config)

    def apply(self, config: Any, *step: Any) -> Any:
        return strip(TWIN.apply(config, *step))


def strip(config: Any) -> Any:
    n = len(config.heads)
    there = {*config.stack, *config.buffer}
    heads = tuple(0 if w in there and config.heads[w] != -1 else -1 for w in range(n))
    return config._replace(heads=heads, labels=("",) * n)


def slow_wins(found: naive.Graph, gold: naive.Gold) -> list[int]:
    """The most words that can still get their gold head, from each stripped configuration on."""
    wins: list[int] = []
    for config, edges in zip(found.configs, found.edges, strict=True):
        if TWIN.final(config):
            wins.append(sum(gold[w] == naive.ROOT for w in (*config.stack, *config.buffer)))
        else:
            wins.append(max(won(config, step.move, gold) + wins[after] for step, after in edges))
    return wins


def won(config: Any, move: str, gold: naive.Gold) -> bool:
    """Whether the move builds a gold arc."""
    if move not in naive.ARC_MOVES:
        return False
    s, b = config.stack[-1], config.buffer[0]
    return gold[s] == b if move == "left_arc" else gold[b] == s


def slow_loss(config: Any, gold: naive.Gold, found: naive.Graph, wins: list[int]) -> int:
    known = [d for d, head in enumerate(gold) if head is not None]
    built = sum(config.heads[d] == gold[d] != naive.ROOT for d in known)
    return len(known) - built - wins[found.index[strip(config)]]


@pytest.mark.parametrize("n", [6, 7, 8, 9])
def test_random_walks(n: int) -> None:
    """Against the slow search, in lockstep with the slow twin."""
    rng = Random(n)
    found = naive.search(Stripped(), n)
    for _ in range(12 if n < 9 else 6):
        gold: naive.Gold = random_tree(rng, n)
        if rng.random() < 0.3:
            gold = tuple(None if rng.random() < 0.3 else head for head in gold)
        wins = slow_wins(found, gold)
        for _ in range(5):
            state, config = SYSTEM.initial_state(n), TWIN.initial(n)
            while not state.is_final:
                assert_same(SYSTEM, state, TWIN, config)
                before = slow_loss(config, gold, found, wins)
                expected = {
                    move: slow_loss(TWIN.apply(config, move), gold, found, wins) - before
                    for move in TWIN.valid(config)
                }
                assert ORACLE.loss(state, list(gold)) == before
                assert ORACLE.costs(state, list(gold)) == expected, (config, gold)
                move = rng.choice(TWIN.valid(config))
                SYSTEM.apply(state, move)
                config = TWIN.apply(config, move)


@pytest.mark.parametrize("n", [30, 100, 300])
def test_long_walks_add_up(n: int) -> None:
    """Some move is free, and the loss grows by the cost of the move that is made."""
    rng = Random(n)
    for _ in range(5):
        gold = list(random_tree(rng, n))
        state = SYSTEM.initial_state(n)
        loss = ORACLE.loss(state, gold)
        while not state.is_final:
            costs = ORACLE.costs(state, gold)
            assert min(costs.values()) == 0
            move = rng.choice(list(costs) if rng.random() < 0.3 else ORACLE.optimal(state, gold))
            SYSTEM.apply(state, move)
            loss += costs[move]
            assert ORACLE.loss(state, gold) == loss
        assert loss == sum(a != b for a, b in zip(SYSTEM.heads(state), gold, strict=True))


def test_optimal_moves_build_the_tree() -> None:
    for gold in all_trees(5, single_root=True, projective=True):
        state = SYSTEM.initial_state(5)
        while not state.is_final:
            SYSTEM.apply(state, ORACLE.optimal(state, list(gold))[-1])
        assert list(SYSTEM.heads(state)) == list(gold)
