"""Traces as one HTML page."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from ..drawing.arcs import Drawing, DrawnArc, is_right_to_left
from ..drawing.page import GOLD_MARKS, MARKS, TEMPLATES, make_legend
from ..drawing.trees import Tree, count_right, draw_tree, find_errors, word_tokens, write_sentence
from ..errors import count
from .traces import Action, Arc, Step, Trace

PAGE = Path(__file__).with_suffix(".html")
SHOWN = 4  # words of a stack and of a buffer
STEP_MARKS = {
    "added": "built in this step",
    "dropped": "dropped: its head was replaced, or it closed a cycle",
}


def render_traces(
    traces: Sequence[Trace],
    *,
    title: str = "Derivations",
    numbers: Sequence[int] | None = None,
    only_arcs: bool = False,
) -> str:
    """Make an HTML page of the steps and trees of traces.

    numbers: those of the sentences in their headings; by default from 1 on.
    only_arcs: leave out steps that change no arc, are no repairs and cost nothing.
    """
    numbers = range(1, len(traces) + 1) if numbers is None else numbers
    has_gold = any(one.gold_heads is not None for one in traces)
    return TEMPLATES.from_string(PAGE.read_text("utf-8")).render(
        title=title,
        legend=make_legend(STEP_MARKS | (MARKS | GOLD_MARKS if has_gold else {})),
        shown=SHOWN,
        has_gold=has_gold,
        has_scores=any(step.score is not None for one in traces for step in one.steps),
        sections=[
            _section(number, one, only_arcs) for number, one in zip(numbers, traces, strict=True)
        ],
    )


def _section(number: int, one: Trace, only_arcs: bool) -> dict[str, Any]:
    name = f"tree-{number}"
    tree, gold = Tree(one.heads, one.labels), None
    if one.gold_heads is not None and one.gold_labels is not None:
        gold = Tree(one.gold_heads, one.gold_labels)
    errors = find_errors(tree, gold)
    caption = "The final tree; arcs that were dropped are dotted."
    if gold is not None:
        caption = "Above the words the final tree, dropped arcs dotted; below them the gold tree."
    dropped = tuple(dict.fromkeys(one.removed))
    drawing = draw_tree(one.words, tree, gold, errors, title=caption, name=name, dropped=dropped)
    n_left_out = sum(not _does_something(step) for step in one.steps) if only_arcs else 0
    if n_left_out:
        caption += f" Left out: {count(n_left_out, 'step')} without arcs, repairs and costs."
    return {
        "number": number,
        "words": one.words,
        "text": write_sentence(word_tokens(one.words, one.spaces), tree, errors, name=name),
        "summary": _summary(one, errors),
        "drawing": drawing,
        "caption": caption,
        "has_scores": any(step.score is not None for step in one.steps),
        "has_costs": any(step.cost is not None for step in one.steps),
        "rows": _rows(one, only_arcs),
    }


def _summary(one: Trace, errors: Sequence[str | None]) -> str:
    repairs = Counter(repair for step in one.steps for repair in step.repairs)
    parts = [one.system, count(len(one.steps), "step")]
    parts += [count(n, repair) for repair, n in repairs.items()] or ["no repairs"]
    if one.gold_heads is not None:
        if one.cost is not None:
            parts.append(f"cost {one.cost} (oracle {one.oracle})")
        parts.append(count_right(errors))
    return "; ".join(parts)


def _rows(one: Trace, only_arcs: bool) -> Iterator[dict[str, Any]]:
    built: list[Arc] = []
    number = 1
    for _, group in groupby(enumerate(one.steps), key=_run):
        steps = [step for _, step in group]
        step = steps[0]
        built = [arc for arc in built if arc not in step.removed] + list(step.added)
        if not only_arcs or any(map(_does_something, steps)):
            classes = {
                "repair": bool(step.repairs),
                "costly": (step.cost or 0) > 0,
                "has-drawing": bool(step.removed),
            }
            scores = [each.score for each in steps if each.score is not None]
            yield {
                "step": step,
                "classes": [name for name, is_so in classes.items() if is_so],
                "first": number,
                "last": number + len(steps) - 1,
                "move": _move_name(_action(step)),
                "score": f"{min(scores):.2f}" if scores else "",
                "cost": _cost(one, steps),
                "drawing": _draw_step(one.words, built, step) if step.removed else "",
            }
        number += len(steps)


def _run(item: tuple[int, Step]) -> int:
    """Return the steps of one line: those that pass by a pair and cost nothing, or a single one."""
    i, step = item
    return -1 if step.passes and not (step.cost or 0) > 0 else i


def _does_something(step: Step) -> bool:
    return bool(step.added or step.removed or step.repairs) or (step.cost or 0) > 0


def _cost(one: Trace, steps: Sequence[Step]) -> str:
    step = steps[0]
    if step.cost is None or step.optimal is None:
        return ""
    cost = str(sum(each.cost or 0 for each in steps))
    if step.cost <= 0:
        return cost
    if _action(step) not in step.optimal:
        return f"{cost}; better: {', '.join(_move_name(move) for move in step.optimal)}"
    gold_arcs = set(zip(one.gold_heads or (), range(len(one.words)), strict=False))
    has_gold_arc = any((arc.head, arc.dependent) in gold_arcs for arc in step.added)
    return f"{cost}; wrong label" if has_gold_arc else f"{cost}; none better"


def _action(step: Step) -> Action:
    return step.move if step.focus is None else (step.move, step.focus)


def _move_name(move: Action) -> str:
    return move if isinstance(move, str) else f"{move[0]} @{move[1]}"


def _draw_step(words: Sequence[str], built: Iterable[Arc], step: Step) -> Drawing:
    """Return the arcs after a step with those it dropped, around the words that it changed."""
    changed = [word for arc in (*step.added, *step.removed) for word in (arc.head, arc.dependent)]
    first, last = max(min(changed) - 1, 0), min(max(changed) + 1, len(words) - 1)
    kinds = dict.fromkeys(built, "plain") | dict.fromkeys(step.added, "added")
    kinds |= dict.fromkeys(step.removed, "dropped")
    arcs = [
        DrawnArc(head - first, word - first, label, kind)
        for (head, word, label), kind in kinds.items()
        if first <= min(head, word) and max(head, word) <= last
    ]
    title, right_to_left = ", ".join(step.repairs), is_right_to_left(words)
    shown = words[first : last + 1]
    return Drawing(shown, arcs, first=first, title=title, right_to_left=right_to_left)
