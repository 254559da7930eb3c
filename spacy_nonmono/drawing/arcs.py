"""Arcs over and under a sentence, as SVG. The colours are in the style sheet of the page."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from math import ceil
from typing import NamedTuple
from unicodedata import bidirectional, east_asian_width

# Pixels; the widths of letters are guesses for the fonts of the page, on the wide side
WORD_LETTER = 7.8
LABEL_LETTER = 6.0
WORD_GAP = 16.0
LABEL_GAP = 14.0
SLOT = 7.0
LEVEL = 21.0
CORNER = 6.0
MARGIN = 10.0
# At the ends of a sentence there is room for half of the label of a root
SIDE = 20.0
WORD_ROW = 36.0
ROW = 14.0
ROW_LETTER = 6.0
# How far from its dependent a label is, if it is not in the way there: both are to be seen together
LABEL_REACH = 150.0
# Between a label and a line that it would lie on
LINE_GAP = 5.0
# What fits on a landscape page of A4
PAGE = 1040.0


class DrawnArc(NamedTuple):
    """head, dependent: indices of the words drawn; head -1 for an arrow without an origin.
    kind: CSS class. below: under the words. name: an id for links to its tip."""

    head: int
    dependent: int
    label: str
    kind: str = "plain"
    below: bool = False
    name: str = ""

    @property
    def ends(self) -> tuple[int, int]:
        return min(self.head, self.dependent), max(self.head, self.dependent)


def draw_arcs(
    words: Sequence[str],
    arcs: Sequence[DrawnArc],
    *,
    title: str,
    first: int = 0,
    name: str = "",
    right_to_left: bool = False,
    rows: Sequence[Sequence[str]] = (),
) -> str:
    """A box that scrolls, with an SVG element. The words are numbered from `first` + 1 on.

    name: an id for the drawing. One that is too wide for a page is then followed by its strips, which
        the style sheet prints in its place.
    rows: what stands in lines under the words; one text per word in each.
    """
    widths = _widths(words, rows)
    xs = _place_words(widths, arcs)
    width = xs[-1] + max(widths[-1] / 2, 3 * SLOT) + SIDE if xs else 0.0
    is_wide = bool(name) and width > PAGE
    cuts = _cut(widths, xs, width) if is_wide else []
    if right_to_left:
        xs, cuts = [width - x for x in xs], [width - x for x in cuts]
    above = [arc for arc in arcs if not arc.below]
    below = [arc for arc in arcs if arc.below]
    top = LEVEL * _n_levels(above) + 2 * MARGIN
    bottom = top + WORD_ROW + ROW * len(rows)
    height = bottom + LEVEL * _n_levels(below) + (2 * MARGIN if below else 0)
    parts = [
        f'<div class="figure" dir="{"rtl" if right_to_left else "ltr"}" tabindex="0">',
        _open("wide" if is_wide else "", 0, width, height),
        f"<title>{escape(title)}</title>",
        f'<g id="{escape(name)}">' if name else "<g>",
    ]
    for group, base, direction in ((above, top, -1), (below, bottom, 1)):
        levels = _levels(group)
        slots = _slots(group, xs, right_to_left)
        label_xs = _place_labels(group, slots, levels)
        lines, labels = [], []
        # Thin lines first, so that marked ones lie on top, and labels on top of all lines
        for k in sorted(range(len(group)), key=lambda k: group[k].kind != "plain"):
            y = base + direction * LEVEL * levels[k]
            lines.append(_line(group[k], slots[k], base, y, direction))
            labels.append(_label(group[k], label_xs[k], y, direction))
        parts += lines + labels
    for i, (word, x) in enumerate(zip(words, xs, strict=True)):
        parts.append(
            f'<text class="word" x="{x:.1f}" y="{top + 17:.1f}">{escape(word)}</text>'
            f'<text class="index" x="{x:.1f}" y="{top + 30:.1f}">{first + i + 1}</text>'
        )
        for k, row in enumerate(rows):
            y = top + 30 + ROW * (k + 1)
            parts.append(f'<text class="row" x="{x:.1f}" y="{y:.1f}">{escape(row[i])}</text>')
    parts.append("</g></svg>")
    for start, end in pairwise(cuts):
        parts.append(_open("strip", min(start, end), abs(end - start), height))
        parts.append(f'<use href="#{escape(name)}"/></svg>')
    parts.append("</div>")
    return "\n".join(parts)


def is_right_to_left(words: Sequence[str]) -> bool:
    """Whether more letters run from right to left than from left to right."""
    kinds = Counter(bidirectional(letter) for word in words for letter in word)
    return kinds["R"] + kinds["AL"] > kinds["L"]


def _open(kind: str, x: float, width: float, height: float) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" width="{width:.0f}" '
        f'height="{height:.0f}" viewBox="{x:.0f} 0 {width:.0f} {height:.0f}" role="img">'
    )


def _cut(widths: Sequence[float], xs: Sequence[float], width: float) -> list[float]:
    """Where the strips of a wide drawing begin, between words, and its end."""
    longest = min(width / ceil(width / PAGE) + 50, PAGE)
    cuts = [0.0]
    last = 0.0
    for word_width, x in zip(widths, xs, strict=True):
        half = word_width / 2
        if x + half - cuts[-1] > longest and last > cuts[-1]:
            cuts.append((last + x - half) / 2)
        last = x + half
    return [*cuts, width]


def _text_width(text: str, letter: float) -> float:
    wide = sum(east_asian_width(c) in "WF" for c in text)
    return letter * (len(text) + wide + 0.3 * sum(map(str.isupper, text)))


def _widths(words: Sequence[str], rows: Sequence[Sequence[str]]) -> list[float]:
    """Of each word, and what stands under it."""
    return [
        max(_text_width(word, WORD_LETTER), *(_text_width(row[i], ROW_LETTER) for row in rows), 0.0)
        for i, word in enumerate(words)
    ]


def _place_words(widths: Sequence[float], arcs: Sequence[DrawnArc]) -> list[float]:
    """The middles of the words, so far apart that words and labels have room."""
    slots = Counter((word, arc.below) for arc in arcs for word in arc.ends)
    roots = [(arc.dependent, arc.below) for arc in arcs if arc.head < 0]
    halves = []
    for i, width in enumerate(widths):
        n_slots = max(slots[i, False], slots[i, True])
        halves.append(max(width, SLOT * n_slots) / 2)
    room: dict[int, list[tuple[int, float]]] = {}
    for arc in arcs:
        start, end = arc.ends
        if start >= 0:
            n_slots = slots[start, arc.below] + slots[end, arc.below]
            needed = _text_width(arc.label, LABEL_LETTER) + LABEL_GAP
            for root, below in roots:
                if below == arc.below and start < root < end:
                    # On one side of the root's line there is room for the label then
                    needed *= 2
                    n_slots += 2 * slots[root, below]
            needed += SLOT * n_slots / 2
            room.setdefault(end, []).append((start, needed))
    xs: list[float] = []
    for i, half in enumerate(halves):
        x = SIDE + max(half, 3 * SLOT)
        if i > 0:
            x = xs[-1] + halves[i - 1] + WORD_GAP + half
        xs.append(max([x, *(xs[start] + needed for start, needed in room.get(i, ()))]))
    return xs


def _levels(arcs: Sequence[DrawnArc]) -> list[int]:
    """How high every arc is: above all shorter ones that share a part of its span, roots on top."""
    levels = [0] * len(arcs)
    done: list[int] = []
    spans = [arc.ends for arc in arcs]
    for k in sorted(range(len(arcs)), key=lambda k: spans[k][1] - spans[k][0]):
        start, end = spans[k]
        if start < 0:
            continue
        under = [m for m in done if spans[m][0] < end and start < spans[m][1]]
        levels[k] = 1 + max((levels[m] for m in under), default=0)
        done.append(k)
    top = 1 + max(levels, default=0)
    return [level or top for level in levels]


def _n_levels(arcs: Sequence[DrawnArc]) -> int:
    return max(_levels(arcs), default=0)


def _slots(
    arcs: Sequence[DrawnArc], xs: Sequence[float], right_to_left: bool = False
) -> list[tuple[float, float]]:
    """Where every arc starts and ends. At a word long arcs are in the middle: so they cross no short
    one."""
    slot = -SLOT if right_to_left else SLOT
    at_word: dict[int, list[tuple[float, int, int]]] = {}
    for k, arc in enumerate(arcs):
        for end, word, other in ((0, arc.head, arc.dependent), (1, arc.dependent, arc.head)):
            if word >= 0:
                reach = 0.0 if other < 0 else 1 / (other - word)
                at_word.setdefault(word, []).append((reach, k, end))
    slots = [[0.0, 0.0] for _ in arcs]
    for word, places in at_word.items():
        places.sort()
        for place, (_, k, end) in enumerate(places):
            slots[k][end] = xs[word] + slot * (place - (len(places) - 1) / 2)
    return [(start, end) for start, end in slots]


def _line(
    arc: DrawnArc, slots: tuple[float, float], base: float, y: float, direction: int
) -> str:
    start, end = slots
    if arc.head < 0:
        path = f"M{end:.1f},{y:.1f}V{base:.1f}"
    else:
        turn = min(CORNER, abs(end - start) / 2)
        side = turn if start < end else -turn
        corner = y - direction * turn
        path = (
            f"M{start:.1f},{base:.1f}V{corner:.1f}Q{start:.1f},{y:.1f} {start + side:.1f},{y:.1f}"
            f"H{end - side:.1f}Q{end:.1f},{y:.1f} {end:.1f},{corner:.1f}V{base:.1f}"
        )
    tip = base + direction * 1
    foot = base + direction * 8
    name = f' id="{escape(arc.name)}"' if arc.name else ""
    return (
        f'<g class="arc {arc.kind}"><path d="{path}"/><path class="tip"{name} '
        f'd="M{end - 3.5:.1f},{foot:.1f}H{end + 3.5:.1f}L{end:.1f},{tip:.1f}Z"/></g>'
    )


def _place_labels(
    arcs: Sequence[DrawnArc], slots: Sequence[tuple[float, float]], levels: Sequence[int]
) -> list[float]:
    """The middles of the labels. No line of a higher arc runs through a label, or if that cannot be, no
    line of a root."""
    # Of a root's arrow the start is 0, which is under no arc
    lines = [(x, level) for ends, level in zip(slots, levels, strict=True) for x in ends]
    roots = [ends[1] for arc, ends in zip(arcs, slots, strict=True) if arc.head < 0]
    xs = []
    for arc, (start, end), level in zip(arcs, slots, levels, strict=True):
        x = end
        if arc.head >= 0:
            reach = min(abs(end - start) / 2, LABEL_REACH)
            wanted = end - reach if start < end else end + reach
            half = _text_width(arc.label, LABEL_LETTER) / 2 + LINE_GAP
            higher = [line for line, its_level in lines if its_level > level]
            places = _free_places(wanted, start, end, higher, half)
            places = places or _free_places(wanted, start, end, roots, half) or [wanted]
            x = min(places, key=lambda place: (abs(place - wanted), abs(place - end)))
        xs.append(x)
    return xs


def _free_places(
    x: float, start: float, end: float, lines: Sequence[float], half: float
) -> list[float]:
    """Between each line that an arc meets and the next: the place nearest to x, if `half` fits on both
    sides."""
    low, high = sorted((start, end))
    edges = [low, *sorted(line for line in lines if low < line < high), high]
    return [
        min(max(x, left + half), right - half)
        for left, right in pairwise(edges)
        if right - left >= 2 * half
    ]


def _label(arc: DrawnArc, x: float, y: float, direction: int) -> str:
    text_y = y - 3 if direction < 0 else y + 10
    return (
        f'<text class="label {arc.kind}" x="{x:.1f}" y="{text_y:.1f}">{escape(arc.label)}</text>'
    )
