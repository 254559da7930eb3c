"""`stats`: what is in a treebank, on the screen, in a file and on a page."""

import os

import pytest
import srsly

from spacy_nonmono.cli.stats import COUNTS
from tests.lab.util import read

from .conftest import CROSSING, PLAIN
from .test_debug_data import UNKNOWN


def test_screen_file_and_page(nonmono, tmp_path):
    folder = tmp_path / "trees"
    folder.mkdir()
    for number, text in enumerate([PLAIN * 2, CROSSING + UNKNOWN]):
        (folder / f"part-00000{number}.conllu").write_text(text, encoding="utf-8")
    saved, page = tmp_path / "stats.json", tmp_path / "stats.html"
    shown = nonmono("stats", folder, "--output", saved).output
    assert nonmono("stats", folder, "-o", page).exit_code == 0
    reader = read(page.read_text("utf-8"))
    assert reader.tags.count("table") == 3 and "script" not in reader.tags
    for label in COUNTS.values():
        assert label in shown and label in reader.text
    lines = [line.split() for line in shown.splitlines()]
    assert ["acl:relcl", "1", "7.69", "1", "100.00"] in lines and ["NOUN", "3", "20.00"] in lines
    found = srsly.read_json(saved)
    assert (found["n_sentences"], found["n_words"], found["n_types"]) == (4, 15, 11)
    assert found["n_labels"] == 5 and found["n_crossing"] == 1
    assert found["crossing_share"] == pytest.approx(1 / 14)
    assert found["labels"]["acl:relcl"] == {"arcs": 1, "crossing": 1}
    assert found["tags"]["VERB"] == 5
    assert found["mean_sentence"] == 3.75 and found["mean_depth"] == (1 + 1 + 3 + 1) / 4


def test_nothing_to_count(nonmono, tmp_path):
    empty = tmp_path / "empty.conllu"
    empty.write_text("")
    result = nonmono("stats", empty, "--output", tmp_path / "empty.html")
    assert result.exit_code == 0 and "Part of speech" not in result.output
    result = nonmono("stats", empty, "--output", tmp_path / "empty.txt")
    assert result.exit_code == 2 and "does not end in .json or .html" in " ".join(result.output.split())
    assert nonmono("stats", tmp_path / "missing.conllu").exit_code == 1


def test_a_name_that_is_not_utf8(nonmono, tmp_path):
    treebank = tmp_path / os.fsdecode(b"tr\xe9e.conllu")
    treebank.write_text(PLAIN, encoding="utf-8")
    for output in (tmp_path / "stats.html", tmp_path / "stats.json"):
        assert nonmono("stats", treebank, "--output", output).exit_code == 0
        assert output.read_text("utf-8")
    trees = tmp_path / "trees.html"
    assert nonmono("render", treebank, "--output", trees).exit_code == 0
    assert "tr\ufffde.conllu" in trees.read_text("utf-8")
