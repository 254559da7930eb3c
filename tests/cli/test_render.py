"""Trees on a page."""

import re

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc

from spacy_nonmono.drawing import render_trees
from tests.lab.util import read

# The trees that the treebank's sentences get, by length. In the one of six words arcs cross, the last
# head is wrong, and so are the labels of four right heads
TREES = {3: [1, 1, 1], 6: [1, 2, 2, 4, 1, 4]}
N_HEADS, N_LABELS = 1, 4


@Language.component("test_known_trees", assigns=["token.head"])
def known_trees(doc: Doc) -> Doc:
    words, spaces = [token.text for token in doc], [bool(token.whitespace_) for token in doc]
    heads = TREES[len(doc)]
    deps = ["ROOT" if i == head else "<dep>" for i, head in enumerate(heads)]
    return Doc(doc.vocab, words=words, spaces=spaces, heads=heads, deps=deps)


@pytest.fixture
def nlp():
    nlp = spacy.blank("en")
    nlp.add_pipe("test_known_trees")
    return nlp


def headings(page):
    return [line.removesuffix("</h2>") for line in page.splitlines() if line.startswith("<h2")]


def test_crossing_trees_first(nlp, treebank):
    page = render_trees(nlp, treebank, limit=7)
    assert headings(page) == [f"<h2>Sentence {i}" for i in (2, 4, 6, 8, 10, 12, 1)]
    text = read(page).text
    assert text.count("1 of 6 words with the right head and label; 1 crossing arc\n") == 6
    assert text.count("1 of 3 words with the right head and label\n") == 1


def test_order_of_the_file_with_gold(nlp, treebank):
    page = render_trees(nlp, treebank, limit=2, prefer_crossing=False, with_gold=True)
    assert headings(page) == ["<h2>Sentence 1", "<h2>Sentence 2"]
    assert "acl:relcl" in page
    assert "&lt;dep&gt;" in page and "<dep>" not in page
    reader = read(page)
    trees = [names for names in reader.classes if names.startswith("arc ")]
    assert len(trees) == 5 + 2 * (3 + 6)  # of the legend, and of two trees per sentence
    assert reader.text.count("ROOT\n") == 4


def test_errors_are_marked_and_linked(nlp, treebank):
    for with_gold in (False, True):
        page = render_trees(nlp, treebank, limit=1, with_gold=with_gold)
        reader = read(page)
        for kind, n in [("wrong", N_HEADS), ("wrong-label", N_LABELS)]:
            assert reader.classes.count(kind) == n
            # And one in the legend
            assert reader.classes.count(f"arc {kind}") == 1 + n
            assert reader.classes.count(f"label {kind}") == 1 + n
        assert reader.classes.count("arc missed") == with_gold * (1 + N_HEADS)
        assert reader.classes.count("arc missed-label") == with_gold * (1 + N_LABELS)
        links = re.findall('href="#(.*?)"', page)
        assert len(links) == N_HEADS + N_LABELS
        assert all(page.count(f'id="{link}"') == 1 for link in links)


def test_words_of_unknown_head_are_not_wrong(nlp, tmp_path):
    path = tmp_path / "unknown.conllu"
    rows = ["1\tno\t_\t_\t_\t_\t_\t_\t_\t_", "2\tgold\t_\t_\t_\t_\t0\troot\t_\t_"]
    path.write_text("\n".join([*rows, "3\there\t_\t_\t_\t_\t_\t_\t_\t_"]) + "\n\n")
    page = render_trees(nlp, path, with_gold=True)
    assert "1 of 1 word with the right head and label" in page
    assert "href" not in page


def test_page_for_every_reader(nlp, treebank):
    """Title and languages are named, wide trees are reached with the keyboard, and both colour schemes
    have the same colours."""
    page = render_trees(nlp, treebank, title="<Trees>")
    assert '<html lang="en">' in page and '<div lang="en">' in page
    assert "<title>&lt;Trees&gt;</title>" in page
    assert page.count('tabindex="0"') == page.count("<h2")
    light, dark = re.findall(r":root \{(.*?)\}", page, re.DOTALL)
    colours = re.findall(r"--[a-z]+(?=:)", light)
    assert colours == re.findall(r"--[a-z]+(?=:)", dark)
    assert set(re.findall(r"var\((--[a-z]+)\)", page)) <= {*colours, "--mark"}


def test_command(nonmono, nonmono_path, treebank, tmp_path):
    output = tmp_path / "new" / "trees.html"
    options = ["--limit", 3, "--no-crossing", "--gold"]
    result = nonmono("render", nonmono_path, treebank, output, *options)
    assert result.exit_code == 0, result.output
    page = output.read_text("utf-8")
    assert page.count("<h2") == 3
    assert page.startswith("<!DOCTYPE html>")


def test_command_without_file(nonmono, nonmono_path, tmp_path):
    result = nonmono("render", nonmono_path, tmp_path / "gone.conllu", tmp_path / "trees.html")
    assert result.exit_code == 1
    assert "gone.conllu" in result.output
