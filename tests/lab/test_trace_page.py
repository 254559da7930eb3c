"""Traces on a page."""

import re
from collections import Counter

import pytest
from spacy.tokens import Doc

from spacy_nonmono import get_system, list_systems
from spacy_nonmono.lab.trace_page import render_traces
from spacy_nonmono.lab.traces import trace
from tests.lab.util import VOCAB, FakeParser, make_doc, moves, pipeline, read, run

MARKS = ["dropped", "added", "wrong", "missed", "wrong-label", "missed-label"]
CYCLE = ["shift", "right_arc:a", "shift", "right_arc:b", "left_arc:c", "shift"]


def test_page_is_complete_and_closed():
    words = ["Sie", "<script>alert(1)</script>", "&", '"x"', "\n", "早安"]
    gold = make_doc([1, -1, 1, 1, 5, 3], words=words)
    traces = [trace(get_system(name), gold, gold)[0] for name in list_systems()]
    page = render_traces(traces, title="<Title>")
    reader = read(page)
    assert "script" not in reader.tags
    assert "<script" not in page and "<Title>" not in page
    for word in words:
        assert reader.text.count((word.strip() or "␣") + "\n") >= len(traces)
    assert reader.tags.count("section") == reader.tags.count("table") == len(traces)
    assert page.startswith("<!DOCTYPE html>")


def test_page_fetches_nothing():
    page = render_traces([run("covington_nonmonotonic", CYCLE, 3, make_doc([2, 0, -1]))])
    addresses = re.findall(r"https?://[^\"' )]*", page)
    assert set(addresses) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"@import|url\(|src=|<link|href=\"[^#]", page)


def test_repairs_are_drawn_where_they_happen_and_in_the_end():
    one = run("covington_nonmonotonic", CYCLE, 3, make_doc([-1, 0, 1]))
    reader = read(render_traces([one]))
    # The legend has one of each
    drawn = Counter(reader.classes) - Counter({f"arc {mark}": 1 for mark in MARKS})
    # The dropped arc twice; the new one where it is built, wrong in the final tree
    assert drawn["arc dropped"] == 2
    assert drawn["arc added"] == 1
    assert drawn["arc wrong"] == drawn["arc missed"] == 2
    # In CYCLE the arc from w0 to w1 has a wrong label
    assert drawn["arc wrong-label"] == drawn["arc missed-label"] == 1
    assert reader.text.count("broken cycle") >= 2
    assert "covington_nonmonotonic; 6 steps; 1 broken cycle; cost" in reader.text
    assert "0 of 3 words with the right head and label" in reader.text


def test_costs():
    gold = make_doc([1, -1])
    one = run("arc_eager_unshift", ["shift", "right_arc:a", "reduce"], 2, gold)
    assert "2; better: left_arc" in read(render_traces([one])).text
    one = run("arc_eager_unshift", ["shift", "left_arc:a", "shift"], 2, gold)
    reader = read(render_traces([one]))
    assert "1; wrong label" in reader.text
    assert sum("costly" in names.split() for names in reader.classes) == 1


def test_without_gold_there_are_no_costs():
    reader = read(render_traces([run("covington_nonmonotonic", CYCLE, 3)]))
    assert "Cost" not in reader.text and "Score" in reader.text
    assert not any("missed" in names or "wrong" in names for names in reader.classes)


def test_no_blank_where_the_text_has_none():
    doc = Doc(VOCAB, words=["w0", "w1", "."], spaces=[True, False, False])
    parser = FakeParser("covington_nonmonotonic", [moves(*CYCLE)])
    (one,) = trace(pipeline(parser), doc)
    assert '<p class="text" dir="ltr">w0 w1.</p>' in render_traces([one])


def test_right_to_left():
    one = run("covington_nonmonotonic", CYCLE, 3)
    page = render_traces([one._replace(words=("קרא", "ספר", "1"))])
    # The sentence, the final tree, and that of the step which drops an arc
    assert page.count('dir="rtl"') == 3 and 'dir="ltr"' not in page


def test_runs_of_no_arc_are_one_line():
    names = ["shift"] + ["shift"] * 3 + ["no_arc"] * 4 + ["shift"]
    gold = make_doc([-1, 0, 0, 0, 0], unknown=[4])
    page = render_traces([run("covington", names, 5, gold)])
    assert "5&ndash;8" in page and "no_arc &times;4" in page
    assert "attach rest" in page


def test_only_arcs():
    names = ["shift"] + ["shift"] * 3 + ["no_arc"] * 4 + ["shift"]
    gold = make_doc([-1, 0, 0, 0, 0], unknown=[4])
    one = run("covington", names, 5, gold)
    page = render_traces([one], only_arcs=True)
    kept = [
        i
        for i, step in enumerate(one.steps, start=1)
        if step.added or step.removed or step.repairs or (step.cost or 0) > 0
    ]
    assert re.findall(r'<td class="number">(\d+)</td><td class="stack"', page) == list(map(str, kept))
    assert 0 < len(kept) < len(one.steps)
    assert f"Left out: {len(one.steps) - len(kept)} steps without arcs" in page
    one = run("covington_nonmonotonic", CYCLE, 3)
    page = render_traces([one], only_arcs=True)
    # What drops an arc is drawn here, too
    assert page.count("broken cycle</span>") == page.count('<tr class="drawing') == 1
    one = run("arc_eager_unshift", ["shift", "right_arc:a"], 2)
    assert "Left out" not in render_traces([one])
    assert "Left out: 1 step " in render_traces([one], only_arcs=True)


@pytest.mark.parametrize("n_words", [1, 2, 60])
def test_any_length(n_words):
    gold = make_doc([-1, *range(n_words - 1)])
    (one,) = trace(get_system("arc_eager_unshift"), gold, gold)
    page = render_traces([one], numbers=[7])
    reader = read(page)
    assert "Sentence 7" in reader.text
    is_wide = n_words == 60
    assert ("strip" in reader.classes) == ("wide" in reader.classes) == is_wide
    assert ('<use href="#tree-7"/>' in page) == is_wide


def test_no_traces():
    assert read(render_traces([])).tags.count("section") == 0
