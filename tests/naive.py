"""Slow, obvious twins of the transition systems and of every definition that the oracles use.

Nothing here imports `spacy_nonmono`: the twins follow the definitions word for word, so that
agreement with the compiled code proves something. Clear before fast; sentences of up to five words
are enumerated completely.

Conventions. Words are 0-based, ROOT is -1. A head of -1 means "no head": a root or not attached. A
configuration is a named tuple of tuples, hence hashable. A gold tree is a tuple of heads, -1 for a
root and None for an unknown head. Gold labels are a tuple of strings, None for an unknown label.
Arcs from ROOT carry no label, in any system: the gold label of a root is never read.

Where a definition speaks of arcs, an arc is a triple (head, dependent, label); a gold arc of
unknown label is any of them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

ROOT = -1
MOVES = ("shift", "reduce", "no_arc", "shift_left", "shift_right", "left_arc", "right_arc")  # the order of `valid_moves`
ARC_MOVES = ("left_arc", "right_arc")
LABELS = ("dep",)  # the one label of an unlabelled run

Heads = tuple[int, ...]
Labels = tuple[str, ...]
Gold = tuple[int | None, ...]
GoldLabels = tuple[str | None, ...]
Arc = tuple[int, int, str]


def _set(values: tuple, index: int, value: object) -> tuple:
    return (*values[:index], value, *values[index + 1 :])


# ------------------------------------------------------------------------------------------------
# Trees
# ------------------------------------------------------------------------------------------------


def is_tree(heads: Sequence[int]) -> bool:
    """Every word reaches a root (a forest of several roots is one tree below ROOT)."""
    for word in range(len(heads)):
        ancestor = word
        for _ in range(len(heads)):
            if ancestor != ROOT:
                ancestor = heads[ancestor]
        if ancestor != ROOT:
            return False
    return True


def n_roots(heads: Sequence[int]) -> int:
    return sum(head == ROOT for head in heads)


def is_projective(heads: Sequence[int]) -> bool:
    """No two arcs cross, the arcs from ROOT (beside the sentence) included."""
    arcs = [(min(h, d), max(h, d)) for d, h in enumerate(heads)]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


@cache
def all_trees(n: int, *, single_root: bool = False, projective: bool | None = None) -> tuple[Heads, ...]:
    """Every tree of n words; `projective` keeps only the projective or the non-projective ones."""
    trees = [heads for heads in product(range(-1, n), repeat=n) if is_tree(heads)]
    if single_root:
        trees = [heads for heads in trees if n_roots(heads) == 1]
    if projective is not None:
        trees = [heads for heads in trees if is_projective(heads) == projective]
    return tuple(trees)


def partial_trees(trees: Iterable[Heads]) -> list[Gold]:
    """Every tree with every subset of its heads unknown."""
    found: dict[Gold, None] = {}
    for heads in trees:
        for known in product((True, False), repeat=len(heads)):
            gold = tuple(h if k else None for h, k in zip(heads, known, strict=True))
            found[gold] = None
    return list(found)


# ------------------------------------------------------------------------------------------------
# Stack and buffer systems
# ------------------------------------------------------------------------------------------------


class StackConfig(NamedTuple):
    """Stack (top last), buffer (front first), and for each word its head, its label ("" when none).

    `bits`: the words that were shifted before (unshift only). `insert_labels`: the label that an
    insertion on reduce would write, for the words on the stack that were shifted there (repair
    only; "" otherwise). `end`: the buffer has been empty (tree-constrained only).
    """

    stack: tuple[int, ...]
    buffer: tuple[int, ...]
    heads: Heads
    labels: Labels
    bits: tuple[bool, ...] = ()
    insert_labels: Labels = ()
    end: bool = False


class ArcEager:
    """Arc-eager, ROOT last in the buffer, several roots allowed."""

    name = "arc_eager"
    single_root = False

    def initial(self, n: int) -> StackConfig:
        return StackConfig((), (*range(n), ROOT), (-1,) * n, ("",) * n)

    def final(self, c: StackConfig) -> bool:
        return not c.stack and c.buffer == (ROOT,)

    def heads(self, c: StackConfig) -> Heads:
        return c.heads

    def valid(self, c: StackConfig) -> list[str]:
        if self.final(c):
            return []
        return [move for move in MOVES if getattr(self, f"can_{move}", lambda c: False)(c)]

    def can_shift(self, c: StackConfig) -> bool:
        return c.buffer[0] != ROOT

    def can_right_arc(self, c: StackConfig) -> bool:
        return bool(c.stack) and c.buffer[0] != ROOT

    def can_left_arc(self, c: StackConfig) -> bool:
        return bool(c.stack) and not self.is_headed(c, c.stack[-1])

    def can_reduce(self, c: StackConfig) -> bool:
        return bool(c.stack) and self.is_headed(c, c.stack[-1])

    def is_headed(self, c: StackConfig, word: int) -> bool:
        """Of a word that is still on the stack or in the buffer."""
        return c.heads[word] != -1

    def apply(
        self, c: StackConfig, move: str, label: str = "dep", insert_label: str = "dep"
    ) -> StackConfig:
        assert move in self.valid(c), (move, c)
        if move == "shift":
            return self.shift(c, insert_label)
        if move == "reduce":
            return self.reduce(c)
        s, b = c.stack[-1], c.buffer[0]
        if move == "left_arc":
            return self.attach(c, b, s, label)._replace(stack=c.stack[:-1])
        after = self.attach(c, s, b, label)
        return after._replace(stack=(*c.stack, b), buffer=c.buffer[1:])

    def attach(self, c: StackConfig, head: int, dependent: int, label: str) -> StackConfig:
        written = "" if head == ROOT else label
        return c._replace(
            heads=_set(c.heads, dependent, head), labels=_set(c.labels, dependent, written)
        )

    def shift(self, c: StackConfig, insert_label: str) -> StackConfig:
        return c._replace(stack=(*c.stack, c.buffer[0]), buffer=c.buffer[1:])

    def reduce(self, c: StackConfig) -> StackConfig:
        return c._replace(stack=c.stack[:-1])


class ArcEagerRepair(ArcEager):
    """Honnibal, Goldberg & Johnson 2013: LEFT clobbers, REDUCE of a headless word inserts."""

    name = "arc_eager_repair"

    def initial(self, n: int) -> StackConfig:
        buffer = (*range(n), ROOT)
        n_stack = min(n, 1)
        none = ("",) * n
        return StackConfig(buffer[:n_stack], buffer[n_stack:], (-1,) * n, none, (), none)

    def can_left_arc(self, c: StackConfig) -> bool:
        return bool(c.stack)

    def can_reduce(self, c: StackConfig) -> bool:
        return bool(c.stack) and (self.is_headed(c, c.stack[-1]) or len(c.stack) >= 2)

    def shift(self, c: StackConfig, insert_label: str) -> StackConfig:
        # Kept only where an insertion can read it: not for a word at the bottom of the stack.
        label = insert_label if c.stack else ""
        return super().shift(c._replace(insert_labels=_set(c.insert_labels, c.buffer[0], label)), label)

    def reduce(self, c: StackConfig) -> StackConfig:
        s = c.stack[-1]
        if not self.is_headed(c, s):
            c = self.attach(c, c.stack[-2], s, c.insert_labels[s])
        return super().reduce(c)

    def apply(
        self, c: StackConfig, move: str, label: str = "dep", insert_label: str = "dep"
    ) -> StackConfig:
        after = super().apply(c, move, label, insert_label)
        on_stack = set(after.stack)
        kept = tuple(x if d in on_stack else "" for d, x in enumerate(after.insert_labels))
        return after._replace(insert_labels=kept)


class ArcEagerUnshift(ArcEager):
    """Honnibal & Johnson 2015, repaired: REDUCE of a headless word moves it back to the buffer."""

    name = "arc_eager_unshift"
    single_root = True

    def initial(self, n: int) -> StackConfig:
        return StackConfig((), tuple(range(n)), (-1,) * n, ("",) * n, (False,) * n)

    def final(self, c: StackConfig) -> bool:
        return not c.buffer and len(c.stack) <= 1  # no word at all only where there is none

    def can_shift(self, c: StackConfig) -> bool:
        return bool(c.buffer) and (not c.bits[c.buffer[0]] or not c.stack)

    def can_right_arc(self, c: StackConfig) -> bool:
        return bool(c.stack) and bool(c.buffer)

    def can_left_arc(self, c: StackConfig) -> bool:
        return bool(c.stack) and bool(c.buffer)

    def can_reduce(self, c: StackConfig) -> bool:
        return len(c.stack) >= 2  # headed: REDUCE, headless: UNSHIFT

    def shift(self, c: StackConfig, insert_label: str) -> StackConfig:
        return super().shift(c._replace(bits=_set(c.bits, c.buffer[0], True)), insert_label)

    def reduce(self, c: StackConfig) -> StackConfig:
        s = c.stack[-1]
        if self.is_headed(c, s):
            return super().reduce(c)
        return c._replace(stack=c.stack[:-1], buffer=(s, *c.buffer))


class ArcEagerTreeConstrained(ArcEager):
    """Nivre & Fernández-González 2014: once the buffer was empty, only repairs of the stack."""

    name = "arc_eager_tree_constrained"
    single_root = True

    def initial(self, n: int) -> StackConfig:
        return StackConfig((), tuple(range(n)), (-1,) * n, ("",) * n, end=n == 0)

    def final(self, c: StackConfig) -> bool:
        return c.end and len(c.stack) + len(c.buffer) <= 1

    def can_shift(self, c: StackConfig) -> bool:
        return bool(c.buffer) and not c.end

    def can_right_arc(self, c: StackConfig) -> bool:
        return bool(c.stack) and bool(c.buffer)

    def can_left_arc(self, c: StackConfig) -> bool:
        return bool(c.stack) and bool(c.buffer) and not self.is_headed(c, c.stack[-1])

    def can_reduce(self, c: StackConfig) -> bool:
        if not c.stack:
            return False
        return self.is_headed(c, c.stack[-1]) or not c.buffer

    def reduce(self, c: StackConfig) -> StackConfig:
        s = c.stack[-1]
        if self.is_headed(c, s):
            return super().reduce(c)
        return c._replace(stack=c.stack[:-1], buffer=(s,))

    def apply(
        self, c: StackConfig, move: str, label: str = "dep", insert_label: str = "dep"
    ) -> StackConfig:
        after = super().apply(c, move, label, insert_label)
        return after._replace(end=after.end or not after.buffer)


# ------------------------------------------------------------------------------------------------
# Covington
# ------------------------------------------------------------------------------------------------


class CovingtonConfig(NamedTuple):
    """The focus words (i is -1 when the left list is exhausted) and each word's head and label."""

    i: int
    j: int
    heads: Heads
    labels: Labels

    @property
    def stack(self) -> tuple[int, ...]:
        return tuple(range(self.i + 1))

    @property
    def buffer(self) -> tuple[int, ...]:
        return tuple(range(self.j, len(self.heads)))


def has_path(heads: Sequence[int], ancestor: int, word: int) -> bool:
    """ancestor →* word."""
    while word not in (ancestor, -1):
        word = heads[word]
    return word == ancestor


class Covington:
    """Covington's algorithm as a transition system; no arc may give a second head or a cycle."""

    name = "covington"
    single_root = False

    def initial(self, n: int) -> CovingtonConfig:
        return CovingtonConfig(-1, 0, (-1,) * n, ("",) * n)

    def final(self, c: CovingtonConfig) -> bool:
        return c.j == len(c.heads)

    def heads(self, c: CovingtonConfig) -> Heads:
        return c.heads

    def valid(self, c: CovingtonConfig) -> list[str]:
        if self.final(c):
            return []
        moves = ["shift"]
        if c.i >= 0:
            moves.append("no_arc")
            if self.can_attach(c, c.j, c.i):
                moves.append("left_arc")
            if self.can_attach(c, c.i, c.j):
                moves.append("right_arc")
        return moves

    def can_attach(self, c: CovingtonConfig, head: int, dependent: int) -> bool:
        return c.heads[dependent] == -1 and not has_path(c.heads, dependent, head)

    def apply(
        self, c: CovingtonConfig, move: str, label: str = "dep", insert_label: str = "dep"
    ) -> CovingtonConfig:
        assert move in self.valid(c), (move, c)
        if move == "shift":
            return c._replace(i=c.j, j=c.j + 1)
        if move == "left_arc":
            c = self.attach(c, c.j, c.i, label)
        elif move == "right_arc":
            c = self.attach(c, c.i, c.j, label)
        return c._replace(i=c.i - 1)

    def attach(self, c: CovingtonConfig, head: int, dependent: int, label: str) -> CovingtonConfig:
        return c._replace(heads=_set(c.heads, dependent, head), labels=_set(c.labels, dependent, label))


class CovingtonNonmonotonic(Covington):
    """Fernández-González & Gómez-Rodríguez 2017: a new arc replaces a head and breaks a cycle."""

    name = "covington_nonmonotonic"

    def can_attach(self, c: CovingtonConfig, head: int, dependent: int) -> bool:
        return True

    def attach(self, c: CovingtonConfig, head: int, dependent: int, label: str) -> CovingtonConfig:
        if has_path(c.heads, dependent, head):
            c = super().attach(c, -1, head, "")
        return super().attach(c, head, dependent, label)


SYSTEMS: dict[str, Any] = {
    system.name: system
    for system in (
        ArcEager(),
        ArcEagerTreeConstrained(),
        ArcEagerRepair(),
        ArcEagerUnshift(),
        Covington(),
        CovingtonNonmonotonic(),
    )
}


# ------------------------------------------------------------------------------------------------
# The transition graph and the exact loss
# ------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    move: str
    label: str
    insert_label: str


def steps(system: Any, config: Any, labels: Sequence[str] = LABELS) -> list[Step]:
    """Every valid transition with every choice of labels that can make a difference."""
    found = []
    for move in system.valid(config):
        arc_labels = labels if move in ARC_MOVES else labels[:1]
        inserts = move == "shift" and system.name == "arc_eager_repair" and config.stack
        for label in arc_labels:
            for insert_label in labels if inserts else labels[:1]:
                found.append(Step(move, label, insert_label))
    return found


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
    """Depth first, in postorder: hence a topological order, provided that there is no cycle."""
    system = SYSTEMS[name]
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


def losses_of_outputs(
    name: str,
    configs: Sequence[Any],
    golds: Sequence[Gold],
    gold_labels: Sequence[GoldLabels] | None = None,
    *,
    skip_roots: bool = False,
) -> npt.NDArray[np.int8]:
    """[config, gold]: words with a wrong head (with `gold_labels`, gold by gold: or label)."""
    system = SYSTEMS[name]
    n = len(golds[0])
    unknown = -2
    heads_CN = np.array([system.heads(c) for c in configs]).reshape(-1, n)
    gold_GN = np.array([[unknown if h is None else h for h in gold] for gold in golds])
    wrong_CGN = heads_CN[:, None] != gold_GN[None]
    if gold_labels is not None:
        labels_CN = np.array([c.labels for c in configs], dtype=object).reshape(-1, n)
        gold_labels_GN = np.array(gold_labels, dtype=object).reshape(-1, n)
        wrong_label = labels_CN[:, None] != gold_labels_GN[None]
        wrong_label &= np.equal(gold_labels_GN, None)[None] == False  # noqa: E712
        wrong_label &= (gold_GN != ROOT)[None]
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
    found = graph(name, n, labels)
    outputs = [at for at, edges in enumerate(found.edges) if not edges]
    losses = np.full((len(found.configs), len(golds)), 127, dtype=np.int8)
    losses[outputs] = losses_of_outputs(
        name, [found.configs[at] for at in outputs], golds, gold_labels, skip_roots=skip_roots
    )
    for at, edges in enumerate(found.edges):
        if edges:
            losses[at] = losses[[after for _, after in edges]].min(axis=0)
    return losses


# ------------------------------------------------------------------------------------------------
# Arcs lost: the dynamic oracles of the stack and buffer systems
# ------------------------------------------------------------------------------------------------

Rule = Callable[[StackConfig, int, int], bool]


def _later(c: StackConfig, first: int, second: int) -> int:
    return max(first, second, key=c.stack.index)


def rule_arc_eager(c: StackConfig, h: int, d: int) -> bool:
    """Arc-eager: what LEFT and RIGHT can still build (Goldberg & Nivre 2013)."""
    if d in c.buffer:
        return h in c.stack or h in c.buffer
    return d in c.stack and c.heads[d] == -1 and h in c.buffer


def rule_repair(c: StackConfig, h: int, d: int) -> bool:
    """Any head may be replaced from the buffer; an insertion's label: see `reachable_arcs`."""
    if d in c.buffer:
        return h in c.stack or h in c.buffer
    return d in c.stack and (h in c.buffer or is_insertion(c, h, d))


def is_insertion(c: StackConfig, h: int, d: int) -> bool:
    """d is headless on the stack and h lies directly below it."""
    if d not in c.stack or c.heads[d] != -1:
        return False
    return c.stack.index(d) > 0 and c.stack[c.stack.index(d) - 1] == h


def rule_unshift(c: StackConfig, h: int, d: int) -> bool:
    """The root arc is there as long as d is headless."""
    if h == ROOT:
        return c.heads[d] == -1
    if d in c.buffer:
        return h in c.stack or h in c.buffer
    if d not in c.stack:
        return False
    return h in c.buffer or (h in c.stack and c.heads[_later(c, h, d)] == -1)


def rule_unshift_monotonic(c: StackConfig, h: int, d: int) -> bool:
    """What the monotonic transitions can still build: the secondary set of the preference."""
    if h == ROOT:
        return c.heads[d] == -1
    return rule_arc_eager(c, h, d)


def rule_tree_constrained(c: StackConfig, h: int, d: int) -> bool:
    """The individually reachable arcs of the lower bound."""
    if h == ROOT:
        return c.heads[d] == -1
    if rule_arc_eager(c, h, d):
        return True
    if h not in c.stack or d not in c.stack or c.heads[d] != -1:
        return False
    return c.heads[_later(c, h, d)] == -1


RULES: dict[str, Rule] = {
    "arc_eager": rule_arc_eager,
    "arc_eager_repair": rule_repair,
    "arc_eager_unshift": rule_unshift,
    "arc_eager_tree_constrained": rule_tree_constrained,
}


@cache
def reachable_arcs(rule: Rule, c: StackConfig, labels: tuple[str, ...] = LABELS) -> frozenset[Arc]:
    """The arcs that are built or reachable; a root arc with every label, since it has none."""
    arcs = set()
    for h, d in product(range(-1, len(c.heads)), range(len(c.heads))):
        is_gone = d not in c.stack and d not in c.buffer
        if rule(c, h, d) or (h == ROOT == c.heads[d] and is_gone):
            insertion = rule is rule_repair and is_insertion(c, h, d)
            arcs.update((h, d, x) for x in labels if not insertion or x == c.insert_labels[d])
        elif c.heads[d] == h != ROOT:
            arcs.add((h, d, c.labels[d]))
    return frozenset(arcs)


def holds(arcs: frozenset[Arc], head: int | None, dependent: int, label: str | None) -> bool:
    """Whether the gold arc is among them; of unknown label: whether one of any label is."""
    if label is not None:
        return (head, dependent, label) in arcs
    return any((h, d) == (head, dependent) for h, d, _ in arcs)


def n_lost(
    before: frozenset[Arc], after: frozenset[Arc], gold: Gold, gold_labels: GoldLabels | None = None
) -> int:
    """Gold arcs among the first that are not among the second; gains are not credited."""
    gold_labels = gold_labels or LABELS * len(gold)
    return sum(
        holds(before, h, d, x) and not holds(after, h, d, x)
        for d, (h, x) in enumerate(zip(gold, gold_labels, strict=True))
        if h is not None
    )


def cost_table(name: str, c: StackConfig, move: str, gold: Gold) -> int:
    """The unlabelled formulas for arc-eager and unshift, spelled out move by move."""

    def g(heads: Iterable[int], dependents: Iterable[int]) -> int:
        return sum(gold[d] == h for h, d in product(heads, dependents) if d != ROOT)

    def headless(words: Iterable[int]) -> list[int]:
        return [word for word in words if c.heads[word] == -1]

    below, s = c.stack[:-1], c.stack[-1:]
    b, rest = c.buffer[:1], c.buffer[1:]
    if name == "arc_eager":
        if move == "shift":
            return g(c.stack, b) + g(b, headless(c.stack))
        if move == "right_arc":
            return g(below + rest, b) + g(b, headless(c.stack))
        if move == "left_arc":
            return g(rest, s) + g(s, c.buffer)
        return g(s, c.buffer)
    assert name == "arc_eager_unshift"
    if move == "right_arc":
        return g(below, b) + g(b, c.stack) + g([ROOT], b)
    if move == "left_arc":
        cost = g(rest, s) + g(s, c.buffer)
        if not headless(s):
            return cost + (gold[s[0]] == c.heads[s[0]])
        return cost + g(below, s) + g(s, below) + g([ROOT], s)
    if move == "reduce" and not headless(s):
        return g(s, c.buffer) + g(c.buffer, s)
    return 0


def costs(
    name: str,
    c: StackConfig,
    gold: Gold,
    gold_labels: GoldLabels | None = None,
    labels: tuple[str, ...] = LABELS,
) -> dict[str, int]:
    """Arcs lost by each valid move, with its best labels."""
    found = preferences(name, c, gold, gold_labels, labels)
    return {move: cost for move, (cost, _) in found.items()}


def preferences(
    name: str,
    c: StackConfig,
    gold: Gold,
    gold_labels: GoldLabels | None = None,
    labels: tuple[str, ...] = LABELS,
) -> dict[str, tuple[int, int]]:
    """For each valid move (arcs lost, secondary cost of the preference) with its best labels."""
    system = SYSTEMS[name]
    rule = RULES[name]
    before = reachable_arcs(rule, c, labels)
    found: dict[str, tuple[int, int]] = {}
    for step in steps(system, c, labels):
        after = system.apply(c, *step)
        primary = n_lost(before, reachable_arcs(rule, after, labels), gold, gold_labels)
        secondary = 0
        if name == "arc_eager_unshift":
            secondary = unshift_secondary(c, step.move, after, gold, gold_labels, labels)
        found[step.move] = min(found.get(step.move, (99, 99)), (primary, secondary))
    return found


def unshift_secondary(
    c: StackConfig,
    move: str,
    after: StackConfig,
    gold: Gold,
    gold_labels: GoldLabels | None = None,
    labels: tuple[str, ...] = LABELS,
) -> int:
    """Arcs lost under the monotonic rules; UNSHIFT is free only where it can repair."""
    if move == "reduce" and c.heads[c.stack[-1]] == -1:
        s, below = c.stack[-1], c.stack[:-1]
        repairs = gold[s] in below or any(gold[d] == s for d in below)
        return 0 if repairs else 1
    return n_lost(
        reachable_arcs(rule_unshift_monotonic, c, labels),
        reachable_arcs(rule_unshift_monotonic, after, labels),
        gold,
        gold_labels,
    )


def argmin(values: dict[str, Any]) -> set[str]:
    least = min(values.values(), default=None)
    return {move for move, value in values.items() if value == least}


def n_unreachable(name: str, c: StackConfig, gold: Gold) -> int:
    """Gold arcs that are neither built nor individually reachable: a lower bound of the loss."""
    arcs = reachable_arcs(RULES[name], c)
    return sum(h is not None and not holds(arcs, h, d, "dep") for d, h in enumerate(gold))


# ------------------------------------------------------------------------------------------------
# Covington: unreachable arcs, cycles, bounds
# ------------------------------------------------------------------------------------------------


def covington_arcs(
    c: CovingtonConfig,
    gold: Gold,
    gold_labels: GoldLabels | None = None,
    *,
    monotonic: bool,
) -> tuple[list[int], list[int]]:
    """The words whose gold arc (not from ROOT, not built) is unreachable (U), or not (I)."""
    gold_labels = gold_labels or (None,) * len(gold)
    unreachable, missing = [], []
    for y, (x, label) in enumerate(zip(gold, gold_labels, strict=True)):
        if x is None or x == ROOT:
            continue
        if c.heads[y] == x and label in (None, c.labels[y]):
            continue
        gone = c.j > max(x, y) or (c.j == max(x, y) and c.i < min(x, y))
        if monotonic:
            gone = gone or c.heads[y] != -1 or is_connected(c.heads, x, y)
        (unreachable if gone else missing).append(y)
    return unreachable, missing


def is_connected(heads: Sequence[int], first: int, second: int) -> bool:
    """Whether both words are in one weakly connected component, that is, have one top ancestor."""

    def top(word: int) -> int:
        while heads[word] != -1:
            word = heads[word]
        return word

    return top(first) == top(second)


def covington_loss(c: CovingtonConfig, gold: Gold, gold_labels: GoldLabels | None = None) -> int:
    """|U| plus the cycles of A and I together; a root arc is unreachable iff its word has a head.

    Gómez-Rodríguez & Fernández-González 2015, with the root arcs put right.
    """
    unreachable, missing = covington_arcs(c, gold, gold_labels, monotonic=True)
    return len(unreachable) + headed_roots(c, gold) + len(find_cycles(c.heads, gold, missing))


def headed_roots(c: CovingtonConfig, gold: Gold) -> int:
    return sum(x == ROOT and c.heads[y] != -1 for y, x in enumerate(gold))


def find_cycles(heads: Heads, gold: Gold, missing: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The elementary cycles of A and I together: words, each followed by its head, least first."""
    parents = [{head} - {-1} for head in heads]
    for y in missing:
        parents[y].add(gold[y])
    return _elementary_cycles(tuple(frozenset(p) for p in parents))


@cache
def _elementary_cycles(parents: tuple[frozenset[int], ...]) -> tuple[tuple[int, ...], ...]:
    cycles = []

    def extend(path: tuple[int, ...]) -> None:
        for parent in parents[path[-1]]:
            if parent == path[0]:
                cycles.append(path)
            elif parent > path[0] and parent not in path:
                extend((*path, parent))

    for start in range(len(parents)):
        extend((start,))
    return tuple(cycles)


def is_problematic(
    cycle: Sequence[int], c: CovingtonConfig, gold: Gold, gold_labels: GoldLabels | None = None
) -> bool:
    """Whether the arc that breaking the cycle would remove is gold: with a wrong label it is not.

    Of the arcs x → y of the cycle that are not built, take the one built last; adding it drops the
    head z of x.
    """
    arcs = [(cycle[(k + 1) % len(cycle)], cycle[k]) for k in range(len(cycle))]
    not_built = [(x, y) for x, y in arcs if c.heads[y] != x]
    x, _ = max(not_built, key=lambda arc: (max(arc), -min(arc)))
    z = next(head for head, dependent in arcs if dependent == x)
    wrongly_labelled = c.heads[x] == z and (gold_labels or c.labels)[x] not in (None, c.labels[x])
    return gold[x] == z and not wrongly_labelled


def covington_bound(
    name: str, c: CovingtonConfig, gold: Gold, gold_labels: GoldLabels | None = None
) -> int:
    """ "lower", "pc_upper" or "upper"; words whose gold head is ROOT are left out.

    Fernández-González & Gómez-Rodríguez 2017; cycles by brute force.
    """
    unreachable, missing = covington_arcs(c, gold, gold_labels, monotonic=False)
    if name == "lower":
        return len(unreachable)
    cycles = find_cycles(c.heads, gold, missing)
    if name == "upper":
        return len(unreachable) + len(cycles)
    assert name == "pc_upper"
    return len(unreachable) + sum(is_problematic(cycle, c, gold, gold_labels) for cycle in cycles)


def covington_bound_values(
    name: str,
    c: CovingtonConfig,
    gold: Gold,
    gold_labels: GoldLabels | None = None,
    labels: tuple[str, ...] = LABELS,
) -> dict[str, tuple[int, int]]:
    """For each valid move (bound, gold roots with a head) after it; `optimal` is its argmin."""
    system = SYSTEMS["covington_nonmonotonic"]
    found: dict[str, tuple[int, int]] = {}
    for step in steps(system, c, labels):
        after = system.apply(c, *step)
        value = covington_bound(name, after, gold, gold_labels), headed_roots(after, gold)
        found[step.move] = min(found.get(step.move, (99, 99)), value)
    return found


# ------------------------------------------------------------------------------------------------
# Static derivations
# ------------------------------------------------------------------------------------------------


def static_move(system: Any, c: Any, gold: Heads) -> str | None:
    """The one move of the static derivation, if there is one in this configuration."""
    move = _static_covington(c, gold) if hasattr(c, "i") else _static_arc_eager(c, gold)
    return move if move in system.valid(c) else None


def _static_arc_eager(c: StackConfig, gold: Heads) -> str:
    if c.stack and c.buffer:
        s, b = c.stack[-1], c.buffer[0]
        if gold[s] == b and c.heads[s] == -1:
            return "left_arc"
        if b != ROOT and gold[b] == s:
            return "right_arc"
    if c.stack and c.heads[c.stack[-1]] != -1:
        s = c.stack[-1]
        if not any(gold[d] == s for d in c.buffer if d != ROOT):
            return "reduce"
    return "shift"


def _static_covington(c: CovingtonConfig, gold: Heads) -> str:
    def linked(i: int) -> bool:
        return gold[i] == c.j or gold[c.j] == i

    if c.i >= 0 and linked(c.i):
        return "left_arc" if gold[c.i] == c.j else "right_arc"
    return "no_arc" if any(linked(i) for i in range(c.i)) else "shift"


def static_derivation(system: Any, gold: Heads) -> list[str] | None:
    """The moves that build the gold tree; None if the system cannot build it."""
    c = system.initial(len(gold))
    moves = []
    while not system.final(c):
        move = static_move(system, c, gold)
        if move is None:
            return None
        moves.append(move)
        c = system.apply(c, move)
    return moves if system.heads(c) == tuple(gold) else None


def derivation_lengths(name: str, n: int) -> Iterator[int]:
    """The longest way from each configuration to a final one."""
    longest: list[int] = []
    for edges in graph(name, n).edges:
        longest.append(max((1 + longest[after] for _, after in edges), default=0))
    return iter(longest)
