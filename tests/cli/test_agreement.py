"""`evaluate --agreement`: two annotators on the screen, in a file and on a page."""

import re

import pytest
import srsly

from spacy_nonmono.cli.annotators import TITLES
from tests.lab.util import read

from .conftest import CROSSING, PLAIN
from .test_debug_data import UNKNOWN


@pytest.fixture
def files(tmp_path):
    """Ben has another head and another label for a word each, and knows one head less."""
    anna, ben = tmp_path / "<anna>.conllu", tmp_path / "ben.conllu"
    text = PLAIN + CROSSING + UNKNOWN
    anna.write_text(text, encoding="utf-8")
    other = text.replace("2\tacl:relcl", "3\tacl:relcl").replace("\tdet\t", "\tamod\t")
    ben.write_text(other.replace("1\tdogs\t_\tNOUN\t_\t_\t2", "1\tdogs\t_\tNOUN\t_\t_\t_"), "utf-8")
    return anna, ben


def test_command(nonmono, files, tmp_path):
    saved, page = tmp_path / "agreement.json", tmp_path / "agreement.html"
    arguments = [*files, "--agreement", "--output", saved, "--page", page]
    result = nonmono("evaluate", *arguments)
    assert result.exit_code == 0, result.output
    reader = read(page.read_text("utf-8"))
    for title in (*TITLES.values(), "Kappa", "Heads and labels (LAS)", "<anna>", "ben"):
        assert title in result.output and title in reader.text
    for text in (result.output, reader.text):
        assert not re.search("gold|predicted|wrong|errs|right|taken for", text, re.IGNORECASE)
        assert "10 words have a head in both files. 2 have none" in " ".join(text.split())
    assert "in <anna> acl:relcl of “cat”, in ben acl:relcl of “sleeps”" in reader.text
    lines = [line.split() for line in result.output.splitlines()]
    # Of heads 9 of 10 agree; chance makes (3 * 3 + 1 * 1 + 4 * 4 + 2 * 1) / 100
    assert ["Heads", "(UAS)", "90.00", f"{(0.9 - 0.28) / (1 - 0.28):.3f}"] in lines
    assert ["acl:relcl", "1", "1", "0", "0.00"] in lines
    assert ["amod", "0", "1", "0", "0.00"] in lines and ["root", "3", "3", "3", "100.00"] in lines
    found = srsly.read_json(saved)
    assert found["files"] == list(map(str, files)) and found["n_no_label"] == 1
    assert found["heads"]["agreed"] == 0.9 and found["arcs"]["agreed"] == pytest.approx(7 / 9)


def test_errors(nonmono, files, nonmono_path, treebank):
    anna, ben = files
    for arguments in ([nonmono_path, ben], [anna, ben, treebank], [ben]):
        result = nonmono("evaluate", *arguments, "--agreement")
        assert result.exit_code == 2 and "expected two files of trees" in " ".join(result.output.split())
    result = nonmono("evaluate", anna, ben, "--agreement", "--by", "label")
    assert result.exit_code == 1 and "[NM181] --agreement does not go with --by" in result.output
    result = nonmono("evaluate", anna, treebank, "--agreement")
    assert result.exit_code == 1 and "[NM108]" in result.output
