"""The twins checked against themselves: what the definitions claim, by complete enumeration."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from tests import naive
from tests.naive import TWINS, all_trees, argmin, exact_losses, graph

# They are the exact cost
ARCS_LOST = ("arc_eager", "arc_eager_repair", "arc_eager_unshift", "arc_eager_distinct_unshift")
FORMULAS = (
    "arc_eager",
    "arc_eager_unshift",
    "arc_eager_distinct_unshift",
    "arc_hybrid",
    "easy_first",
    "yamada_matsumoto",
    "yamada_matsumoto_fine",
)
EXACT = tuple(dict.fromkeys(ARCS_LOST + FORMULAS))
BOUNDS = ("lower", "pc_upper", "upper")


def golds_of(name: str, n: int) -> tuple[naive.Heads, ...]:
    """The gold trees that the system is meant to build."""
    if name.startswith("covington"):
        return all_trees(n)
    if name == "arc_swap":
        return all_trees(n, single_root=True)
    return all_trees(n, single_root=TWINS[name].single_root, projective=True)


def differences(
    name: str,
    n: int,
    costs: Callable[[Any, Any], dict[Any, int]],
    golds: tuple[Any, ...],
    *,
    system: Any = None,
) -> int:
    """Transitions whose cost differs from the exact loss after minus before.

    system: a variant of the system of that name.
    """
    found = graph(name, n) if system is None else naive.search(system, n)
    losses = naive.losses_in(found, golds)
    count = 0
    for at, (config, edges) in enumerate(zip(found.configs, found.edges, strict=True)):
        for k, gold in enumerate(golds):
            expected = {step.move: losses[after, k] - losses[at, k] for step, after in edges}
            given = costs(config, gold) if edges else {}
            assert given.keys() == expected.keys()
            count += sum(given[move] != expected[move] for move in expected)
    return count


def covington_costs(
    config: naive.CovingtonConfig, gold: naive.Gold, gold_labels: naive.GoldLabels | None = None
) -> dict[str, int]:
    system = TWINS["covington"]
    before = naive.covington_loss(config, gold, gold_labels)
    found: dict[str, int] = {}
    for step in naive.steps(system, config, ("a", "b") if gold_labels else naive.LABELS):
        after = naive.covington_loss(system.apply(config, *step), gold, gold_labels)
        found[step.move] = min(found.get(step.move, 99), after - before)
    return found


# ---- trees and graphs ----


def test_numbers_of_trees() -> None:
    assert [len(all_trees(n)) for n in range(1, 6)] == [1, 3, 16, 125, 1296]
    assert [len(all_trees(n, single_root=True)) for n in range(1, 6)] == [1, 2, 9, 64, 625]
    assert [len(all_trees(n, projective=True)) for n in range(1, 6)] == [1, 3, 12, 55, 273]
    single = [len(all_trees(n, single_root=True, projective=True)) for n in range(1, 6)]
    assert single == [1, 2, 7, 30, 143]


@pytest.mark.parametrize(
    ("name", "n_configs"),
    [
        *naive.N_CONFIGS_OF_FOUR_WORDS.items(),
        ("arc_eager_tree_constrained", 199),
        ("covington_nonmonotonic", 413),
    ],
)
def test_numbers_of_configurations(name: str, n_configs: int) -> None:
    assert naive.n_places(naive.reachable(name, 4)) == n_configs


def test_numbers_of_transitions_at_five_words() -> None:
    """Times the gold trees, these are the numbers of costs that were once verified."""
    assert graph("arc_eager", 5).n_transitions * len(golds_of("arc_eager", 5)) == 376_740
    n_golds = len(golds_of("arc_eager_unshift", 5))
    assert graph("arc_eager_unshift", 5).n_transitions * n_golds == 1_523_379


@pytest.mark.parametrize("n", range(6))
@pytest.mark.parametrize("name", TWINS)
def test_no_dead_configuration(name: str, n: int) -> None:
    system = TWINS[name]
    found = graph(name, n)
    for config, edges in zip(found.configs, found.edges, strict=True):
        assert system.final(config) == (not edges)


@pytest.mark.parametrize("n", range(1, 5))
@pytest.mark.parametrize("name", TWINS)
def test_the_outputs_are_the_trees(name: str, n: int) -> None:
    """Every tree of the class that a system is meant for is built, and nothing else."""
    system = TWINS[name]
    outputs = {system.heads(c) for c in naive.reachable(name, n) if system.final(c)}
    assert outputs == set(golds_of(name, n))


@pytest.mark.parametrize("n", range(1, 6))
def test_unshift_ends_soon(n: int) -> None:
    assert max(naive.derivation_lengths("arc_eager_unshift", n)) == 4 * n - 3


# ---- arcs lost ----


@pytest.mark.parametrize("n", range(1, 5))
@pytest.mark.parametrize("name", ARCS_LOST)
def test_arcs_lost_are_the_exact_cost(name: str, n: int) -> None:
    def costs(config: Any, gold: Any) -> dict[str, int]:
        return naive.costs(name, config, gold)

    assert differences(name, n, costs, golds_of(name, n)) == 0


@pytest.mark.parametrize("n", range(1, 5))
@pytest.mark.parametrize("name", FORMULAS)
def test_printed_formulas_are_the_exact_cost(name: str, n: int) -> None:
    def costs(config: Any, gold: Any) -> dict[str, int]:
        moves = TWINS[name].valid(config)
        return {move: naive.cost_table(name, config, move, gold) for move in moves}

    assert differences(name, n, costs, golds_of(name, n)) == 0


@pytest.mark.parametrize("name", EXACT)
def test_gold_that_cannot_be_built_is_sound(name: str) -> None:
    """The cost is never understated, so a free move is free; the argmin may cost more."""
    golds = tuple(sorted(set(all_trees(4)) - set(golds_of(name, 4))))
    found = graph(name, 4)
    losses = exact_losses(name, 4, golds)
    n_without_free = 0
    places = set()
    for at, (config, edges) in enumerate(zip(found.configs, found.edges, strict=True)):
        place = config._replace(labels=())
        if not edges:
            continue
        for k, gold in enumerate(golds):
            costs = naive.costs(name, config, gold)
            assert all(costs[step.move] >= losses[to, k] - losses[at, k] for step, to in edges)
            if place not in places:
                n_without_free += naive.n_roots(gold) == 1 and min(costs.values()) > 0
        places.add(place)
    expected = {
        "arc_eager": 155,
        "arc_eager_repair": 213,
        "arc_eager_unshift": 443,
        "arc_eager_distinct_unshift": 443,
        "arc_hybrid": 91,
        "easy_first": 82,
        "yamada_matsumoto": 82,
        "yamada_matsumoto_fine": 82,
    }
    assert n_without_free == expected[name]


@pytest.mark.parametrize("name", EXACT)
def test_costs_with_labels(name: str) -> None:
    labels = ("a", "b")
    pairs = [
        (tree, gold_labels) for tree in golds_of(name, 3) for gold_labels in product(labels, repeat=3)
    ]
    golds, gold_labels = zip(*pairs, strict=True)
    found = graph(name, 3, labels)
    losses = exact_losses(name, 3, golds, gold_labels, labels)
    for at, (config, edges) in enumerate(zip(found.configs, found.edges, strict=True)):
        for k, pair in enumerate(pairs):
            expected: dict[str, int] = {}
            for step, after in edges:
                cost = int(losses[after, k] - losses[at, k])
                expected[step.move] = min(expected.get(step.move, 99), cost)
            assert naive.costs(name, config, *pair, labels=labels) == expected


@pytest.mark.parametrize("name", EXACT)
def test_costs_with_partial_gold(name: str) -> None:
    def costs(config: Any, gold: Any) -> dict[str, int]:
        return naive.costs(name, config, gold)

    for n in (2, 3):
        assert differences(name, n, costs, tuple(naive.partial_trees(golds_of(name, n)))) == 0


# ---- attaching to ROOT at any time ----


class ManyRoots:
    """A system whose ROOT may take a word, and another one, at any time."""

    single_root = False

    def root_may_take_one(self, c: Any) -> bool:
        return len(getattr(c, "pending", c.stack)) >= 2


class ArcHybridManyRoots(ManyRoots, naive.ArcHybrid): ...


class ArcStandardManyRoots(ManyRoots, naive.ArcStandard): ...


class EasyFirstManyRoots(ManyRoots, naive.EasyFirst): ...


@pytest.mark.parametrize(
    ("system", "n_configs"),
    [(ArcHybridManyRoots(), 215), (ArcStandardManyRoots(), 184), (EasyFirstManyRoots(), 143)],
)
def test_many_roots(system: Any, n_configs: int) -> None:
    found = naive.search(system, 4)
    assert len(found.configs) == n_configs
    outputs = {system.heads(c) for c in found.configs if system.final(c)}
    assert outputs == set(all_trees(4, projective=True))


@pytest.mark.parametrize("n", range(1, 5))
@pytest.mark.parametrize("system", [ArcHybridManyRoots(), EasyFirstManyRoots()])
def test_formulas_with_many_roots(system: Any, n: int) -> None:
    """The formulas stay exact."""

    def costs(config: Any, gold: Any) -> dict[Any, int]:
        moves = system.valid(config)
        return {move: naive.cost_table(system.name, config, move, gold) for move in moves}

    assert differences(system.name, n, costs, all_trees(n, projective=True), system=system) == 0


# ---- arc-standard ----


def test_arc_standard_does_not_decompose() -> None:
    """Each gold arc can be in an output that is still reachable, but not all of them in one."""
    gold = (-1, 0, 0)
    found = graph("arc_standard", 3)
    config = naive.StackConfig((naive.ROOT, 0, 1, 2), (), (-1,) * 3, ("",) * 3)
    at = found.index[config]
    for d, head in enumerate(gold):
        alone = tuple(head if word == d else None for word in range(3))
        assert exact_losses("arc_standard", 3, [alone])[at, 0] == 0
    assert exact_losses("arc_standard", 3, [gold])[at, 0] == 1


# ---- list systems ----


def config_after(system: Any, n: int, moves: list[Any]) -> Any:
    config = system.initial(n)
    for move in moves:
        config = system.apply(config, move)
    return config


def test_yamada_matsumoto_passes() -> None:
    system = TWINS["yamada_matsumoto"]
    config = config_after(system, 3, [("shift", 0), ("right_arc", 1)])
    assert (config.pending, config.focus, config.attached) == ((0, 1), 0, False)
    config = config_after(system, 3, [("shift", 0), ("shift", 1)])
    assert (config.pending, config.focus) == ((0, 1, 2), 2)
    pairs = [("left_arc", 0), ("right_arc", 0), ("left_arc", 1), ("right_arc", 1)]
    assert system.valid(config) == pairs
    config = system.apply(config, ("right_arc", 1))
    assert (config.pending, config.focus, config.attached) == ((0, 1), 0, False)
    config = system.apply(config, ("left_arc", 0))
    assert (config.pending, config.focus, config.attached) == ((1,), 0, True)
    assert system.final(config)


def test_fine_grained_shift() -> None:
    """Of the three classes that of the focus pair: related, and the dependent not complete, or else."""
    system = TWINS["yamada_matsumoto_fine"]
    config = system.initial(3)
    names = [name for name, _ in system.valid(config)]
    assert names == ["shift", "shift_left", "shift_right", "left_arc", "right_arc"]
    for gold, best in {
        (1, -1, 1): {"shift", "left_arc"},
        (-1, 0, 0): {"shift", "right_arc"},
        (-1, 0, 1): {"shift_right"},
        (2, 2, -1): {"shift"},
        (1, -1, None): {"shift", "left_arc"},
        (None, None, -1): {"shift", "left_arc", "right_arc"},
    }.items():
        optimal = argmin(naive.preferences("yamada_matsumoto_fine", config, gold))
        assert optimal == {(name, 0) for name in best}


@pytest.mark.parametrize("n", range(2, 7))
@pytest.mark.parametrize("name", ["yamada_matsumoto", "yamada_matsumoto_fine"])
def test_static_derivations_force_nothing(name: str, n: int) -> None:
    system = TWINS[name]
    for gold in golds_of(name, n):
        config = system.initial(n)
        while not system.final(config):
            assert not system.is_forced(config)
            config = system.apply(config, naive.static_move(system, config, gold))


# ---- unshift: the preference ----


def test_unshift_preference_needs_the_lexicographic_order() -> None:
    """Nothing is free in both senses here, so 'optimal in both senses' would be empty."""
    config = naive.StackConfig((0,), (1, 2), (-1, -1, -1), ("",) * 3, (True,) * 3)
    assert config in graph("arc_eager_unshift", 3).index
    values = naive.preferences("arc_eager_unshift", config, (-1, 2, 0))
    assert values == {"left_arc": (2, 2), "right_arc": (0, 1)}


def test_unshift_preference_makes_derivations_monotonic() -> None:
    """From the start, following the preference rebuilds the gold tree without any repair."""
    system = TWINS["arc_eager_unshift"]
    for n in range(1, 5):
        for gold in golds_of(system.name, n):
            open_configs = [system.initial(n)]
            while open_configs:
                config = open_configs.pop()
                if system.final(config):
                    assert system.heads(config) == gold
                    continue
                for move in argmin(naive.preferences(system.name, config, gold)):
                    s = config.stack[-1:]
                    assert move != "reduce" or config.heads[s[0]] != -1
                    assert move != "left_arc" or config.heads[s[0]] == -1
                    open_configs.append(system.apply(config, move))


# ---- tree-constrained ----


def test_tree_constrained_does_not_decompose() -> None:
    """Every gold arc can still be built, but not all of them."""
    name = "arc_eager_tree_constrained"
    gold = (-1, 0, 0)
    config = naive.StackConfig((0, 1), (2,), (-1, -1, -1), ("",) * 3)
    assert naive.n_unreachable(name, config, gold) == 0
    assert exact_losses(name, 3, [gold])[graph(name, 3).index[config], 0] == 1


@pytest.mark.parametrize("n", range(1, 5))
def test_tree_constrained_lower_bound(n: int) -> None:
    name = "arc_eager_tree_constrained"
    golds = golds_of(name, n)
    losses = exact_losses(name, n, golds)
    for at, config in enumerate(naive.reachable(name, n)):
        for k, gold in enumerate(golds):
            assert naive.n_unreachable(name, config, gold) <= losses[at, k]


# ---- Covington ----


@pytest.mark.parametrize("n", range(1, 5))
def test_covington_loss_is_exact(n: int) -> None:
    golds = all_trees(n)
    losses = exact_losses("covington", n, golds)
    for at, config in enumerate(naive.reachable("covington", n)):
        assert [naive.covington_loss(config, gold) for gold in golds] == losses[at].tolist()


def test_covington_costs_with_partial_gold() -> None:
    golds = tuple(naive.partial_trees(all_trees(3)))
    assert differences("covington", 3, covington_costs, golds) == 0


def test_covington_costs_with_labels() -> None:
    labels = ("a", "b")
    pairs = [(tree, gold_labels) for tree in all_trees(3) for gold_labels in product(labels, repeat=3)]
    golds, gold_labels = zip(*pairs, strict=True)
    losses = exact_losses("covington", 3, golds, gold_labels, labels)
    for at, config in enumerate(naive.reachable("covington", 3, labels)):
        assert [naive.covington_loss(config, *pair) for pair in pairs] == losses[at].tolist()


@pytest.mark.parametrize("n", range(1, 5))
def test_covington_bounds_hold(n: int) -> None:
    name = "covington_nonmonotonic"
    golds = all_trees(n)
    losses = exact_losses(name, n, golds, skip_roots=True)
    for at, config in enumerate(naive.reachable(name, n)):
        for k, gold in enumerate(golds):
            lower, pc_upper, upper = (naive.covington_bound(b, config, gold) for b in BOUNDS)
            assert lower <= losses[at, k] <= pc_upper <= upper


def test_covington_bounds_hold_with_labels() -> None:
    name, labels = "covington_nonmonotonic", ("a", "b")
    pairs = list(product(all_trees(3), product(labels, repeat=3)))
    golds, gold_labels = zip(*pairs, strict=True)
    losses = exact_losses(name, 3, golds, gold_labels, labels, skip_roots=True)
    for at, config in enumerate(naive.reachable(name, 3, labels)):
        for k, pair in enumerate(pairs):
            lower, pc_upper, upper = (naive.covington_bound(b, config, *pair) for b in BOUNDS)
            assert lower <= losses[at, k] <= pc_upper <= upper


def test_covington_mean_bounds() -> None:
    name = "covington_nonmonotonic"
    golds = all_trees(4, single_root=True)
    configs = naive.reachable(name, 4)
    n_pairs = len(configs) * len(golds)
    for bound, mean in zip(BOUNDS, (2.053, 2.069, 2.096), strict=True):
        total = sum(naive.covington_bound(bound, c, gold) for c in configs for gold in golds)
        assert round(total / n_pairs, 3) == mean
    losses = exact_losses(name, 4, golds, skip_roots=True)
    assert round(losses.mean(), 3) == 2.067


def test_covington_lower_bound_breaks_with_headed_roots() -> None:
    name = "covington_nonmonotonic"
    config = naive.CovingtonConfig(-1, 1, (1, -1, -1), ("dep", "", ""))
    gold = (-1, 0, 0)
    counted = naive.covington_bound("lower", config, gold) + naive.headed_roots(config, gold)
    assert counted > exact_losses(name, 3, [gold])[graph(name, 3).index[config], 0]


@pytest.mark.parametrize("bound", BOUNDS)
def test_covington_tie_break(bound: str) -> None:
    """Choices at n = 4 whose `optimal` holds a truly costly move: few with the tie-break."""
    name = "covington_nonmonotonic"
    golds = all_trees(4, single_root=True)
    found = graph(name, 4)
    losses = exact_losses(name, 4, golds)
    n_choices = 0
    costly = [0, 0]  # with the bound alone, with the tie-break
    for config, edges in zip(found.configs, found.edges, strict=True):
        if len(edges) < 2:
            continue
        for k, gold in enumerate(golds):
            values = naive.covington_bound_values(bound, config, gold)
            after = {step.move: losses[to, k] for step, to in edges}
            least = argmin(after)
            n_choices += 1
            for k_keys in range(2):
                chosen = argmin({move: v[: k_keys + 1] for move, v in values.items()})
                costly[k_keys] += not chosen <= least
    assert 0.135 < costly[0] / n_choices < 0.165
    assert 0.0215 < costly[1] / n_choices < 0.0365


def test_cycles_by_hand() -> None:
    """Two cycles through one arc, each counted once."""
    cycles = naive.find_cycles((1, -1, -1), (None, 0, 0), [1, 2])
    assert cycles == ((0, 1),)
    cycles = naive.find_cycles((2, -1, 1), (1, 0, 0), [0, 1, 2])
    assert sorted(cycles) == [(0, 1), (0, 2), (0, 2, 1)]


# ---- static derivations ----


@pytest.mark.parametrize("n", range(1, 6))
@pytest.mark.parametrize("name", TWINS)
def test_static_derivations(name: str, n: int) -> None:
    """Every tree that the system can build has one, and no other tree has."""
    buildable = set(golds_of(name, n))
    for gold in all_trees(n):
        moves = naive.static_derivation(TWINS[name], gold)
        assert (moves is not None) == (gold in buildable)


def test_static_derivation_by_hand() -> None:
    gold = (1, -1, 1)
    moves = naive.static_derivation(TWINS["arc_eager"], gold)
    assert moves == ["shift", "left_arc", "shift", "right_arc", "reduce", "left_arc"]
    moves = naive.static_derivation(TWINS["arc_eager_unshift"], gold)
    assert moves == ["shift", "left_arc", "shift", "right_arc", "reduce"]
    moves = naive.static_derivation(TWINS["arc_hybrid"], gold)
    assert moves == ["shift", "shift", "left_arc", "shift", "shift", "right_arc", "right_arc"]
    moves = naive.static_derivation(TWINS["arc_standard"], gold)
    assert moves == ["shift", "shift", "shift", "left_arc", "shift", "right_arc", "right_arc"]
    moves = naive.static_derivation(TWINS["easy_first"], gold)
    assert moves == [("left_arc", 1), ("right_arc", 1), ("right_arc", 0)]
    moves = naive.static_derivation(TWINS["yamada_matsumoto"], gold)
    assert moves == [("left_arc", 0), ("right_arc", 0)]
    moves = naive.static_derivation(TWINS["yamada_matsumoto_fine"], (-1, 0, 1))
    assert moves == [("shift_right", 0), ("right_arc", 1), ("right_arc", 0)]
    moves = naive.static_derivation(TWINS["covington"], (2, -1, 1))
    assert moves == ["shift", "shift", "right_arc", "left_arc", "shift"]
