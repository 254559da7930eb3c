"""Arcs and their labels as SVG."""

import re
from itertools import combinations

import pytest

from spacy_nonmono.drawing.arcs import (
    LABEL_LETTER,
    LABEL_REACH,
    WORD_LETTER,
    DrawnArc,
    _levels,
    _place_words,
    _slots,
    draw_arcs,
    is_right_to_left,
)
from tests.lab.util import read


def test_no_arcs_lie_on_each_other():
    arcs = [DrawnArc(*ends, "label") for ends in [(0, 3), (3, 1), (1, 2), (5, 2), (4, 3), (-1, 5)]]
    levels = _levels(arcs)
    for (a, level_a), (b, level_b) in combinations(zip(arcs[:-1], levels, strict=False), 2):
        if max(a.ends[0], b.ends[0]) < min(a.ends[1], b.ends[1]):
            assert level_a != level_b
    assert levels[-1] > max(levels[:-1])
    slots = _slots(arcs, _place_words(["w"] * 6, arcs))
    xs = [x for start, end in slots[:-1] for x in (start, end)] + [slots[-1][1]]
    assert len(set(xs)) == len(xs)


def test_words_and_labels_have_room():
    words = ["a", "considerably", "b", "c"]
    arcs = [DrawnArc(2, 3, "a:very:long:label"), DrawnArc(1, 0, "x")]
    xs = _place_words(words, arcs)
    assert xs[1] - xs[0] > WORD_LETTER * (len(words[0]) + len(words[1])) / 2
    (start, end), _ = _slots(arcs, xs)
    assert end - start > LABEL_LETTER * len(arcs[0].label)


def places(svg, name):
    """The x of every text of a class."""
    return [float(x) for x in re.findall(rf'class="{name}" x="([\d.]+)"', svg)]


def test_drawing_of_nothing():
    assert "svg" in read(draw_arcs([], [], title="")).tags


def test_long_arcs_have_their_labels_near_their_dependents():
    arcs = [DrawnArc(0, 30, "far"), DrawnArc(31, 30, "near")]
    svg = draw_arcs(["word"] * 32, arcs, title="")
    dependent = places(svg, "word")[30]
    far, near = places(svg, "label plain")
    assert dependent - LABEL_REACH - WORD_LETTER < far < dependent < near


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["הספר", "שנכתב", "על", "ידי", "Tolkien"], True),
        (["كتاب", "(", "2024", ")"], True),
        (["Tolkien", "(", "طولكين", "in", "Arabic", ")"], False),
        (["1", "."], False),
        ([], False),
    ],
)
def test_direction_is_that_of_most_letters(words, expected):
    assert is_right_to_left(words) == expected


def test_right_to_left_is_the_mirror_image():
    words, arcs = ["a", "bcd", "e"], [DrawnArc(1, 0, "x"), DrawnArc(1, 2, "long"), DrawnArc(-1, 1, "r")]
    one = draw_arcs(words, arcs, title="")
    other = draw_arcs(words, arcs, title="", right_to_left=True)
    width = _place_words(words, arcs)[0] + places(other, "word")[0]
    for name in ("word", "index", "label plain"):
        mirrored = [width - x for x in places(other, name)]
        assert mirrored == pytest.approx(places(one, name), abs=0.11)
    assert 'dir="ltr"' in one and 'dir="rtl"' in other


def test_strips_go_with_the_text():
    for right_to_left in (False, True):
        svg = draw_arcs(["word"] * 60, [], title="", name="x", right_to_left=right_to_left)
        starts = [int(x) for x in re.findall(r'class="strip".*? viewBox="(\d+) ', svg)]
        assert len(starts) > 1
        assert starts == sorted(starts, reverse=right_to_left)
