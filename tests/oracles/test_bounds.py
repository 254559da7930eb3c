"""The bounds of the non-monotonic Covington system, in every configuration of short sentences."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

from spacy_nonmono import get_oracle
from tests import naive
from tests.conftest import Row
from tests.lockstep import compiled, walk
from tests.naive import all_trees, argmin, exact_losses, graph
from tests.oracles.test_exhaustive import AB, IN_TABLE, SIZES, best

NAME = "covington_nonmonotonic"
BOUNDS = ("lower", "pc_upper", "upper")
# Means of four words over the gold trees of one root, words whose gold head is ROOT left out.
MEANS = {"lower": 2.053, "pc_upper": 2.069, "upper": 2.096}
MEAN_LOSS = 2.067


def compare(
    bound: str,
    n: int,
    golds: Sequence[Any],
    gold_labels: Sequence[Any] | None = None,
    labels: tuple[str, ...] = naive.LABELS,
) -> tuple[Row, list[Any]]:
    """The bound beside the twin's and beside the exact loss: a row of the table, the differences.

    `optimal` breaks ties by the monotonic loss. The means are over the gold trees of one root.
    """
    oracle = get_oracle(bound, compiled(NAME))
    states, found = walk(NAME, n, labels), graph(NAME, n, labels)
    losses = exact_losses(NAME, n, golds, gold_labels, labels, skip_roots=True)
    bounds = np.zeros_like(losses)
    differences: list[Any] = []
    n_transitions = 0
    for k, gold in enumerate(golds):
        pair = (gold,) if gold_labels is None else (gold, gold_labels[k])
        arguments = [list(part) for part in pair]
        expected = [naive.covington_bound(bound, config, *pair) for config in found.configs]
        monotonic = [naive.covington_loss(config, *pair) for config in found.configs]
        for at, edges in enumerate(found.edges):
            state = states[at]
            bounds[at, k] = oracle.loss(state, *arguments)
            costs = best([(step, expected[after] - expected[at]) for step, after in edges])
            values = best([(step, (expected[after], monotonic[after])) for step, after in edges])
            wanted = expected[at], costs, argmin(values)
            got = (
                int(bounds[at, k]),
                oracle.costs(state, *arguments),
                set(oracle.optimal(state, *arguments)),
            )
            n_transitions += len(costs)
            if got != wanted:
                differences.append((found.configs[at], arguments, got, wanted))
    is_wrong = bounds > losses if bound == "lower" else bounds < losses
    single = [k for k, gold in enumerate(golds) if gold.count(naive.ROOT) == 1]
    row = {
        "system": NAME,
        "oracle": bound,
        "configurations": len(states),
        "gold trees": len(golds),
        "transitions": n_transitions,
        "differences": len(differences),
        "violations": int(is_wrong.sum()),
        "mean bound": float(bounds[:, single].mean()),
        "mean loss": float(losses[:, single].mean()),
        "bound = loss": float((bounds == losses)[:, single].mean()),
    }
    return row, differences


@pytest.mark.parametrize("n", SIZES[1:])
@pytest.mark.parametrize("bound", BOUNDS)
def test_bounds(bound: str, n: int, table: list[Row]) -> None:
    row, differences = compare(bound, n, all_trees(n))
    if n >= 4:
        table.append({**row, "words": str(n)})
    if n == 4:
        assert round(row["mean bound"], 3) == MEANS[bound]
        assert round(row["mean loss"], 3) == MEAN_LOSS
    assert (differences[:3], row["violations"]) == ([], 0)


@pytest.mark.parametrize("n", (2, 3, 4))
@pytest.mark.parametrize("bound", BOUNDS)
def test_without_tie_break(bound: str, n: int) -> None:
    """As published: all moves after which the bound is least, and the same costs."""
    oracle = get_oracle(bound, compiled(NAME), tie_break="none")
    default = get_oracle(bound, compiled(NAME))
    states, found = walk(NAME, n), graph(NAME, n)
    more = 0
    for gold in all_trees(n):
        expected = [naive.covington_bound(bound, config, gold) for config in found.configs]
        for state, edges in zip(states, found.edges, strict=True):
            optimal = set(oracle.optimal(state, list(gold)))
            assert optimal == argmin(best([(step, expected[after]) for step, after in edges]))
            assert oracle.costs(state, list(gold)) == default.costs(state, list(gold))
            more += optimal > set(default.optimal(state, list(gold)))
    assert more > 0


@IN_TABLE
@pytest.mark.parametrize("bound", BOUNDS)
def test_bounds_with_partial_gold(bound: str, table: list[Row]) -> None:
    row, differences = compare(bound, 3, naive.partial_trees(all_trees(3)))
    table.append({**row, "words": "3, unknown heads"})
    assert (differences[:3], row["violations"]) == ([], 0)


@IN_TABLE
@pytest.mark.parametrize("bound", BOUNDS)
def test_bounds_with_labels(bound: str, table: list[Row]) -> None:
    golds, gold_labels = zip(*product(all_trees(3), product(AB, repeat=3)), strict=True)
    row, differences = compare(bound, 3, golds, gold_labels, AB)
    table.append({**row, "words": "3, two labels"})
    assert (differences[:3], row["violations"]) == ([], 0)
