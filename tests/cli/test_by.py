"""`evaluate --by`: where a pipeline errs, on the screen, in a file and on a page."""

import csv
import re

import pytest
import srsly

from spacy_nonmono.cli.breakdowns import CONFUSION_TITLES, TABLES, make_page
from spacy_nonmono.drawing.trees import Tree, find_errors, word_tokens, write_sentence
from spacy_nonmono.evaluation.breakdown import break_down
from spacy_nonmono.evaluation.compare import compare, read_scores
from spacy_nonmono.evaluation.evaluate import ParsedFile
from spacy_nonmono.evaluation.names import (
    BREAKDOWN,
    CONFUSIONS,
    CROSSING,
    CROSSING_SENTENCES,
    DOCUMENTS,
    GOLD_SENTENCES,
    KINDS,
    UPOS,
)
from spacy_nonmono.evaluation.words import write_words
from spacy_nonmono.shapes import UNKNOWN_HEAD
from tests.evaluation.test_breakdown import make_sentences
from tests.evaluation.test_scores import parses
from tests.lab.util import read
from tests.multiword.util import FRENCH


def test_command(nonmono, nonmono_path, treebank, tmp_path):
    output, page = tmp_path / "scores.json", tmp_path / "new" / "errors.html"
    arguments = [nonmono_path, treebank, "--by", ",".join(KINDS), "--output", output, "--page", page]
    result = nonmono("evaluate", *arguments)
    assert result.exit_code == 0, result.output
    reader = read(page.read_text("utf-8"))
    assert "script" not in reader.tags
    for title, heading, columns in TABLES.values():
        for text in (title, heading, *columns.values()):
            assert text in result.output and text in reader.text
    # The words of two settings, by part of speech
    lines = [line.split()[:2] for line in result.output.splitlines()]
    assert lines.count(["PUNCT", "12"]) == lines.count(["PRON", "6"]) == 2
    saved = srsly.read_json(output)
    assert list(saved[BREAKDOWN]) == [GOLD_SENTENCES, DOCUMENTS]
    for setting, tables in saved[BREAKDOWN].items():
        assert set(tables) == {*KINDS, CROSSING_SENTENCES, CONFUSIONS}
        assert saved[setting]["words_per_second"] > 0
        crossing = tables[CROSSING][1]
        assert crossing["gold"] == 6 and crossing["recall"] == saved[setting]["nonproj_r"]


def test_saved_scores_are_compared_as_before(nonmono, nonmono_path, treebank, tmp_path):
    output, plain = tmp_path / "with.json", tmp_path / "without.json"
    arguments = [nonmono_path, treebank, "--setting", "gold"]
    assert nonmono("evaluate", *arguments, "--by", "label", "--output", output).exit_code == 0
    assert nonmono("evaluate", *arguments, "--output", plain).exit_code == 0
    table = compare({path.stem: read_scores(path) for path in (output, plain)})
    assert table["differences"][GOLD_SENTENCES]["las"] == {"with": 0, "without": 0}
    for arguments in ([output], [output, plain]):
        result = nonmono("evaluate", *arguments)
        assert result.exit_code == 0, result.output
        assert "Right head" not in result.output


def test_words_of_the_csv_give_the_scores(nonmono, nonmono_path, treebank, tmp_path):
    """Those of two inputs and both settings, with the confidence of the one that has any."""
    output, path, trees = (tmp_path / name for name in ("scores.json", "words.csv", "trees.conllu"))
    trees.write_text(treebank.read_text("utf-8").replace("\tpunct\t", "\tdep\t"), encoding="utf-8")
    arguments = [nonmono_path, trees, treebank, "--words", path, "--output", output]
    result = nonmono("evaluate", *arguments)
    assert result.exit_code == 0, result.output
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    scores = srsly.read_json(output)["scores"]
    inputs = [(str(nonmono_path), GOLD_SENTENCES), (str(nonmono_path), DOCUMENTS)]
    for name, setting in [*inputs, ("trees", GOLD_SENTENCES)]:
        own = [row for row in rows if (row["pipeline"], row["setting"]) == (name, setting)]
        assert len(own) == 54 and [row["word"] for row in own] == [str(i + 1) for i in range(54)]
        for column, score in (("right_head", "uas"), ("right_arc", "las")):
            values = [int(row[column]) for row in own if row[column]]
            assert sum(values) / len(values) == pytest.approx(scores[setting][score][name])
        no_punct = [int(row["right_head"]) for row in own if row["punct"] == "0"]
        expected = scores[setting]["uas_no_punct"][name]
        assert sum(no_punct) / len(no_punct) == pytest.approx(expected)
        for row in own:
            assert row["right_head"] == str(int(row["head"] == row["predicted_head"]))
            assert (row["confidence"] == "") == (name == "trees")
    last = rows[-2]  # "purrs"
    assert (last["sentence"], last["id"], last["upos"], last["head_upos"]) == ("12", "5", "VERB", "NOUN")
    assert (last["head"], last["distance"], last["crossing"]) == ("50", "3", "1")


def test_words_of_unknown_heads_and_labels_are_empty(tmp_path):
    gold = parses([(-1, "root"), (0, "_"), (0, "obj")])
    gold.heads_N[2], gold.labels_N[2] = UNKNOWN_HEAD, ""
    predicted = parses([(-1, "root"), (-1, "root"), (0, "obj")])
    sentences = make_sentences(gold, ["A", "", "C"])
    parsed = ParsedFile(gold, predicted, sentences, sentences, None, False, False)
    write_words(tmp_path / "words.csv", {("x", "y"): parsed})
    with (tmp_path / "words.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["right_head"] for row in rows] == ["1", "0", ""]
    assert [row["right_arc"] for row in rows] == ["1", "", ""]
    assert [row["head"] for row in rows] == ["0", "1", ""]
    assert [row["head_upos"] for row in rows] == ["root", "A", "none"]


def test_some_tables(nonmono, nonmono_path, treebank):
    options = ["--setting", "documents", "--by", "upos,crossing"]
    result = nonmono("evaluate", nonmono_path, treebank, *options)
    assert result.exit_code == 0, result.output
    shown = {title for title, *_ in TABLES.values() if re.search(f"^{title}$", result.output, re.M)}
    assert shown == {TABLES[name][0] for name in (UPOS, CROSSING, CROSSING_SENTENCES)}
    assert "Gold sentences" not in result.output


def test_errors(nonmono, nonmono_path, treebank, tmp_path, monkeypatch):
    monkeypatch.setattr("spacy_nonmono.installed.load_pipeline", None)  # these come before scoring
    saved = tmp_path / "scores.json"
    saved.write_text("{}")
    for arguments, other in (
        ([nonmono_path, treebank, "--setting", "raw"], "--setting raw"),
        ([nonmono_path, treebank, "--baseline"], "--baseline"),
        ([nonmono_path, "other", treebank], "more than one pipeline"),
        ([saved], "saved scores"),
        ([saved, nonmono_path, treebank], "saved scores"),
    ):
        result = nonmono("evaluate", *arguments, "--by", "label")
        assert result.exit_code == 1
        assert f"[NM181] --by does not go with {other}" in " ".join(result.output.split())
    result = nonmono("evaluate", saved, "--words", tmp_path / "words.csv")
    assert result.exit_code == 1 and "--words does not go with saved scores" in result.output
    for options, text in (
        (["--by", "label,lemma"], "'lemma' is not one of: label, upos"),
        (["--by", ""], "'' is not one of"),
        (["--page", tmp_path / "x.html"], "give --by, too"),
    ):
        result = nonmono("evaluate", nonmono_path, treebank, *options)
        assert result.exit_code == 2 and text in " ".join(result.output.split())


@pytest.fixture
def page():
    """Of two sentences: a wrong label, and a head in the other sentence."""
    gold = parses([(-1, "root"), (0, "<obj>")], [(1, "det"), (-1, "root"), (1, "_")])
    predicted = parses([(-1, "root"), (0, "iobj"), (3, "det"), (0, "conj"), (3, "obj")])
    parsed = ParsedFile(
        gold=gold,
        predicted=predicted,
        gold_sentences=make_sentences(gold, [""] * len(gold.heads_N)),
        sentences=[],
        words_per_second=1.0,
        gold_tags=False,
        merged=False,
    )
    breakdown, scores = {DOCUMENTS: break_down(parsed)}, {DOCUMENTS: parsed.scores()}
    return make_page(breakdown, scores, title="<Errors>")


def test_page(page):
    reader = read(page)
    assert "<title>&lt;Errors&gt;</title>" in page and "&lt;obj&gt;" in page and "<obj>" not in page
    assert "5 words, 2 sentences; UAS 80.00, LAS 50.00" in reader.text
    assert reader.tags.count("table") == len(TABLES)
    assert all(title in reader.text for title in CONFUSION_TITLES.values())
    # An example of the label, and two of the same wrong head
    assert reader.tags.count("details") == 3
    assert "s0: “w1”: <obj> of “w0”, predicted iobj of “w0”" in reader.text
    assert reader.text.count("s1: “w3”: ROOT, predicted conj of “w0”") == 2


def test_words_that_do_not_spell_their_token(nonmono, tmp_path):
    gold, page = tmp_path / "gold.conllu", tmp_path / "page.html"
    gold.write_text(FRENCH, encoding="utf-8")
    trees = tmp_path / "trees.conllu"
    trees.write_text(FRENCH.replace("\tcase\t", "\tdet\t"), encoding="utf-8")
    assert nonmono("evaluate", trees, gold, "--by", "label", "--page", page).exit_code == 0
    assert "Il parle de le temps." in re.sub("<[^>]*>", "", page.read_text("utf-8"))


def test_links_of_the_page(page):
    """Every word that is marked leads to its arc, if there is one."""
    links = re.findall('href="#(.*?)"', page)
    assert links and all(page.count(f'id="{link}"') == 1 for link in links)


def test_no_link_without_an_arc():
    tree, gold = Tree((-1, None), (None, None)), Tree((-1, 0), (None, "obj"))
    tokens = word_tokens(["a", "b"], [True, False])
    html = write_sentence(tokens, tree, find_errors(tree, gold), name="x")
    assert '<a class="wrong">b</a>' in html
