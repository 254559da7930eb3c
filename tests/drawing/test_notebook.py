"""Trees in a notebook."""

import re

import pytest
import spacy
from spacy.tokens import Doc

from spacy_nonmono.drawing import show_tree
from tests.lab.util import read

VOCAB = spacy.blank("xx").vocab
WORDS = ["dogs", "<bark>", "it", "rains"]


def make_doc(heads=(1, 1, 3, 3), deps=("nsubj", "ROOT", "nsubj", "ROOT"), words=WORDS):
    return Doc(VOCAB, words=words, heads=list(heads), deps=list(deps))


def test_each_sentence_has_a_drawing():
    html = show_tree(make_doc())._repr_html_()
    reader = read(html)
    assert reader.classes.count("figure") == 2
    assert reader.classes.count("arc plain") == 4  # and no legend
    assert reader.text.count("ROOT\n") == 2
    assert "&lt;bark&gt;" in html and "<bark>" not in html and "<script" not in html
    # Several drawings may be on a page
    assert ' id="' not in html and "href" not in html


def test_span():
    doc = make_doc()
    reader = read(show_tree(doc[2:4]).html)
    assert reader.classes.count("arc plain") == 2 and "dogs" not in reader.text
    # The head of its word is outside
    assert read(show_tree(doc[0:1]).html).classes.count("arc plain") == 0


def test_gold():
    gold = make_doc([1, 1, 2, 2], ["obj", "ROOT", "ROOT", "dep"])
    for shown, n in ((make_doc(), 1), (make_doc()[0:2], 0)):
        reader = read(show_tree(shown, gold=gold).html)
        # One is in the legend
        assert reader.classes.count("arc wrong-label") == reader.classes.count("arc missed-label") == 2
        assert reader.classes.count("arc wrong") == reader.classes.count("arc missed") == 1 + 2 * n


def test_its_style_is_its_own():
    """All rules are inside of those of one class, and all colours are there, in light and in dark."""
    html = show_tree(make_doc()).html
    (style,) = re.findall("<style>(.*?)</style>", html, re.DOTALL)
    depth, outer = 0, ""
    for letter in style:
        depth -= letter == "}"
        outer += letter * (depth == 0)
        depth += letter == "{"
    outside = [selector.strip() for selector in outer.replace("}", "{").split("{") if selector.strip()]
    assert outside == [".nonmono-trees", "@media screen and (prefers-color-scheme: dark)"]
    colours = re.findall("(--[a-z]+): #", style)
    assert len(colours) == 2 * len(set(colours))
    assert set(re.findall(r"var\((--[a-z]+)\)", style)) <= set(colours)


def test_errors():
    with pytest.raises(ValueError, match="NM116"):
        show_tree(Doc(VOCAB, words=WORDS))
    with pytest.raises(ValueError, match="NM121"):
        show_tree(make_doc(), gold=make_doc(words=["dogs", "bark", "it", "rains"]))
