"""The exact oracle of `covington_nonmonotonic` in sentences longer than those of `test_exhaustive.py`.

The slow search of everything reachable takes too long from the start of a long sentence on, so it looks
at configurations of its last words, after random moves. The root is often headed there: unheading it
takes the longest detours.
"""

from functools import cache
from random import Random
from typing import Any

import pytest

from spacy_nonmono import get_oracle, get_system
from tests import naive
from tests.trees import random_tree

NAME = "covington_nonmonotonic"
SYSTEM = get_system(NAME)
TWIN = naive.SYSTEMS[NAME]


def slow_losses(gold: naive.Gold) -> Any:
    """Loss of a configuration: that of the best configuration that it leads to."""

    @cache
    def loss(config: Any) -> int:
        if TWIN.final(config):
            return sum(h is not None and h != g for h, g in zip(gold, config.heads, strict=True))
        return min(loss(TWIN.apply(config, move)) for move in TWIN.valid(config))

    return loss


@pytest.mark.parametrize(("n", "n_last", "n_walks"), [(6, 2, 15), (7, 1, 100), (9, 1, 30)])
def test_random_walks(n: int, n_last: int, n_walks: int) -> None:
    """Losses, costs and optimal moves, from `n_last` words before the end on."""
    rng = Random(n)
    oracle = get_oracle("exact", SYSTEM)
    n_compared = n_costly = 0
    for _ in range(n_walks):
        gold: naive.Gold = tuple(random_tree(rng, n))
        if rng.random() < 0.2:
            gold = tuple(None if rng.random() < 0.2 else head for head in gold)
        loss = slow_losses(gold)
        state, config = SYSTEM.initial_state(n), TWIN.initial(n)
        while not state.is_final:
            if config.j >= n - n_last:
                before = loss(config)
                expected = {move: loss(TWIN.apply(config, move)) - before for move in TWIN.valid(config)}
                assert oracle.loss(state, list(gold)) == before, (config, gold)
                assert oracle.costs(state, list(gold)) == expected, (config, gold)
                ranked = {
                    move: (cost, naive.covington_loss(TWIN.apply(config, move), gold))
                    for move, cost in expected.items()
                }
                assert set(oracle.optimal(state, list(gold))) == naive.argmin(ranked)
                n_compared += 1
                n_costly += before > get_oracle("lower", SYSTEM).loss(state, list(gold))
            move = rng.choice(TWIN.valid(config))
            SYSTEM.apply(state, move)
            config = TWIN.apply(config, move)
    assert oracle.cap_hits == 0
    assert n_costly > n_compared // 10


def test_a_root_is_freed_by_three_detours() -> None:
    """A Basque sentence: 3 is the gold root, headed by 1, whose own gold head is out of reach. Nothing
    more is lost, since 8 may take 1, 9 take 8, and 3 take 9 before 9 goes to its gold head."""
    heads = [3, -1, 3, 1, -1, -1, -1, -1, -1, -1, -1, -1, -1]
    gold = [3, 2, 3, -1, 3, 3, 3, 5, 10, 10, 5, 9, 3]
    state = SYSTEM.initial_state(len(gold))
    while state.buffer[0] < 4:
        i, j = (state.stack or [-1])[-1], state.buffer[0]
        move = "shift" if i < 0 else "no_arc"
        if i >= 0 and heads[i] == j:
            move = "left_arc"
        elif i >= 0 and heads[j] == i:
            move = "right_arc"
        SYSTEM.apply(state, move)
    assert state.heads == heads
    oracle = get_oracle("exact", SYSTEM)
    assert oracle.loss(state, gold) == get_oracle("lower", SYSTEM).loss(state, gold) == 1


def test_long_sentences_are_searched_briefly() -> None:
    """A gold tree in which everything goes wrong: the cap counts, nothing is raised or hangs."""
    rng = Random(0)
    n = 200
    gold = random_tree(rng, n)
    oracle = get_oracle("exact", SYSTEM)
    state = SYSTEM.initial_state(n)
    for _ in range(400):
        SYSTEM.apply(state, rng.choice(SYSTEM.valid_moves(state)))
    assert min(oracle.costs(state, gold).values()) == 0
    assert oracle.loss(state, gold) >= get_oracle("lower", SYSTEM).loss(state, gold)
