"""Trees on a page."""

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc

from spacy_nonmono.evaluation.render import render_trees

# The trees that the treebank's sentences get, by length; the one of six words crosses
TREES = {3: [1, 1, 1], 6: [1, 2, 2, 4, 1, 2]}


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


def test_crossing_trees_first(nlp, treebank):
    page = render_trees(nlp, treebank, limit=7)
    assert page.count("<svg") == 7
    titles = [line.partition(">")[2] for line in page.splitlines() if line.startswith("<h2")]
    assert [title.partition(",")[0] for title in titles] == [
        f"Sentence {i}" for i in (2, 4, 6, 8, 10, 12, 1)
    ]
    assert titles[0].startswith("Sentence 2, predicted; 1 crossing arc; 1 of 6 heads and labels")
    assert "crossing" not in titles[6]


def test_order_of_the_file_with_gold(nlp, treebank):
    page = render_trees(nlp, treebank, limit=2, prefer_crossing=False, with_gold=True)
    assert page.count("<svg") == 4
    assert "Sentence 1, gold" in page
    assert "Sentence 2, gold; 1 crossing arc" in page
    assert "acl:relcl" in page
    assert "&lt;dep&gt;" in page and "<dep>" not in page
    assert page.count('class="displacy-arrow"') == 2 * (2 + 5)
    assert page.count(">ROOT<") == 4


def test_command(nonmono, nonmono_path, treebank, tmp_path):
    output = tmp_path / "new" / "trees.html"
    options = ["--limit", 3, "--no-crossing", "--gold"]
    result = nonmono("render", nonmono_path, treebank, output, *options)
    assert result.exit_code == 0, result.output
    page = output.read_text("utf-8")
    assert page.count("<svg") == 6
    assert page.startswith("<!DOCTYPE html>")


def test_command_without_file(nonmono, nonmono_path, tmp_path):
    result = nonmono("render", nonmono_path, tmp_path / "gone.conllu", tmp_path / "trees.html")
    assert result.exit_code == 1
    assert "gone.conllu" in result.output
