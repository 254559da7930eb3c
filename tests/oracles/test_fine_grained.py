"""The classes of shift, as Zhu, Qiu & Huang (2015) define them, beside the exact loss."""

from typing import Any

import pytest

from spacy_nonmono import get_oracle
from tests.conftest import Row
from tests.lockstep import compiled, walk
from tests.naive import Gold, all_trees, exact_losses, graph, partial_trees

NAME = "yamada_matsumoto_fine"
PLAIN = "yamada_matsumoto"
CLASSES = {"left_arc": "shift_left", "right_arc": "shift_right"}
SIZES = (
    2,
    3,
    pytest.param(4, marks=pytest.mark.in_table),
    pytest.param(5, marks=pytest.mark.exhaustive),
)


def related(config: Any, gold: Gold) -> str | None:
    """The move that would build the gold arc between the focus words."""
    left, right = config.pending[config.focus : config.focus + 2]
    if gold[left] == right:
        return "left_arc"
    return "right_arc" if gold[right] == left else None


def compare(n: int, golds: tuple[Gold, ...]) -> tuple[Row, list[Any]]:
    """A dependent is complete iff its gold arc is free now, as the exact loss has it."""
    oracle = get_oracle("dynamic", compiled(NAME))
    coarse = get_oracle("dynamic", compiled(PLAIN))
    states, coarse_states = walk(NAME, n), walk(PLAIN, n)
    found, at_coarse = graph(NAME, n), graph(PLAIN, n).index
    losses = exact_losses(NAME, n, golds)
    differences = []
    n_configs = n_compared = 0
    for at, (config, edges) in enumerate(zip(found.configs, found.edges, strict=True)):
        after = {step.move[0]: to for step, to in edges}
        if "shift" not in after:
            continue
        n_configs += 1
        for k, gold in enumerate(golds):
            costs = {move: int(losses[to, k] - losses[at, k]) for move, to in after.items()}
            arc = related(config, gold)
            due = arc is not None and costs[arc] == 0
            named = "shift" if arc is None or due else CLASSES[arc]
            optimal = {move for move, _ in oracle.optimal(states[at], list(gold))}
            plainly = {m for m, _ in coarse.optimal(coarse_states[at_coarse[config]], list(gold))}
            n_compared += 1
            if (
                {move for move in optimal if move.startswith("shift")} != {named}
                or any(costs[move] for move in costs if move.startswith("shift"))
                or (due and arc not in optimal)
                or optimal - {named} | {"shift"} != plainly
            ):
                differences.append((config, gold, optimal))
    row = {
        "system": NAME,
        "oracle": "dynamic, classes of shift",
        "words": str(n),
        "configurations": n_configs,
        "gold trees": len(golds),
        "transitions": n_compared,
        "differences": len(differences),
    }
    return row, differences


@pytest.mark.parametrize("n", SIZES)
def test_classes_of_shift(n: int, table: list[Row]) -> None:
    row, differences = compare(n, all_trees(n, single_root=True, projective=True))
    table.append(row)
    assert differences[:3] == []


@pytest.mark.parametrize("n", [2, 3])
def test_classes_of_shift_with_unknown_heads(n: int) -> None:
    golds = tuple(partial_trees(all_trees(n, single_root=True, projective=True)))
    assert compare(n, golds)[1] == []
