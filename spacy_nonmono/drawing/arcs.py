"""The one drawing of a tree: arcs over and under a sentence, as SVG.

Where everything is, is computed here; the SVG is in `templates/drawing.svg`. Pages, notebooks and traces
have it in their HTML, with their style sheet; `Drawing.svg` makes a file of it that stands alone.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import NamedTuple
from unicodedata import bidirectional, category, east_asian_width

from markupsafe import Markup

from .page import render

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
# The scales at which letters can still be read. To these drawings shrink; then they scroll, or on paper
# are cut
ON_SCREEN = 0.75
ON_PAPER = 0.55
# A landscape sheet of A4 has drawings of this width, and two of this height with their texts
SHEET = 1050.0
HALF_SHEET = 280.0


class DrawnArc(NamedTuple):
    """An arc to draw. head, dependent: indices of the words drawn; head -1 for an arrow without an
    origin.
    kind: its CSS class. below: is it under the words? name: an id for links to its tip.
    opacity: of its line, between 0 and 1.
    """

    head: int
    dependent: int
    label: str
    kind: str = "plain"
    below: bool = False
    name: str = ""
    opacity: float = 1.0

    @property
    def ends(self) -> tuple[int, int]:
        return min(self.head, self.dependent), max(self.head, self.dependent)


class _PlacedArc(NamedTuple):
    """An arc in a drawing. line, tip: paths. x, y: of its label."""

    arc: DrawnArc
    line: str
    tip: str
    x: float
    y: float


class Drawing:
    """A drawing of a sentence. In a template it is HTML, a box that scrolls; `svg` makes a file of it.

    words: they are numbered from `first` + 1 on.
    name: an id for the drawing. In HTML one that is too wide for a sheet of paper is followed by its
        strips, which the style sheet prints in its place.
    right_to_left: the direction of the sentence; by default that of most of its letters.
    rows: what stands in lines under the words; one text per word in each.

    Attributes for the templates: xs are the middles of the words, word_y, index_y and row_ys the lines
    below each other, groups the arcs above and below them, and strips the ends of the strips. least is
    the width to which the drawing may shrink on a screen, and on_paper its scale on paper.
    """

    def __init__(
        self,
        words: Sequence[str],
        arcs: Sequence[DrawnArc],
        *,
        title: str,
        first: int = 0,
        name: str = "",
        right_to_left: bool | None = None,
        rows: Sequence[Sequence[str]] = (),
    ) -> None:
        self.words, self.rows = show_words(words), rows
        self.title, self.first, self.name = title, first, name
        self.right_to_left = is_right_to_left(words) if right_to_left is None else right_to_left
        widths = _widths(self.words, rows)
        self.xs = _place_words(widths, arcs)
        self.width = self.xs[-1] + max(widths[-1] / 2, 3 * SLOT) + SIDE if self.xs else 0.0
        cuts = _cut(widths, self.xs, self.width) if name and self.width * ON_PAPER > SHEET else []
        if self.right_to_left:
            self.xs, cuts = ([self.width - x for x in xs] for xs in (self.xs, cuts))
        self.strips = [(min(ends), abs(ends[1] - ends[0])) for ends in pairwise(cuts)]
        above = [arc for arc in arcs if not arc.below]
        below = [arc for arc in arcs if arc.below]
        top = LEVEL * max(_levels(above), default=0) + 2 * MARGIN
        self.word_y, self.index_y = top + 17, top + 30
        self.row_ys = [self.index_y + ROW * (k + 1) for k in range(len(rows))]
        bottom = top + WORD_ROW + ROW * len(rows)
        self.height = bottom + LEVEL * max(_levels(below), default=0) + (2 * MARGIN if below else 0)
        self.least = self.width * ON_SCREEN
        fitting = min(SHEET / max(self.width, 1), HALF_SHEET / self.height, 1)
        self.on_paper = max(fitting, ON_PAPER)
        self.groups = self._place(above, top, -1), self._place(below, bottom, 1)

    def __html__(self) -> Markup:
        """The drawing as a part of a page that has the style sheet."""
        return render("figure.html", drawing=self, scale=1, alone=False)

    def svg(self, *, scale: float = 1) -> str:
        """Return the drawing as an SVG file that stands alone. It has its fonts, and its colours, which
        are light or dark as the reader's screen is; programs that know no dark screens show light ones.

        scale: how much larger it is than on a page.
        """
        return str(render("drawing.svg", drawing=self, scale=scale, alone=True))

    def _place(self, arcs: Sequence[DrawnArc], base: float, direction: int) -> list[_PlacedArc]:
        """Thin lines come first, so that marked ones lie on top."""
        levels = _levels(arcs)
        slots = _slots(arcs, self.xs, self.right_to_left)
        xs = _place_labels(arcs, slots, levels)
        placed = []
        for k in sorted(range(len(arcs)), key=lambda k: arcs[k].kind != "plain"):
            y = base + direction * LEVEL * levels[k]
            line, tip = _paths(arcs[k], slots[k], base, y, direction)
            placed.append(_PlacedArc(arcs[k], line, tip, xs[k], y - 3 if direction < 0 else y + 10))
        return placed


def show_words(words: Sequence[str]) -> list[str]:
    """Return the words as they are drawn: white space, which is a token in spaCy, and letters without
    width as a sign that is seen."""
    return [word if any(map(_is_seen, word)) else "␣" for word in words]


def _is_seen(letter: str) -> bool:
    return not letter.isspace() and category(letter) not in ("Cf", "Cc")


def is_right_to_left(words: Sequence[str]) -> bool:
    """Say whether more letters of the words run from right to left than from left to right."""
    kinds = Counter(bidirectional(letter) for word in words for letter in word)
    return kinds["R"] + kinds["AL"] > kinds["L"]


def _cut(widths: Sequence[float], xs: Sequence[float], width: float) -> list[float]:
    """Return where the strips of a wide drawing begin, between words, and where the last one ends."""
    sheet = SHEET / ON_PAPER
    longest = min(width / ceil(width / sheet) + 50, sheet)
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
    """Return the width of each word with what stands under it."""
    return [
        max(_text_width(word, WORD_LETTER), *(_text_width(row[i], ROW_LETTER) for row in rows), 0.0)
        for i, word in enumerate(words)
    ]


def _place_words(widths: Sequence[float], arcs: Sequence[DrawnArc]) -> list[float]:
    """Return the middles of the words, so far apart that words and labels have room."""
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
    """Return the height of every arc: it is above all shorter ones that share a part of its span. Roots
    are on top."""
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


def _slots(
    arcs: Sequence[DrawnArc], xs: Sequence[float], right_to_left: bool = False
) -> list[tuple[float, float]]:
    """Return where every arc starts and ends. At a word long arcs are in the middle: so they cross no
    short one."""
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


def _paths(
    arc: DrawnArc, slots: tuple[float, float], base: float, y: float, direction: int
) -> tuple[str, str]:
    """Return the line of an arc and its tip, as paths of SVG."""
    start, end = slots
    if arc.head < 0:
        line = f"M{end:.1f},{y:.1f}V{base:.1f}"
    else:
        turn = min(CORNER, abs(end - start) / 2)
        side = turn if start < end else -turn
        corner = y - direction * turn
        line = (
            f"M{start:.1f},{base:.1f}V{corner:.1f}Q{start:.1f},{y:.1f} {start + side:.1f},{y:.1f}"
            f"H{end - side:.1f}Q{end:.1f},{y:.1f} {end:.1f},{corner:.1f}V{base:.1f}"
        )
    tip, foot = base + direction, base + direction * 8
    return line, f"M{end - 3.5:.1f},{foot:.1f}H{end + 3.5:.1f}L{end:.1f},{tip:.1f}Z"


def _place_labels(
    arcs: Sequence[DrawnArc], slots: Sequence[tuple[float, float]], levels: Sequence[int]
) -> list[float]:
    """Return the middles of the labels. No line of a higher arc runs through a label, or if that cannot
    be, no line of a root."""
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
