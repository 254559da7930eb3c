"""Arcs and their labels as SVG."""

import random
import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

from spacy_nonmono.drawing.arcs import (
    LABEL_LETTER,
    LABEL_REACH,
    ON_PAPER,
    SHEET,
    WORD_LETTER,
    Drawing,
    DrawnArc,
    _levels,
    _place_words,
    _slots,
    _widths,
    is_right_to_left,
)
from spacy_nonmono.drawing.page import DARK, LIGHT
from spacy_nonmono.drawing.tikz import escape
from spacy_nonmono.drawing.trees import FAINTEST, Tree, draw_tree
from tests.lab.util import read


def draw_arcs(*arguments, **options):
    return Drawing(*arguments, **options).__html__()


def place_words(words, arcs):
    return _place_words(_widths(words, []), arcs)


def test_no_arcs_lie_on_each_other():
    arcs = [DrawnArc(*ends, "label") for ends in [(0, 3), (3, 1), (1, 2), (5, 2), (4, 3), (-1, 5)]]
    levels = _levels(arcs)
    for (a, level_a), (b, level_b) in combinations(zip(arcs[:-1], levels, strict=False), 2):
        if max(a.ends[0], b.ends[0]) < min(a.ends[1], b.ends[1]):
            assert level_a != level_b
    assert levels[-1] > max(levels[:-1])
    slots = _slots(arcs, place_words(["w"] * 6, arcs))
    xs = [x for start, end in slots[:-1] for x in (start, end)] + [slots[-1][1]]
    assert len(set(xs)) == len(xs)


def test_words_and_labels_have_room():
    words = ["a", "considerably", "b", "c"]
    arcs = [DrawnArc(2, 3, "a:very:long:label"), DrawnArc(1, 0, "x")]
    xs = place_words(words, arcs)
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


@pytest.mark.parametrize("below", [False, True])
@pytest.mark.parametrize("right_to_left", [False, True])
def test_no_label_lies_on_the_line_of_a_root(below, right_to_left):
    choose = random.Random(0)
    n_met = 0
    for _ in range(100):
        n_words = choose.randint(3, 12)
        root = choose.randrange(n_words)
        arcs = [DrawnArc(-1, root, "ROOT", below=below)]
        for word in range(n_words):
            if word != root:
                head = choose.choice([i for i in range(n_words) if i != word])
                arcs.append(DrawnArc(head, word, choose.choice(["x", "nmod:poss"]), "k", below))
        words = [choose.choice(["a", "considerably"]) for _ in range(n_words)]
        svg = draw_arcs(words, arcs, title="", right_to_left=right_to_left)
        line = float(re.search(r'<path d="M([\d.]+),[\d.]+V[\d.]+"', svg)[1])  # has no turns
        for x, label in re.findall(r'class="label k" x="([\d.]+)" .*?>(.*?)<', svg):
            assert abs(float(x) - line) > LABEL_LETTER * len(label) / 2
        n_met += sum(arc.ends[0] < root < arc.ends[1] for arc in arcs[1:])
    assert n_met > 100


def test_labels_avoid_lines_of_higher_arcs():
    """The label of the first arc alone is in the middle, where the line of the second is."""
    arcs = [DrawnArc(0, 4, "label"), DrawnArc(2, 9, "x")]
    words = ["word"] * 10
    (middle,) = places(draw_arcs(words, arcs[:1], title=""), "label plain")
    svg = draw_arcs(words, arcs, title="")
    _, line = (float(x) for x in re.findall(r'<path d="M([\d.]+),[\d.]+V[\d.]+Q', svg))
    label = places(svg, "label plain")[0]
    assert abs(middle - line) < LABEL_LETTER * 5 / 2 < abs(label - line)


def test_rows_have_room_under_the_words():
    words, rows = ["a", "b"], [["NOUN", "a-very-long-lemma"], ["1.00", "<"]]
    arcs = [DrawnArc(0, 1, "x"), DrawnArc(0, 1, "y", below=True)]
    svg = draw_arcs(words, arcs, title="", rows=rows)
    first, second = places(svg, "word")
    assert second - first > LABEL_LETTER * len("NOUN" + "a-very-long-lemma") / 2
    assert places(svg, "row") == [first, first, second, second]
    ys = [float(y) for y in re.findall(r'class="(?:index|row)" x=".*?" y="([\d.]+)"', svg)]
    assert ys[:3] == sorted(ys[:3])
    below = float(re.findall(r'class="label plain" x=".*?" y="([\d.]+)"', svg)[1])
    assert below > ys[2]
    assert "&lt;" in svg and read(svg).text.count("NOUN") == 1


def test_capitals_are_wide():
    words = [["MANAGEMENT"] * 2, ["management"] * 2]
    wide, narrow = (place_words(pair, []) for pair in words)
    assert wide[1] - wide[0] > narrow[1] - narrow[0]


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
    width = place_words(words, arcs)[0] + places(other, "word")[0]
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


def test_a_picture_stands_alone():
    """It is XML, needs no other file, and has every colour that it names, in light and in dark."""
    arcs = [DrawnArc(0, 1, "<x>", "dropped"), DrawnArc(-1, 0, "root")]
    picture = Drawing(["a&b", " "], arcs, title="'<Title>'").svg(scale=2)
    svg = ElementTree.fromstring(picture)
    space = "{http://www.w3.org/2000/svg}"
    assert svg.tag == f"{space}svg" and svg[0].tag == f"{space}title" and svg[0].text == "'<Title>'"
    assert [text.text for text in svg.iter(f"{space}text")] == ["root", "<x>", "a&b", "1", "␣", "2"]
    width, height = (float(svg.get(name)) for name in ("width", "height"))
    assert [float(x) for x in svg.get("viewBox").split()[2:]] == pytest.approx(
        [width / 2, height / 2], abs=1
    )
    style = svg.find(f"{space}style").text
    assert "font-family:" in style and LIGHT["ink"] in style and DARK["ink"] in style
    # Programs that make PNG and PDF know no variables
    assert not re.search(r"@import|url\(|href|var\(", picture)


def test_letters_that_no_xml_may_hold():
    words = ["a\x08b", "\u200b", "\ufeff\x00"]
    picture = Drawing(words, [DrawnArc(0, 1, "\x1f")], title="\ufffe\udce9").svg()
    texts = [text.text for text in ElementTree.fromstring(picture).iter() if text.tag.endswith("text")]
    assert texts == ["\ufffd", "a\ufffdb", "1", "␣", "2", "␣", "3"]


@pytest.mark.parametrize("text", ["[", "|", "[sep]", "a|b", "--", "``x''", "<>", "\\&", "_#$%~^", "?`"])
def test_latex(text):
    """No letter is a command, begins an option of a cell, or is joined with the next one."""
    found = escape(text)
    assert not found.startswith(("[", "|")) and not re.search(r"--|``|''|[<>]|(?<!\\)[#$%_&^~]", found)
    unescaped = re.sub(r"\\(text\w+|symbol)\{(\d*)\}", "?", found)
    assert len(re.sub(r"\{(.)\}", r"\1", unescaped).replace("\\", "")) == len(text)


def test_wide_drawings_shrink_but_not_for_ever():
    """On paper two high ones fit on a sheet; one that is too wide for it is cut into strips."""
    widths = []
    for n_words in (4, 30, 90):
        drawing = Drawing(["word"] * n_words, [DrawnArc(0, n_words - 1, "x")], title="", name="t")
        assert ON_PAPER <= drawing.on_paper <= 1 and drawing.least <= drawing.width
        strips = drawing.strips or [(0.0, drawing.width)]
        assert sum(width for _, width in strips) == pytest.approx(drawing.width)
        widths += [width * drawing.on_paper for _, width in strips]
        assert (len(drawing.strips) > 1) == (n_words == 90)
    assert max(widths) <= SHEET
    nested = [DrawnArc(0, i, "x") for i in range(1, 20)]
    assert Drawing(["word"] * 20, nested, title="").on_paper < 0.8


def test_uncertain_arcs_are_faint():
    tree = Tree((1, -1, 1), ("a", None, "b"))
    drawing = draw_tree(["x"] * 3, tree, tree, [""] * 3, title="", confidence=[0.0, 1.0, None])
    opacities = [[one.arc.opacity for one in group] for group in drawing.groups]
    assert opacities == [[FAINTEST, 1.0, 1.0], [1.0, 1.0, 1.0]]
    assert str(drawing.svg()).count("opacity=") == 1
