"""Every configuration and every gold tree of short sentences, against the exact loss.

The walk drives the public API in lockstep with the slow twins of `tests/naive.py`. Sentences of up
to four words run always; five words run with `-m exhaustive` and print what was counted (`-s`).
"""

from collections import Counter
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from spacy_nonmono import get_oracle, get_system
from tests import naive
from tests.lockstep import assert_same
from tests.naive import SYSTEMS, all_trees, argmin, exact_losses, graph

DYNAMIC = ("arc_eager", "arc_eager_repair", "arc_eager_unshift", "covington")
BOUNDS = ("lower", "pc_upper", "upper")
SIZES = (0, 1, 2, 3, 4, pytest.param(5, marks=pytest.mark.exhaustive))
AB = ("a", "b")


@cache
def walk(name: str, n: int, labels: tuple[str, ...] = naive.LABELS) -> tuple[Any, ...]:
    """The states of the compiled system, at the places of the twin's configurations.

    Every transition is taken, so that each state is reached in every possible way: it must always
    be the same configuration.
    """
    twin = SYSTEMS[name]
    system = get_system(name)
    found = graph(name, n, labels)
    states: list[Any] = [None] * len(found.configs)
    states[-1] = system.initial_state(n)
    for at in reversed(range(len(found.configs))):  # predecessors first
        state, config = states[at], found.configs[at]
        assert_same(system, state, twin, config)
        for step, after in found.edges[at]:
            reached = state.copy()
            system.apply(reached, step.move, label=step.label, insert_label=step.insert_label)
            if states[after] is None:
                states[after] = reached
            elif labels == naive.LABELS:
                assert reached.key() == states[after].key()
                assert hash(reached.key()) == hash(states[after].key())
            else:
                assert_same(system, reached, twin, found.configs[after])
        assert_same(system, state, twin, config)  # the copies took nothing from it
    assert len({state.key() for state in states}) == len(found.configs)
    return tuple(states)


def buildable(name: str, n: int) -> tuple[naive.Heads, ...]:
    """The gold trees for which costs are exact."""
    if name.startswith("covington"):
        return all_trees(n)
    return all_trees(n, single_root=SYSTEMS[name].single_root, projective=True)


def best(values: list[tuple[naive.Step, Any]]) -> dict[str, Any]:
    """For each move the least value over its labels."""
    found: dict[str, Any] = {}
    for step, value in values:
        found[step.move] = min(found.get(step.move, value), value)
    return found


# ---- the systems ----


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", SYSTEMS)
def test_every_configuration(name: str, n: int) -> None:
    states = walk(name, n)
    print(f"{name}, {n} words: {len(states)} configurations, 0 differences")


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_labelled_configuration(name: str) -> None:
    states = walk(name, 3, AB)
    print(f"{name}, 3 words, 2 labels: {len(states)} configurations, 0 differences")


# ---- exact dynamic oracles ----


@pytest.mark.parametrize("n", SIZES[1:])
@pytest.mark.parametrize("name", DYNAMIC)
def test_costs_are_exact(name: str, n: int) -> None:
    """Cost = exact loss after - exact loss before; `optimal` = the preferred among the cheapest."""
    oracle = get_oracle("dynamic", get_system(name))
    states, found, golds = walk(name, n), graph(name, n), buildable(name, n)
    losses = exact_losses(name, n, golds)
    lists = [list(gold) for gold in golds]
    counts: Counter[str] = Counter()
    differences = []
    for at, edges in enumerate(found.edges):
        moves = [step.move for step, _ in edges]
        afters = [after for _, after in edges]
        exact = losses[afters] - losses[at] if edges else np.zeros((0, len(golds)), dtype=int)
        for k, (gold, gold_list) in enumerate(zip(golds, lists, strict=True)):
            expected = dict(zip(moves, exact[:, k].tolist(), strict=True))
            costs = oracle.costs(states[at], gold_list)
            optimal = set(oracle.optimal(states[at], gold_list))
            preferred = argmin(expected)
            if name == "arc_eager_unshift" and len(preferred) > 1:
                values = naive.preferences(name, found.configs[at], gold)
                assert argmin({move: primary for move, (primary, _) in values.items()}) == preferred
                preferred = argmin(values)
            loss = oracle.loss(states[at], gold_list)
            counts["transitions"] += len(expected)
            if costs != expected or optimal != preferred or loss != losses[at, k]:
                differences.append((found.configs[at], gold, costs, expected, optimal, preferred))
    print(
        f"{name}, {n} words: {len(states)} configurations, {len(golds)} gold trees, "
        f"{counts['transitions']} costs, {len(differences)} differences"
    )
    assert differences[:3] == []


@pytest.mark.parametrize("n", SIZES[3:])
@pytest.mark.parametrize("name", DYNAMIC[:3])
def test_costs_of_other_gold_trees(name: str, n: int) -> None:
    """Trees that the system cannot build: costs are the arcs lost, the argmin is never empty."""
    oracle = get_oracle("dynamic", get_system(name))
    states, found = walk(name, n), graph(name, n)
    golds = sorted(set(all_trees(n)) - set(buildable(name, n)))[:: 1 if n < 5 else 5]
    n_costs = 0
    for config, state in zip(found.configs, states, strict=True):
        for gold in golds:
            values = naive.preferences(name, config, gold)
            expected = {move: primary for move, (primary, _) in values.items()}
            assert oracle.costs(state, list(gold)) == expected, (config, gold)
            optimal = set(oracle.optimal(state, list(gold)))
            assert optimal == argmin(values), (config, gold)
            assert optimal or not expected
            n_costs += len(expected)
    print(f"{name}, {n} words: {len(golds)} unbuildable gold trees, {n_costs} costs")


@pytest.mark.parametrize("name", DYNAMIC)
def test_costs_with_partial_gold(name: str) -> None:
    """A word of unknown head contributes nothing."""
    n = 3
    oracle = get_oracle("dynamic", get_system(name))
    states, found = walk(name, n), graph(name, n)
    golds = naive.partial_trees(buildable(name, n))
    losses = exact_losses(name, n, golds)
    for at, edges in enumerate(found.edges):
        for k, gold in enumerate(golds):
            expected = {step.move: losses[after, k] - losses[at, k] for step, after in edges}
            assert oracle.costs(states[at], list(gold)) == expected
            preferred = argmin(expected)
            if name == "arc_eager_unshift":
                preferred = argmin(naive.preferences(name, found.configs[at], gold))
            assert set(oracle.optimal(states[at], list(gold))) == preferred
            assert oracle.loss(states[at], list(gold)) == losses[at, k]


@pytest.mark.parametrize("name", DYNAMIC)
def test_costs_with_labels(name: str) -> None:
    """Two labels, known or not; an arc takes its best label, or the one that is asked about."""
    n = 3
    oracle = get_oracle("dynamic", get_system(name))
    states, found = walk(name, n, AB), graph(name, n, AB)
    pairs = list(product(buildable(name, n), product(AB, repeat=n)))
    if name != "covington":  # there the pairs are many already
        pairs += [(tree, (None, *rest)) for tree, (_, *rest) in pairs if rest != ["b", "b"]]
    losses = exact_losses(name, n, *zip(*pairs, strict=True), AB)
    for at, edges in enumerate(found.edges):
        state = states[at]
        for k, (gold, gold_labels) in enumerate(pairs):
            given = list(gold), list(gold_labels)
            values = [(step, int(losses[after, k] - losses[at, k])) for step, after in edges]
            assert oracle.costs(state, *given) == best(values), (found.configs[at], given)
            assert oracle.loss(state, *given) == losses[at, k]
            for label in AB:
                with_label = [
                    (step, value)
                    for step, value in values
                    if step.move not in naive.ARC_MOVES or step.label == label
                ]
                costs = oracle.costs(state, *given, label=label)
                for move, value in best(with_label).items():
                    assert costs[move] == value, (found.configs[at], given, label, move)
            preferred = argmin(best(values))
            if name == "arc_eager_unshift" and edges:
                preferred = argmin(naive.preferences(name, found.configs[at], gold, gold_labels, AB))
            assert set(oracle.optimal(state, *given)) == preferred, (found.configs[at], given)


# ---- bounds of the non-monotonic Covington system ----


@pytest.mark.parametrize("n", SIZES[1:])
def test_bounds(n: int) -> None:
    """The bounds are the twin's, and hold; `optimal` breaks ties by the gold roots with a head."""
    name = "covington_nonmonotonic"
    system = get_system(name)
    oracles = [get_oracle(bound, system) for bound in BOUNDS]
    states, found = walk(name, n), graph(name, n)
    golds = all_trees(n) if n < 5 else all_trees(n, single_root=True)
    losses = exact_losses(name, n, golds, skip_roots=True)
    n_choices = 0
    totals = np.zeros(len(BOUNDS), dtype=int)
    for k, gold in enumerate(golds):
        gold_list = list(gold)
        headed = [naive.headed_roots(config, gold) for config in found.configs]
        previous = losses[:, k] * 0
        for b, (bound, oracle) in enumerate(zip(BOUNDS, oracles, strict=True)):
            expected = [naive.covington_bound(bound, config, gold) for config in found.configs]
            given = [oracle.loss(state, gold_list) for state in states]
            assert given == expected, (bound, gold)
            assert (previous <= given).all()
            assert (given <= losses[:, k]).all() if b == 0 else (losses[:, k] <= given).all()
            previous = np.array(given)
            totals[b] += sum(given)
            for at, edges in enumerate(found.edges):
                costs = {step.move: expected[after] - expected[at] for step, after in edges}
                assert oracle.costs(states[at], gold_list) == costs
                values = {step.move: (expected[after], headed[after]) for step, after in edges}
                optimal = set(oracle.optimal(states[at], gold_list))
                assert optimal == argmin(values), (bound, found.configs[at], gold)
                n_choices += 1
    means = (totals / (len(states) * len(golds))).round(3).tolist()
    print(
        f"{name}, {n} words: {len(states)} configurations, {len(golds)} gold trees, "
        f"{n_choices} choices, means {means}, 0 differences"
    )


@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize("bound", BOUNDS)
def test_bounds_with_partial_gold_or_labels(bound: str, labelled: bool) -> None:
    name, n = "covington_nonmonotonic", 3
    labels = AB if labelled else naive.LABELS
    oracle = get_oracle(bound, get_system(name))
    states, found = walk(name, n, labels), graph(name, n, labels)
    cases: list[tuple[Any, Any]] = [(gold, None) for gold in naive.partial_trees(all_trees(n))]
    if labelled:
        cases = list(product(all_trees(n), product(AB, repeat=n)))
    for gold, gold_labels in cases:
        given = list(gold), None if gold_labels is None else list(gold_labels)
        expected = [naive.covington_bound(bound, c, gold, gold_labels) for c in found.configs]
        for at, edges in enumerate(found.edges):
            assert oracle.loss(states[at], *given) == expected[at], (found.configs[at], given)
            costs = best([(step, expected[after] - expected[at]) for step, after in edges])
            assert oracle.costs(states[at], *given) == costs, (found.configs[at], given)
            values = naive.covington_bound_values(bound, found.configs[at], gold, gold_labels, labels)
            assert set(oracle.optimal(states[at], *given)) == argmin(values)
