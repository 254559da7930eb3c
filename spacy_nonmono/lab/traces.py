"""Derivations step by step: those of a trained parser, or those that an oracle leads.

A repair is what a monotonic system cannot do: a head is replaced, a cycle broken by dropping an arc, a
word put back to the buffer (Unshift), an arc inserted by the way (by Reduce).
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from spacy.language import Language
from spacy.tokens import Doc

from ..drawing.trees import Tree, check_words, read_tree
from ..errors import Errors
from ..installed import find_parser
from ..oracles.oracle import Oracle, StaticOracle
from ..oracles.registry import get_oracle
from ..state import State
from ..tokens.white_space import words_of
from ..transitions.system import TransitionSystem
from .oracle_times import dynamic_oracles

ATTACH_REST = "attach rest"
REPLACED_HEAD = "replaced head"
BROKEN_CYCLE = "broken cycle"
UNSHIFT = "unshift"
INSERTED_ARC = "inserted arc"

# As `valid_moves` has them: a name, in list systems with a focus
Action: TypeAlias = Any


class Arc(NamedTuple):
    """An arc of a tree. Head and dependent are words of the sentence, from 0."""

    head: int
    dependent: int
    label: str


class Step(NamedTuple):
    """A move and the configuration that it was made in.

    stack, buffer: as `State` gives them, 0-based words of the sentence, ROOT as -1; of list systems the
        pending words up to the left one of the focus, and those behind it.
    move: name of the move; ATTACH_REST for the step behind the derivation of a system that leaves
        several words without a head, of which a parser then makes one tree.
    focus: where the move was made, None but in list systems.
    label: the label of the arc, "" where the move builds none that has one.
    score: the model's probability of the choice, 1.0 where only one move was valid; None where no
        model chose.
    cost: what the oracle says that the move costs, with its label; None without gold or costs.
    optimal: the moves that the oracle calls correct, as `valid_moves` names them; None where cost is.
    added, removed: arcs that the move built and dropped.
    repairs: of REPLACED_HEAD, BROKEN_CYCLE, UNSHIFT, INSERTED_ARC.
    passes: whether the move does nothing but pass by a pair of words.
    """

    stack: tuple[int, ...]
    buffer: tuple[int, ...]
    move: str
    focus: int | None
    label: str
    score: float | None
    cost: int | None
    optimal: tuple[Action, ...] | None
    added: tuple[Arc, ...]
    removed: tuple[Arc, ...]
    repairs: tuple[str, ...]
    passes: bool


class Trace(NamedTuple):
    """The derivation of one sentence.

    spaces: of each word, whether a blank follows in the text.
    start: index in the Doc of its first word.
    system, oracle: their names; no oracle without gold.
    heads, labels: the final tree, 0-based in the sentence; -1 and "" for roots.
    gold_heads, gold_labels: likewise, None where unknown and for the labels of roots; None without
        gold. A gold head outside of the sentence is unknown.
    """

    words: tuple[str, ...]
    spaces: tuple[bool, ...]
    start: int
    system: str
    oracle: str | None
    steps: tuple[Step, ...]
    heads: tuple[int, ...]
    labels: tuple[str, ...]
    gold_heads: tuple[int | None, ...] | None
    gold_labels: tuple[str | None, ...] | None

    @property
    def removed(self) -> list[Arc]:
        """The arcs that were built and dropped again, in the order in which they were dropped.

        An arc that only gets its label in the end is not among them.
        """
        return [
            arc
            for step in self.steps
            for arc in step.removed
            if arc[:2] not in [added[:2] for added in step.added]
        ]

    @property
    def cost(self) -> int | None:
        """The sum of the costs of all steps; None if no step has a cost."""
        costs = [step.cost for step in self.steps if step.cost is not None]
        return sum(costs) if costs else None


def trace(
    parser: Language | TransitionSystem,
    doc: Doc,
    gold: Doc | None = None,
    *,
    oracle: str | None = None,
) -> list[Trace]:
    """Trace the derivation of every sentence of a Doc. The Doc does not change.

    parser: a pipeline that holds a `nonmono_parser`, to see the model's own derivations: the pipeline
        runs up to the parser, and boundaries that are on the Doc are kept. Or a transition system, to
        see those of its oracle: the first optimal move at each step, with gold labels, in the
        sentences of `gold`.
    gold: a Doc of the same words with heads and labels; a word without a label has an unknown head.
        Without it a model's steps have no costs.
    oracle: name of the oracle; by default the one that the parser trains with. Where that is static,
        a model's costs come from the first dynamic oracle of the system. A static one has no costs.

    Raises ValueError: NM110 for a pipeline without such a parser, NM121 if `gold` has other words,
    NM122 for a system without `gold`, NM123 if a pipeline is to trace white space; NM002 for an unknown
    oracle, NM007 for a static one that cannot derive the gold tree.
    """
    if gold is not None:
        check_words(doc, gold)
    if isinstance(parser, TransitionSystem):
        if gold is None:
            raise ValueError(Errors.NM122.format(system=parser.name))
        return _trace_oracle(get_oracle(oracle, parser), doc, gold)
    return _trace_model(parser, doc, gold, oracle)


def _trace_oracle(oracle: Oracle, doc: Doc, gold: Doc) -> list[Trace]:
    system = oracle.system
    starts = [token.i for token in gold if token.i == 0 or token.is_sent_start]
    traces = []
    for start, end in pairwise([*starts, len(gold)]):
        tree = read_tree(gold, start, end)
        state = system.initial_state(end - start)
        steps = []
        while not state.is_final:
            action = oracle.optimal(state, tree.heads, tree.labels)[0]
            label = _gold_label(system, state, action, tree)
            steps.append(_take(system, state, action, label, None, oracle, tree))
        heads = system.heads(state)
        labels = [
            label or (tree.labels[word] or "dep" if heads[word] >= 0 else "")
            for word, label in enumerate(state.labels)
        ]
        steps += _attach_rest(state, heads, labels)
        traces.append(_make_trace(doc, start, oracle, steps, heads, labels, tree))
    return traces


def _trace_model(nlp: Language, doc: Doc, gold: Doc | None, oracle_name: str | None) -> list[Trace]:
    name = find_parser(nlp)
    component: Any = nlp.get_pipe(name)
    before: list[Any] = [pipe for _, pipe in nlp.pipeline[: nlp.pipe_names.index(name)]]
    system: TransitionSystem = component.system
    oracle: Oracle = get_oracle(oracle_name, system) if oracle_name else component.oracle
    if oracle_name is None and isinstance(oracle, StaticOracle):
        oracle = next(iter(dynamic_oracles(system)), oracle)
    if len(words_of(doc)) < len(doc):
        i = next(token.i for token in doc if token.is_space)
        raise ValueError(Errors.NM123.format(i=i))
    if len(doc) == 0:
        return []
    parsed = doc.copy()
    for pipe in before:
        parsed = pipe(parsed)
    (derivations,) = component.derivations([parsed])
    parsed = component(parsed)
    traces = []
    for derivation in derivations:
        start, end = derivation.start, derivation.start + derivation.n_words
        tree = read_tree(gold, start, end) if gold is not None else None
        state = system.initial_state(derivation.n_words)
        steps = []
        for move in derivation.moves:
            action = (move.move, move.focus) if system.kind == "list" else move.move
            steps.append(_take(system, state, action, move.label, move.score, oracle, tree))
        final = read_tree(parsed, start, end)
        heads = [-1 if head is None else head for head in final.heads]
        labels = [label or "" for label in final.labels]
        steps += _attach_rest(state, heads, labels)
        traces.append(_make_trace(doc, start, oracle, steps, heads, labels, tree))
    return traces


def _make_trace(
    doc: Doc,
    start: int,
    oracle: Oracle,
    steps: list[Step],
    heads: Sequence[int],
    labels: Sequence[str],
    gold: Tree | None,
) -> Trace:
    return Trace(
        words=tuple(token.text for token in doc[start : start + len(heads)]),
        spaces=tuple(bool(token.whitespace_) for token in doc[start : start + len(heads)]),
        start=start,
        system=oracle.system.name,
        oracle=oracle.name if gold is not None else None,
        steps=tuple(steps),
        heads=tuple(heads),
        labels=tuple(labels),
        gold_heads=gold.heads if gold is not None else None,
        gold_labels=gold.labels if gold is not None else None,
    )


def _take(
    system: TransitionSystem,
    state: State,
    action: Action,
    label: str,
    score: float | None,
    oracle: Oracle,
    gold: Tree | None,
) -> Step:
    """Make the move in the state, and return the step that it was."""
    move, focus = action if isinstance(action, tuple) else (action, None)
    stack, buffer = _both_sides(state, focus)
    n_buffer = len(state.buffer)
    before = _arcs(state.heads, state.labels)
    cost, optimal = None, None
    if gold is not None and not isinstance(oracle, StaticOracle):
        cost = oracle.costs(state, gold.heads, gold.labels, label=label or None)[action]
        optimal = tuple(oracle.optimal(state, gold.heads, gold.labels))
    system.apply(state, action, label=label or "dep")
    after = _arcs(state.heads, state.labels)
    added = tuple(arc for arc in after if arc not in before)
    removed = tuple(arc for arc in before if arc not in after)
    # A cycle is broken at the new head; a head may be replaced by ROOT, which adds no arc
    new_heads = {arc.head for arc in added}
    happened = {
        REPLACED_HEAD: any(arc.dependent not in new_heads for arc in removed),
        BROKEN_CYCLE: any(arc.dependent in new_heads for arc in removed),
        UNSHIFT: move in system.unshifting_moves and len(state.buffer) > n_buffer,
        INSERTED_ARC: move not in system.arc_moves and bool(added),
    }
    repairs = tuple(repair for repair, is_so in happened.items() if is_so)
    passes = move in system.passing_moves
    return Step(
        stack, buffer, move, focus, label, score, cost, optimal, added, removed, repairs, passes
    )


def _both_sides(state: State, focus: int | None) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the stack and the buffer, or what stands for them in a list system."""
    if focus is None:
        return tuple(state.stack), tuple(state.buffer)
    return tuple(state.pending[: focus + 1]), tuple(state.pending[focus + 1 :])


def _attach_rest(state: State, heads: Sequence[int], labels: Sequence[str]) -> list[Step]:
    """Return the step from the final configuration to the parser's tree; [] if there is none."""
    before, after = _arcs(state.heads, state.labels), _arcs(heads, labels)
    added = tuple(arc for arc in after if arc not in before)
    removed = tuple(arc for arc in before if arc not in after)
    if not added and not removed:
        return []
    # Of a list system the last word, or ROOT, is left
    stack, buffer = tuple(state.stack or state.pending), tuple(state.buffer)
    return [Step(stack, buffer, ATTACH_REST, None, "", None, None, None, added, removed, (), False)]


def _gold_label(system: TransitionSystem, state: State, action: Action, gold: Tree) -> str:
    """Return the gold label of the arc that the move builds; "" if it builds no arc with a label."""
    move = action[0] if isinstance(action, tuple) else action
    arc = system.arc(state, action)
    if arc is None or arc[0] < 0 or move not in system.arc_moves:
        return ""
    return gold.labels[arc[1]] or "dep"


def _arcs(heads: Sequence[int], labels: Sequence[str]) -> list[Arc]:
    return [
        Arc(head, word, label)
        for word, (head, label) in enumerate(zip(heads, labels, strict=True))
        if head >= 0
    ]
