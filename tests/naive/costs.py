"""The dynamic oracles of the projective systems: arcs lost, and the printed formulas."""

from collections.abc import Callable, Iterable
from functools import cache
from itertools import product
from typing import Any

from .graph import TWINS, Step, transitions
from .lists import ListConfig
from .stack import StackConfig
from .trees import ARC_MOVES, LABELS, ROOT, Arc, Gold, GoldLabels, Move, kind

Rule = Callable[[StackConfig, int, int], bool]


def _later(c: StackConfig, first: int, second: int) -> int:
    return max(first, second, key=c.stack.index)


def rule_arc_eager(c: StackConfig, h: int, d: int) -> bool:
    """Arc-eager: what LEFT and RIGHT can still build (Goldberg & Nivre 2013)."""
    if d in c.buffer:
        return h in c.stack or h in c.buffer
    return d in c.stack and c.heads[d] == -1 and h in c.buffer


def rule_repair(c: StackConfig, h: int, d: int) -> bool:
    """Any head may be replaced from the buffer; an inserted arc gets its label when all is done."""
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
    "arc_eager_distinct_unshift": rule_unshift,
    "arc_eager_tree_constrained": rule_tree_constrained,
}


@cache
def reachable_arcs(rule: Rule, c: StackConfig, labels: tuple[str, ...] = LABELS) -> frozenset[Arc]:
    """The arcs that are built or reachable; a root arc with every label, since it has none."""
    arcs = set()
    for h, d in product(range(-1, len(c.heads)), range(len(c.heads))):
        is_gone = d not in c.stack and d not in c.buffer
        if rule(c, h, d) or (h == ROOT == c.heads[d] and is_gone):
            arcs.update((h, d, x) for x in labels)
        elif c.heads[d] == h != ROOT:
            arcs.update((h, d, x) for x in labels if c.labels[d] in (x, ""))
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


def cost_table(name: str, c: Any, move: Any, gold: Gold) -> int:
    """The unlabelled formulas, spelled out move by move.

    Not for repair, whose arcs lost have no shorter form, nor for the systems that do not decompose.
    """
    if isinstance(c, ListConfig):
        return list_cost(name, c, move, gold)

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
    if name == "arc_hybrid":
        if move == "shift":
            return g(below, b) + g(b, c.stack)
        heads = c.stack[-2:-1] + rest if move == "left_arc" else c.buffer
        return g(heads, s) + g(s, c.buffer)
    assert RULES[name] is rule_unshift
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


def list_cost(name: str, c: ListConfig, move: Move, gold: Gold) -> int:
    """Easy-first; Yamada & Matsumoto's list has no ROOT, but no gold root may become a dependent."""
    arc = TWINS[name].arc(c, move)
    if arc is None:
        return 0
    head, dependent = arc
    possible = {*c.pending, ROOT}
    loses_head = gold[dependent] in possible and gold[dependent] != head
    return loses_head + sum(gold[word] == dependent for word in c.pending if word != ROOT)


def wrong_label(name: str, c: Any, step: Step, gold: Gold, gold_labels: GoldLabels | None) -> bool:
    """Whether the step builds a gold arc, not one from ROOT, with another label than gold."""
    arc = TWINS[name].arc(c, step.move) if kind(step.move) in ARC_MOVES else None
    if arc is None or gold_labels is None:
        return False
    head, dependent = arc
    return gold[dependent] == head != ROOT and gold_labels[dependent] not in (None, step.label)


def costs(
    name: str,
    c: Any,
    gold: Gold,
    gold_labels: GoldLabels | None = None,
    labels: tuple[str, ...] = LABELS,
) -> dict[Any, int]:
    """Of each valid move, with its best labels."""
    found = preferences(name, c, gold, gold_labels, labels)
    return {move: cost for move, (cost, _) in found.items()}


def preferences(
    name: str,
    c: Any,
    gold: Gold,
    gold_labels: GoldLabels | None = None,
    labels: tuple[str, ...] = LABELS,
) -> dict[Any, tuple[int, int]]:
    """For each valid move (cost, secondary cost of the preference) with its best labels."""
    rule = RULES.get(name)
    found: dict[Any, tuple[int, int]] = {}
    for step, after in transitions(name, c, labels):
        secondary = 0
        if rule is None:
            primary = cost_table(name, c, step.move, gold)
            primary += wrong_label(name, c, step, gold, gold_labels)
            if name == "yamada_matsumoto_fine" and kind(step.move) not in ARC_MOVES:
                secondary = int(kind(step.move) != named_shift(c, gold))
        else:
            before = reachable_arcs(rule, c, labels)
            primary = n_lost(before, reachable_arcs(rule, after, labels), gold, gold_labels)
            if rule is rule_unshift:
                secondary = unshift_secondary(c, step.move, after, gold, gold_labels, labels)
        found[step.move] = min(found.get(step.move, (99, 99)), (primary, secondary))
    return found


def named_shift(c: ListConfig, gold: Gold) -> str:
    """The class of shift for the focus pair: they are related, and the dependent is not complete yet."""
    left, right = c.pending[c.focus : c.focus + 2]
    if gold[left] == right and not is_complete(c, left, gold):
        return "shift_left"
    return "shift_right" if gold[right] == left and not is_complete(c, right, gold) else "shift"


def is_complete(c: ListConfig, word: int, gold: Gold) -> bool:
    return all(gold[other] != word for other in c.pending)


def unshift_secondary(
    c: StackConfig,
    move: str,
    after: StackConfig,
    gold: Gold,
    gold_labels: GoldLabels | None = None,
    labels: tuple[str, ...] = LABELS,
) -> int:
    """Arcs lost under the monotonic rules; UNSHIFT is free only where it can repair."""
    if move in ("reduce", "unshift") and c.heads[c.stack[-1]] == -1:
        s, below = c.stack[-1], c.stack[:-1]
        repairs = gold[s] in below or any(gold[d] == s for d in below)
        return 0 if repairs else 1
    return n_lost(
        reachable_arcs(rule_unshift_monotonic, c, labels),
        reachable_arcs(rule_unshift_monotonic, after, labels),
        gold,
        gold_labels,
    )


def argmin(values: dict[Any, Any]) -> set[Any]:
    least = min(values.values(), default=None)
    return {move for move, value in values.items() if value == least}


def n_unreachable(name: str, c: StackConfig, gold: Gold) -> int:
    """Gold arcs that are neither built nor individually reachable: a lower bound of the loss."""
    arcs = reachable_arcs(RULES[name], c)
    return sum(h is not None and not holds(arcs, h, d, "dep") for d, h in enumerate(gold))
