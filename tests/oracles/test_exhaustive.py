"""Every configuration and every gold tree of short sentences, against the exact loss.

The walk drives the public API in lockstep with the slow twins of `tests/naive`. Sentences of up to
four words run always; `-m exhaustive` runs three to five words, unshift six, and ends with a table.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest

from spacy_nonmono import get_oracle, list_systems
from spacy_nonmono.oracles.registry import list_oracles
from tests import naive
from tests.conftest import Row
from tests.lockstep import NAMES, compiled, walk, with_oracles
from tests.naive import (
    N_CONFIGS_OF_FOUR_WORDS,
    TWINS,
    all_trees,
    argmin,
    exact_losses,
    graph,
    n_places,
)

EXACT = with_oracles("dynamic", "exact")
SEARCHED = ("arc_standard", "arc_eager_tree_constrained")  # exact for every gold tree, as Covington
WITH_PREFERENCE = ("arc_eager_unshift", "arc_eager_distinct_unshift", "yamada_matsumoto_fine")
IN_TABLE = pytest.mark.in_table
SIZES = (
    *range(4),
    pytest.param(4, marks=IN_TABLE),
    pytest.param(5, marks=pytest.mark.exhaustive),
)
UNSHIFT_SIZES = (
    *(pytest.param(n, marks=IN_TABLE) for n in range(1, 6)),
    pytest.param(6, marks=pytest.mark.exhaustive),
)
AB = ("a", "b")


def buildable(name: str, n: int) -> tuple[naive.Heads, ...]:
    """The gold trees for which costs are exact."""
    if name.startswith("covington") or name in SEARCHED:
        return all_trees(n)
    return all_trees(n, single_root=TWINS[name].single_root, projective=True)


def best(values: list[tuple[naive.Step, Any]]) -> dict[Any, Any]:
    """For each move the least value over its labels."""
    found: dict[Any, Any] = {}
    for step, value in values:
        found[step.move] = min(found.get(step.move, value), value)
    return found


def preferred(
    name: str, config: Any, expected: dict[Any, int], gold: Any, gold_labels: Any, labels: Any
) -> set[Any]:
    """The cheapest moves, less those that the preference among them leaves out."""
    cheapest = argmin(expected)
    if name == "covington_nonmonotonic":
        ranks = naive.covington_bound_values("lower", config, gold, gold_labels, labels)
        return argmin({move: ranks[move][1] for move in cheapest})
    if name not in WITH_PREFERENCE or len(cheapest) < 2:
        return cheapest
    values = naive.preferences(name, config, gold, gold_labels, labels)
    assert {move: primary for move, (primary, _) in values.items()} == expected
    return argmin(values)


def compare(
    name: str,
    oracle_name: str,
    n: int,
    golds: Sequence[Any],
    gold_labels: Sequence[Any] | None = None,
    labels: tuple[str, ...] = naive.LABELS,
) -> tuple[Row, list[Any]]:
    """Costs, optimal moves and losses beside the exact loss: a row of the table, the differences."""
    oracle = get_oracle(oracle_name, compiled(name))
    states, found = walk(name, n, labels), graph(name, n, labels)
    losses = exact_losses(name, n, golds, gold_labels, labels)
    given = [
        (list(gold),) if gold_labels is None else (list(gold), list(gold_labels[k]))
        for k, gold in enumerate(golds)
    ]
    differences = []
    n_transitions = 0
    for at, (config, edges) in enumerate(zip(found.configs, found.edges, strict=True)):
        state = states[at]
        steps = [step for step, _ in edges]
        exact = losses[[after for _, after in edges]] - losses[at] if edges else losses[:0]
        for k, (gold, arguments) in enumerate(zip(golds, given, strict=True)):
            of_steps = list(zip(steps, exact[:, k].tolist(), strict=True))
            expected = best(of_steps)
            pair_labels = None if gold_labels is None else gold_labels[k]
            wanted = (
                expected,
                preferred(name, config, expected, gold, pair_labels, labels),
                int(losses[at, k]),
            )
            got = (
                oracle.costs(state, *arguments),
                set(oracle.optimal(state, *arguments)),
                oracle.loss(state, *arguments),
            )
            n_transitions += len(expected)
            if got != wanted:
                differences.append((config, arguments, got, wanted))
            for label in labels if len(labels) > 1 else ():
                expected = best([s for s in of_steps if is_of(s[0], label)])
                costs = oracle.costs(state, *arguments, label=label)
                if any(costs[move] != value for move, value in expected.items()):
                    differences.append((config, arguments, label, costs, expected))
    row = {
        "system": name,
        "oracle": oracle_name,
        "configurations": n_places(found.configs),
        "gold trees": len(golds),
        "transitions": n_transitions,
        "differences": len(differences),
    }
    return row, differences


def is_of(step: naive.Step, label: str) -> bool:
    """Whether the step can be meant where the label of arcs is asked about."""
    return naive.kind(step.move) not in naive.ARC_MOVES or step.label == label


# ---- the systems ----


def test_everything_is_compared() -> None:
    """Each system has a twin, and each of its oracles is one that the tests below run through."""
    names = {twin.name for twin in TWINS.values()}
    assert set(list_systems()) == names
    expected = {key: {"dynamic", "static"} for key in names}
    expected["arc_swap"] = {"static"}
    expected["covington_nonmonotonic"] = {"lower", "pc_upper", "upper", "exact", "static"}
    assert {name: set(list_oracles(name)) for name in names} == expected


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", NAMES)
def test_every_configuration(name: str, n: int) -> None:
    walk(name, n)


@pytest.mark.parametrize("name", NAMES)
def test_every_labelled_configuration(name: str) -> None:
    walk(name, 3, AB)


@pytest.mark.parametrize("n", UNSHIFT_SIZES)
def test_unshift_ends_with_a_tree(n: int, table: list[Row]) -> None:
    """No dead end, no output but single-root projective trees, no derivation over 4n - 3 moves."""
    system = compiled("arc_eager_unshift")
    longest: dict[Any, int] = {}
    outputs = set()
    n_dead = n_transitions = 0

    def visit(state: Any) -> int:
        nonlocal n_dead, n_transitions
        key = state.key()
        if key not in longest:
            moves = system.valid_moves(state)
            if not state.buffer and len(state.stack) == 1:
                assert not moves
                outputs.add(tuple(system.heads(state)))
            elif not moves:
                n_dead += 1
            n_transitions += len(moves)
            after = []
            for move in moves:
                reached = state.copy()
                system.apply(reached, move)
                after.append(1 + visit(reached))
            longest[key] = max(after, default=0)
        return longest[key]

    n_moves = visit(system.initial_state(n))
    trees = set(all_trees(n, single_root=True, projective=True))
    table.append(
        {
            "system": "arc_eager_unshift",
            "words": str(n),
            "configurations": len(longest),
            "transitions": n_transitions,
            "dead": n_dead,
            "other outputs": len(outputs - trees),
            "longest": n_moves,
            "4n - 3": 4 * n - 3,
        }
    )
    assert (n_dead, outputs - trees, n_moves) == (0, set(), 4 * n - 3)
    assert trees <= outputs


# ---- exact oracles ----


@pytest.mark.parametrize("n", SIZES[1:])
@pytest.mark.parametrize(("name", "oracle"), EXACT)
def test_costs_are_exact(name: str, oracle: str, n: int, table: list[Row]) -> None:
    """Cost = exact loss after - exact loss before; `optimal` = the preferred among the cheapest."""
    row, differences = compare(name, oracle, n, buildable(name, n))
    if n >= 4:
        table.append({**row, "words": str(n)})
    if n == 4 and name in N_CONFIGS_OF_FOUR_WORDS:
        table[-1]["expected"] = N_CONFIGS_OF_FOUR_WORDS[name]
        assert row["configurations"] == N_CONFIGS_OF_FOUR_WORDS[name]
    assert differences[:3] == []


@IN_TABLE
@pytest.mark.parametrize(("name", "oracle"), EXACT)
def test_costs_with_partial_gold(name: str, oracle: str, table: list[Row]) -> None:
    """A word of unknown head contributes nothing."""
    row, differences = compare(name, oracle, 3, naive.partial_trees(buildable(name, 3)))
    table.append({**row, "words": "3, unknown heads"})
    assert differences[:3] == []


@IN_TABLE
@pytest.mark.parametrize(("name", "oracle"), EXACT)
def test_costs_with_labels(name: str, oracle: str, table: list[Row]) -> None:
    """Two labels, known or not; an arc takes its best label, or the one that is asked about."""
    pairs = list(product(buildable(name, 3), product(AB, repeat=3)))
    if not name.startswith("covington"):  # there the pairs are many already
        pairs += [(tree, (None, *rest)) for tree, (_, *rest) in pairs if rest != ["b", "b"]]
    golds, gold_labels = zip(*pairs, strict=True)
    row, differences = compare(name, oracle, 3, golds, gold_labels, AB)
    table.append({**row, "words": "3, two labels"})
    assert differences[:3] == []


@pytest.mark.parametrize("n", SIZES[3:])
@pytest.mark.parametrize("name", [name for name, _ in EXACT if buildable(name, 3) != all_trees(3)])
def test_costs_of_other_gold_trees(name: str, n: int) -> None:
    """Trees that the system cannot build: costs are the formulas', the argmin is never empty."""
    oracle = get_oracle("dynamic", compiled(name))
    golds = sorted(set(all_trees(n)) - set(buildable(name, n)))[:: 1 if n < 5 else 5]
    for config, state in zip(graph(name, n).configs, walk(name, n), strict=True):
        for gold in golds:
            values = naive.preferences(name, config, gold)
            expected = {move: primary for move, (primary, _) in values.items()}
            assert oracle.costs(state, list(gold)) == expected, (config, gold)
            optimal = set(oracle.optimal(state, list(gold)))
            assert optimal == argmin(values), (config, gold)
            assert optimal or not expected
