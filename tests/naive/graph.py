"""The systems by name, their transition graphs, and the exact loss."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .covington import Covington, CovingtonNonmonotonic
from .lists import EasyFirst, YamadaMatsumoto
from .stack import (
    ArcEager,
    ArcEagerDistinctUnshift,
    ArcEagerRepair,
    ArcEagerTreeConstrained,
    ArcEagerUnshift,
    ArcHybrid,
    ArcStandard,
    ArcSwap,
)
from .trees import ARC_MOVES, LABELS, ROOT, Gold, GoldLabels, Move, kind

SYSTEMS: dict[str, Any] = {
    system.name: system
    for system in (
        ArcEager(),
        ArcEagerTreeConstrained(),
        ArcEagerRepair(),
        ArcEagerUnshift(),
        ArcEagerDistinctUnshift(),
        ArcStandard(),
        ArcHybrid(),
        ArcSwap(),
        EasyFirst(),
        YamadaMatsumoto(),
        Covington(),
        CovingtonNonmonotonic(),
    )
}
# With the systems that an option makes.
TWINS = {**SYSTEMS, "yamada_matsumoto_fine": YamadaMatsumoto(fine_grained_shift=True)}

N_CONFIGS_OF_FOUR_WORDS = {
    "arc_eager": 245,
    "arc_eager_repair": 244,
    "arc_eager_unshift": 796,
    "arc_eager_distinct_unshift": 796,
    "arc_standard": 103,
    "arc_hybrid": 126,
    "easy_first": 85,
    "yamada_matsumoto": 135,
    "yamada_matsumoto_fine": 135,
    "covington": 413,
}


class Step(NamedTuple):
    move: Move
    label: str


def steps(system: Any, config: Any, labels: Sequence[str] = LABELS) -> list[Step]:
    """Every valid transition with every choice of labels that can make a difference."""
    found = []
    for move in system.valid(config):
        arc_labels = labels if kind(move) in ARC_MOVES else labels[:1]
        found += [Step(move, label) for label in arc_labels]
    return found


@cache
def transitions(
    name: str, config: Any, labels: tuple[str, ...] = LABELS
) -> tuple[tuple[Step, Any], ...]:
    """The steps from a configuration, and the configurations after them."""
    system = TWINS[name]
    return tuple((step, system.apply(config, *step)) for step in steps(system, config, labels))


class Graph(NamedTuple):
    """Every reachable configuration, successors before predecessors, and its transitions."""

    configs: list[Any]
    index: dict[Any, int]
    edges: list[list[tuple[Step, int]]]

    @property
    def n_transitions(self) -> int:
        return sum(len(edges) for edges in self.edges)


@cache
def graph(name: str, n: int, labels: tuple[str, ...] = LABELS) -> Graph:
    return search(TWINS[name], n, labels)


def search(system: Any, n: int, labels: tuple[str, ...] = LABELS) -> Graph:
    """Depth first, in postorder: hence a topological order, provided that there is no cycle."""
    configs: list[Any] = []
    index: dict[Any, int] = {}
    edges: list[list[tuple[Step, int]]] = []
    opened: set[Any] = set()

    def visit(config: Any) -> int:
        if config in index:
            return index[config]
        assert config not in opened, f"a cycle of transitions through {config}"
        opened.add(config)
        found = [(step, visit(system.apply(config, *step))) for step in steps(system, config, labels)]
        index[config] = len(configs)
        configs.append(config)
        edges.append(found)
        return index[config]

    visit(system.initial(n))
    return Graph(configs, index, edges)


def reachable(name: str, n: int, labels: tuple[str, ...] = LABELS) -> list[Any]:
    return graph(name, n, labels).configs


def n_places(configs: Sequence[Any]) -> int:
    """The configurations but for labels: an inserted arc has none, where another one has."""
    return len({config._replace(labels=()) for config in configs})


def losses_of_outputs(
    configs: Sequence[Any],
    golds: Sequence[Gold],
    gold_labels: Sequence[GoldLabels] | None = None,
    *,
    skip_roots: bool = False,
) -> npt.NDArray[np.int8]:
    """[config, gold]: words with a wrong head (with `gold_labels`, gold by gold: or label). An arc
    without a label gets the right one when all is done."""
    n = len(golds[0])
    unknown = -2
    heads_CN = np.array([c.heads for c in configs]).reshape(-1, n)
    gold_GN = np.array([[unknown if h is None else h for h in gold] for gold in golds])
    wrong_CGN = heads_CN[:, None] != gold_GN[None]
    if gold_labels is not None:
        labels_CN = np.array([c.labels for c in configs], dtype=object).reshape(-1, n)
        gold_labels_GN = np.array(gold_labels, dtype=object).reshape(-1, n)
        wrong_label = labels_CN[:, None] != gold_labels_GN[None]
        wrong_label &= np.equal(gold_labels_GN, None)[None] == False  # noqa: E712
        wrong_label &= (gold_GN != ROOT)[None]
        wrong_label &= (labels_CN != "")[:, None]
        wrong_CGN |= wrong_label
    wrong_CGN &= (gold_GN != unknown)[None]
    if skip_roots:
        wrong_CGN &= (gold_GN != ROOT)[None]
    return wrong_CGN.sum(axis=2, dtype=np.int8)


def exact_losses(
    name: str,
    n: int,
    golds: Sequence[Gold],
    gold_labels: Sequence[GoldLabels] | None = None,
    labels: tuple[str, ...] = LABELS,
    *,
    skip_roots: bool = False,
) -> npt.NDArray[np.int8]:
    """[config of `graph(name, n, labels)`, gold]: errors of the best output still reachable."""
    return losses_in(graph(name, n, labels), golds, gold_labels, skip_roots=skip_roots)


def losses_in(
    found: Graph,
    golds: Sequence[Gold],
    gold_labels: Sequence[GoldLabels] | None = None,
    *,
    skip_roots: bool = False,
) -> npt.NDArray[np.int8]:
    outputs = [at for at, edges in enumerate(found.edges) if not edges]
    losses = np.full((len(found.configs), len(golds)), 127, dtype=np.int8)
    losses[outputs] = losses_of_outputs(
        [found.configs[at] for at in outputs], golds, gold_labels, skip_roots=skip_roots
    )
    for at, edges in enumerate(found.edges):
        if edges:
            losses[at] = losses[[after for _, after in edges]].min(axis=0)
    return losses


def derivation_lengths(name: str, n: int) -> Iterator[int]:
    """The longest way from each configuration to a final one."""
    longest: list[int] = []
    for edges in graph(name, n).edges:
        longest.append(max((1 + longest[after] for _, after in edges), default=0))
    return iter(longest)
