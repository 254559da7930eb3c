"""Traces as one HTML page: no script, nothing from the network."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

from .drawing import DrawnArc, draw_arcs
from .traces import Action, Arc, Step, Trace

ROOT_LABEL = "ROOT"
NO_ARC = "no_arc"
# Words of a stack and of a buffer that are shown
SHOWN = 4

STYLE = """
body { font: 14px/1.45 "Helvetica Neue", Arial, sans-serif; color: #1c1c1c; background: #fff;
  max-width: 1160px; margin: 24px auto; padding: 0 20px; }
h1 { font-size: 22px; margin: 0 0 4px; } h2 { font-size: 17px; margin: 36px 0 4px; }
p { margin: 4px 0; } p.text { font-size: 16px; } p.note { color: #555; font-size: 12.5px; }
.figure { overflow-x: auto; margin: 10px 0; } svg { display: block; } .strip { display: none; }
text { text-anchor: middle; fill: #1c1c1c; } .word { font-size: 14px; }
.index { font-size: 10px; fill: #767676; }
.arc path { fill: none; stroke: #6b6b6b; stroke-width: 1.2; }
.arc text { font-size: 11px; paint-order: stroke; stroke: #fff; stroke-width: 3px; }
.arc .tip { fill: #6b6b6b; stroke: none; }
.wrong path, .missed path, .added path, .removed path { stroke-width: 2; }
.wrong path { stroke: #c62828; } .wrong .tip { fill: #c62828; }
.wrong text, .wrong-label text { fill: #c62828; font-weight: bold; }
.missed path { stroke: #1558b0; } .missed .tip { fill: #1558b0; }
.missed text, .missed-label text { fill: #1558b0; font-weight: bold; }
.added path { stroke: #1b7a3d; } .added .tip { fill: #1b7a3d; } .added text { fill: #1b7a3d; }
.removed path { stroke: #b8650a; stroke-dasharray: 5 3; }
.removed .tip { fill: #b8650a; } .removed text { fill: #b8650a; font-style: italic; }
p.keys { margin-left: -14px; }
.key { display: inline-block; width: 26px; margin: 0 5px 4px 14px; border-top: 2px solid #6b6b6b; }
.key.wrong { border-color: #c62828; } .key.missed { border-color: #1558b0; }
.key.added { border-color: #1b7a3d; } .key.removed { border-top: 2px dashed #b8650a; }
table { border-collapse: collapse; width: 100%; margin: 10px 0; font-size: 13px; }
th { text-align: left; border-bottom: 2px solid #444; padding: 3px 8px; vertical-align: bottom; }
td { border-bottom: 1px solid #ddd; padding: 3px 8px; vertical-align: top; }
td.stack { text-align: right; } th.stack { text-align: right; }
td.buffer { border-left: 1px solid #bbb; } th.buffer { border-left: 1px solid #bbb; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.move { white-space: nowrap; }
tr.repair td { background: #fdf3e4; }
tr.costly td, tr.costly + tr.drawing td { background: #fdeaea; }
tr.costly .cost { color: #c62828; font-weight: bold; }
tr.drawing td { padding-top: 0; } tr.has-drawing td { border-bottom: none; }
td .figure { max-width: min(1060px, 85vw); margin: 2px 0 6px; }
tr.drawing .arc text { stroke: #fdf3e4; } tr.costly + tr.drawing .arc text { stroke: #fdeaea; }
.w { white-space: nowrap; } .w sub { color: #767676; font-size: 9px; }
.focus { font-weight: bold; } .root { color: #767676; } .more { color: #767676; }
.tag { background: #b8650a; color: #fff; border-radius: 3px; padding: 0 5px; font-size: 11px;
  white-space: nowrap; }
.plus { color: #1b7a3d; } .minus { color: #b8650a; }
@media print {
  @page { size: A4 landscape; margin: 10mm; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body { margin: 0; padding: 0; max-width: none; font-size: 11px; } table { font-size: 10.5px; }
  .figure { overflow: visible; } svg { max-width: 100%; height: auto; break-inside: avoid; }
  .wide { position: absolute; width: 0; height: 0; } .strip { display: block; margin-bottom: 8px; }
  tr { break-inside: avoid; } h2 { break-after: avoid; }
}
"""

KEYS = """<span class="key"></span>arc<span class="key added"></span>built in this step<span
class="key removed"></span>dropped: its head was replaced, or it closed a cycle"""
GOLD_KEYS = """<span class="key wrong"></span>wrong<span class="key missed"></span>gold arc that is
missed; coloured labels: right head, wrong label"""
LEGEND = """Stack: its top is on the right. Buffer: its front is on the left. The words in focus are
bold. In Covington's systems the stack stands for the words up to the left focus, the buffer for those
from the right focus on; in list systems they are the pending words on both sides of the focus. A run of
no_arc is one line."""
SCORE_LEGEND = """Score: the model's probability of the move, of a run the lowest."""
GOLD_LEGEND = """Cost: what the move adds to the errors that are left at best, as the oracle has it;
"better" names the moves that it calls correct."""


def render_traces(
    traces: Sequence[Trace], *, title: str = "Derivations", numbers: Sequence[int] | None = None
) -> str:
    """An HTML page of the steps and trees of traces.

    numbers: those of the sentences in their headings; by default from 1 on.
    """
    numbers = range(1, len(traces) + 1) if numbers is None else numbers
    has_gold = any(one.gold_heads is not None for one in traces)
    has_scores = any(step.score is not None for one in traces for step in one.steps)
    keys = KEYS + GOLD_KEYS * has_gold
    legend = [LEGEND, *[SCORE_LEGEND] * has_scores, *[GOLD_LEGEND] * has_gold]
    body = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="note keys">{keys}</p>',
        f'<p class="note">{" ".join(legend)}</p>',
    ]
    for number, one in zip(numbers, traces, strict=True):
        body += _section(number, one)
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>",
            *body,
            "</body>\n</html>\n",
        ]
    )


def _section(number: int, one: Trace) -> Iterator[str]:
    yield f'<section>\n<h2>Sentence {number}</h2>\n<p class="text">{_sentence(one.words)}</p>'
    yield f'<p class="note">{escape(_summary(one))}</p>'
    caption = "The final tree; arcs that were dropped are dashed."
    if one.gold_heads is not None:
        caption = "Above the words the final tree, dropped arcs dashed; below them the gold tree."
    words, arcs = _shown(one.words), _final_arcs(one)
    drawing = draw_arcs(words, arcs, title=caption, name=f"tree-{number}")
    yield f'<div class="figure">{drawing}</div>'
    yield f'<p class="note">{caption}</p>'
    yield from _table(one)
    yield "</section>"


def _sentence(words: Sequence[str]) -> str:
    return " ".join(escape(word) for word in _shown(words))


def _shown(words: Sequence[str]) -> list[str]:
    """Words that can be seen: whitespace is a token in spaCy."""
    return [word if word.strip() else "␣" for word in words]


def _summary(one: Trace) -> str:
    repairs = Counter(repair for step in one.steps for repair in step.repairs)
    parts = [one.system, _count(len(one.steps), "step")]
    parts += [_count(n, repair) for repair, n in repairs.items()] or ["no repairs"]
    if one.gold_heads is not None:
        if one.cost is not None:
            parts.append(f"cost {one.cost} (oracle {one.oracle})")
        known = [i for i, head in enumerate(one.gold_heads) if head is not None]
        n_right = sum(_error(one, i) == "" for i in known)
        parts.append(f"{n_right} of {_count(len(known), 'word')} with the right head and label")
    return "; ".join(parts)


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def _error(one: Trace, word: int) -> str:
    """What is wrong with a word: "head", "label", or "" for nothing that is known."""
    if one.gold_heads is None or one.gold_labels is None or one.gold_heads[word] is None:
        return ""
    if one.heads[word] != one.gold_heads[word]:
        return "head"
    gold_label = one.gold_labels[word]
    return "label" if gold_label is not None and one.labels[word] != gold_label else ""


def _final_arcs(one: Trace) -> list[DrawnArc]:
    kinds = {"": "plain", "head": "wrong", "label": "wrong-label"}
    gold_kinds = {"": "plain", "head": "missed", "label": "missed-label"}
    errors = [_error(one, word) for word in range(len(one.words))]
    arcs = [
        DrawnArc(head, word, label if head >= 0 else ROOT_LABEL, kinds[errors[word]])
        for word, (head, label) in enumerate(zip(one.heads, one.labels, strict=True))
    ]
    arcs += [DrawnArc(*arc, kind="removed") for arc in dict.fromkeys(one.removed)]
    if one.gold_heads is not None and one.gold_labels is not None:
        for word, head in enumerate(one.gold_heads):
            if head is not None:
                label = (one.gold_labels[word] or "") if head >= 0 else ROOT_LABEL
                arcs.append(DrawnArc(head, word, label, gold_kinds[errors[word]], below=True))
    return arcs


def _table(one: Trace) -> Iterator[str]:
    has_scores = any(step.score is not None for step in one.steps)
    has_costs = any(step.cost is not None for step in one.steps)
    head = [
        '<th class="number">#</th><th class="stack">Stack</th><th class="buffer">Buffer</th>',
        "<th>Move</th><th>Label</th>",
        *(['<th class="number">Score</th>'] if has_scores else []),
        *(['<th class="cost">Cost</th>'] if has_costs else []),
        "<th>Arcs</th>",
    ]
    yield f"<table>\n<thead><tr>{''.join(head)}</tr></thead>\n<tbody>"
    built: list[Arc] = []
    number = 1
    for _, group in groupby(enumerate(one.steps), key=_run):
        steps = [step for _, step in group]
        yield _row(one, steps, number, has_scores, has_costs)
        built = [arc for arc in built if arc not in steps[0].removed] + list(steps[0].added)
        if steps[0].removed:
            n_columns = len(head) + 3
            yield (
                f'<tr class="drawing repair"><td></td><td colspan="{n_columns}"><div class="figure">'
                f"{_draw_step(one.words, built, steps[0])}</div></td></tr>"
            )
        number += len(steps)
    yield "</tbody>\n</table>"


def _run(item: tuple[int, Step]) -> int:
    """The steps of one line: no_arc that costs nothing, again and again, or a single one."""
    i, step = item
    return -1 if step.move == NO_ARC and not (step.cost or 0) > 0 else i


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
    kinds |= dict.fromkeys(step.removed, "removed")
    arcs = [
        DrawnArc(head - first, word - first, label, kind)
        for (head, word, label), kind in kinds.items()
        if first <= min(head, word) and max(head, word) <= last
    ]
    shown = _shown(words[first : last + 1])
    return draw_arcs(shown, arcs, first=first, title=", ".join(step.repairs))
