"""Traces as one HTML page."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

from ..drawing.arcs import DrawnArc, draw_arcs, is_right_to_left
from ..drawing.page import GOLD_MARKS, MARKS, make_legend, make_page
from ..drawing.trees import (
    Tree,
    count_right,
    draw_tree,
    find_errors,
    show_words,
    word_tokens,
    write_sentence,
)
from ..errors import count
from .traces import Action, Arc, Step, Trace

# Words of a stack and of a buffer that are shown
SHOWN = 4

STYLE = """
.steps { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; max-width: 1160px; margin: 10px 0; font-size: 13px; }
th { text-align: left; border-bottom: 2px solid var(--line); padding: 3px 8px; vertical-align: bottom; }
td { border-bottom: 1px solid var(--rule); padding: 3px 8px; vertical-align: top;
  background: var(--paper); }
td.stack { text-align: right; } th.stack { text-align: right; }
td.buffer, th.buffer { border-left: 1px solid var(--rule); }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.repair { --paper: var(--repair); }
tr.costly, tr.costly + tr.drawing { --paper: var(--costly); }
tr.costly .cost { color: var(--wrong); font-weight: bold; }
tr.drawing td { padding-top: 0; } tr.has-drawing td { border-bottom: none; }
td .figure { max-width: min(1060px, 85vw); margin: 2px 0 6px; }
.w { white-space: nowrap; unicode-bidi: isolate; } .w sub { color: var(--faint); font-size: 9px; }
.focus { font-weight: bold; } .root, .more { color: var(--faint); }
.tag { background: var(--dropped); color: var(--paper); border-radius: 3px; padding: 0 5px;
  font-size: 11px; white-space: nowrap; }
.plus { color: var(--added); } .minus { color: var(--dropped); }
@media print { .steps { overflow: visible; } table { font-size: 10.5px; } tr { break-inside: avoid; } }
"""

STEP_MARKS = {
    "added": "built in this step",
    "dropped": "dropped: its head was replaced, or it closed a cycle",
}
LEGEND = """Stack: its top is on the right. Buffer: its front is on the left. The words in focus are
bold. In Covington's systems the stack stands for the words up to the left focus, the buffer for those
from the right focus on; in list systems they are the pending words on both sides of the focus. Moves
that pass by one pair after the other are one line."""
SCORE_LEGEND = """Score: the model's probability of the move, of a run the lowest."""
GOLD_LEGEND = """Cost: how many words the move makes wrong for good. At each step some words can still
get their gold heads and labels; the cost is how many fewer can after the move. So an arc that is wrong
costs nothing while it can still be replaced. Beside a cost, "better" names the moves that the oracle
calls correct; "wrong label" says that the arc is right, but not its label; "none better" that every
other move loses as much. The oracles lower, pc_upper and upper of covington_nonmonotonic are bounds:
with them costs are estimates."""


def render_traces(
    traces: Sequence[Trace],
    *,
    title: str = "Derivations",
    numbers: Sequence[int] | None = None,
    only_arcs: bool = False,
) -> str:
    """An HTML page of the steps and trees of traces.

    numbers: those of the sentences in their headings; by default from 1 on.
    only_arcs: leave out steps that change no arc, are no repairs and cost nothing.
    """
    numbers = range(1, len(traces) + 1) if numbers is None else numbers
    has_gold = any(one.gold_heads is not None for one in traces)
    has_scores = any(step.score is not None for one in traces for step in one.steps)
    legends = [f"{LEGEND} {SCORE_LEGEND}" if has_scores else LEGEND, *[GOLD_LEGEND] * has_gold]
    body = [
        make_legend(STEP_MARKS | (MARKS | GOLD_MARKS if has_gold else {})),
        *[f'<p class="note">{legend}</p>' for legend in legends],
    ]
    for number, one in zip(numbers, traces, strict=True):
        body += _section(number, one, only_arcs)
    return make_page(title, body, style=STYLE)


def _section(number: int, one: Trace, only_arcs: bool) -> Iterator[str]:
    name = f"tree-{number}"
    tree, gold = Tree(one.heads, one.labels), _gold(one)
    errors = find_errors(tree, gold)
    text = write_sentence(word_tokens(one.words), tree, errors, name=name)
    yield f"<section>\n<h2>Sentence {number}</h2>\n{text}"
    yield f'<p class="note">{escape(_summary(one))}</p>'
    caption = "The final tree; arcs that were dropped are dotted."
    if gold is not None:
        caption = "Above the words the final tree, dropped arcs dotted; below them the gold tree."
    dropped = tuple(dict.fromkeys(one.removed))
    yield draw_tree(one.words, tree, gold, errors, title=caption, name=name, dropped=dropped)
    n_left_out = sum(not _does_something(step) for step in one.steps) if only_arcs else 0
    if n_left_out:
        caption += f" Left out: {count(n_left_out, 'step')} without arcs, repairs and costs."
    yield f'<p class="note">{caption}</p>'
    yield from _table(one, only_arcs)
    yield "</section>"


def _gold(one: Trace) -> Tree | None:
    if one.gold_heads is None or one.gold_labels is None:
        return None
    return Tree(one.gold_heads, one.gold_labels)


def _summary(one: Trace) -> str:
    repairs = Counter(repair for step in one.steps for repair in step.repairs)
    parts = [one.system, count(len(one.steps), "step")]
    parts += [count(n, repair) for repair, n in repairs.items()] or ["no repairs"]
    gold = _gold(one)
    if gold is not None:
        if one.cost is not None:
            parts.append(f"cost {one.cost} (oracle {one.oracle})")
        parts.append(count_right(find_errors(Tree(one.heads, one.labels), gold)))
    return "; ".join(parts)


def _table(one: Trace, only_arcs: bool) -> Iterator[str]:
    has_scores = any(step.score is not None for step in one.steps)
    has_costs = any(step.cost is not None for step in one.steps)
    head = [
        '<th class="number">#</th><th class="stack">Stack</th><th class="buffer">Buffer</th>',
        "<th>Move</th><th>Label</th>",
        *(['<th class="number">Score</th>'] if has_scores else []),
        *(['<th class="cost">Cost</th>'] if has_costs else []),
        "<th>Arcs</th>",
    ]
    yield f"<div class=\"steps\">\n<table>\n<thead><tr>{''.join(head)}</tr></thead>\n<tbody>"
    built: list[Arc] = []
    number = 1
    for _, group in groupby(enumerate(one.steps), key=_run):
        steps = [step for _, step in group]
        if not only_arcs or any(map(_does_something, steps)):
            yield _row(one, steps, number, has_scores, has_costs)
        built = [arc for arc in built if arc not in steps[0].removed] + list(steps[0].added)
        if steps[0].removed:
            n_columns = len(head) + 3
            yield (
                f'<tr class="drawing repair"><td></td><td colspan="{n_columns}">'
                f"{_draw_step(one.words, built, steps[0])}</td></tr>"
            )
        number += len(steps)
    yield "</tbody>\n</table>\n</div>"


def _run(item: tuple[int, Step]) -> int:
    """The steps of one line: those that pass by a pair and cost nothing, or a single one."""
    i, step = item
    return -1 if step.passes and not (step.cost or 0) > 0 else i


def _does_something(step: Step) -> bool:
    return bool(step.added or step.removed or step.repairs) or (step.cost or 0) > 0


def _row(
    one: Trace, steps: Sequence[Step], number: int, has_scores: bool, has_costs: bool
) -> str:
    step = steps[0]
    is_costly = step.cost is not None and step.cost > 0
    classes = ["repair"] * bool(step.repairs) + ["costly"] * is_costly
    classes += ["has-drawing"] * bool(step.removed)
    last = number + len(steps) - 1
    times = f" &times;{len(steps)}" if len(steps) > 1 else ""
    numbers = f"{number}" if last == number else f"{number}&ndash;{last}"
    repairs = "".join(f' <span class="tag">{escape(repair)}</span>' for repair in step.repairs)
    cells = [
        f'<td class="number">{numbers}</td>',
        f'<td class="stack">{_words(one.words, step.stack, is_stack=True)}</td>',
        f'<td class="buffer">{_words(one.words, step.buffer, is_stack=False)}</td>',
        f'<td class="move">{escape(_move_name(_action(step)))}{times}{repairs}</td>',
        f"<td>{escape(step.label)}</td>",
    ]
    if has_scores:
        scores = [each.score for each in steps if each.score is not None]
        lowest = f"{min(scores):.2f}" if scores else ""
        cells.append(f'<td class="number">{lowest}</td>')
    if has_costs:
        cells.append(f'<td class="cost">{_cost(one, steps)}</td>')
    arcs = [_arc(one.words, arc, "plus", "+") for arc in step.added]
    arcs += [_arc(one.words, arc, "minus", "&minus;") for arc in step.removed]
    cells.append(f"<td>{'<br>'.join(arcs)}</td>")
    return f'<tr class="{" ".join(classes)}">{"".join(cells)}</tr>'


def _cost(one: Trace, steps: Sequence[Step]) -> str:
    step = steps[0]
    if step.cost is None or step.optimal is None:
        return ""
    cost = str(sum(each.cost or 0 for each in steps))
    if step.cost <= 0:
        return cost
    if _action(step) not in step.optimal:
        return f"{cost}; better: {escape(', '.join(_move_name(move) for move in step.optimal))}"
    gold_arcs = set(zip(one.gold_heads or (), range(len(one.words)), strict=False))
    has_gold_arc = any((arc.head, arc.dependent) in gold_arcs for arc in step.added)
    return f"{cost}; wrong label" if has_gold_arc else f"{cost}; none better"


def _action(step: Step) -> Action:
    return step.move if step.focus is None else (step.move, step.focus)


def _move_name(move: Action) -> str:
    return move if isinstance(move, str) else f"{move[0]} @{move[1]}"


def _words(words: Sequence[str], indices: Sequence[int], *, is_stack: bool) -> str:
    """A stack or a buffer; of long ones the part that the next move can reach."""
    shown = indices[-SHOWN:] if is_stack else indices[:SHOWN]
    parts = [_word(words, index) for index in shown]
    if parts:
        focus = -1 if is_stack else 0
        parts[focus] = f'<span class="focus">{parts[focus]}</span>'
    if len(indices) > SHOWN:
        more = '<span class="more">…</span>'
        parts = [more, *parts] if is_stack else [*parts, more]
    return " ".join(parts)


def _word(words: Sequence[str], index: int) -> str:
    if index < 0:
        return '<span class="root">ROOT</span>'
    return f'<span class="w">{escape(words[index].strip() or "␣")}<sub>{index + 1}</sub></span>'


def _arc(words: Sequence[str], arc: Arc, kind: str, sign: str) -> str:
    return (
        f'<span class="{kind}">{sign}</span> {_word(words, arc.head)} → '
        f"{_word(words, arc.dependent)} ({escape(arc.label)})"
    )


def _draw_step(words: Sequence[str], built: Iterable[Arc], step: Step) -> str:
    """The arcs after a step with those it dropped, around the words that it changed."""
    changed = [word for arc in (*step.added, *step.removed) for word in (arc.head, arc.dependent)]
    first, last = max(min(changed) - 1, 0), min(max(changed) + 1, len(words) - 1)
    kinds = dict.fromkeys(built, "plain") | dict.fromkeys(step.added, "added")
    kinds |= dict.fromkeys(step.removed, "dropped")
    arcs = [
        DrawnArc(head - first, word - first, label, kind)
        for (head, word, label), kind in kinds.items()
        if first <= min(head, word) and max(head, word) <= last
    ]
    shown = show_words(words[first : last + 1])
    title, right_to_left = ", ".join(step.repairs), is_right_to_left(words)
    return draw_arcs(shown, arcs, first=first, title=title, right_to_left=right_to_left)
