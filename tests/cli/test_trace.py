"""Derivations on a page, from the command line."""

import gzip
import re
from itertools import pairwise

import numpy
import pytest

from spacy_nonmono.pipeline.parser import NonmonoParser
from tests.lab.util import Derivation, Move


def shifts(self, docs):
    """Derivations without arcs, of the sentences that the parser finds: all arcs are attached later."""
    found = []
    for doc, parse in zip(docs, self.predict(docs), strict=True):
        starts = [*numpy.flatnonzero(parse.starts).tolist(), len(doc)]
        shift = Move("shift", 0, "", 0.25)
        found.append([Derivation(i, j - i, [shift] * (j - i)) for i, j in pairwise(starts)])
    return found


@pytest.fixture
def trace_page(monkeypatch, nonmono, nonmono_path, tmp_path):
    """Runs the command; returns the page."""
    monkeypatch.setattr(NonmonoParser, "derivations", shifts, raising=False)
    output = tmp_path / "new" / "trace.html"

    def run(*arguments):
        result = nonmono("trace", nonmono_path, *arguments, "--output", output)
        assert result.exit_code == 0, result.output
        assert str(output.name) in result.output
        return output.read_text("utf-8")

    return run


def test_conllu(trace_page, treebank):
    page = trace_page(treebank, "--limit", 4)
    assert page.startswith("<!DOCTYPE html>")
    assert page.count("<section>") == 4
    assert "Sentence 4</h2>" in page
    for text in ["purrs", "acl:relcl", "attach rest", ">Cost<", "0.25", "(oracle dynamic)"]:
        assert text in page


def test_one_sentence(trace_page, treebank):
    page = trace_page(treebank, "--sentence", 2)
    assert page.count("<section>") == 1
    assert "Sentence 2</h2>" in page
    assert "a cat sleeps that purrs ." in re.sub("<.*?>", "", page)


def test_only_arcs(trace_page, treebank):
    page = trace_page(treebank, "--sentence", 2, "--only-arcs")
    # Six times shift, of which those that have costs are left, and then all arcs
    assert "attach rest" in page
    rows = re.findall("<tr class.*?</tr>", page)
    assert all("costly" in row or "attach rest" in row for row in rows)
    assert f"Left out: {7 - len(rows)} step" in page


def test_folder_of_documents(trace_page, treebank):
    page = trace_page(treebank.parent, "--setting", "documents", "--limit", 1)
    assert page.count("<section>") == 1
    assert ">Cost<" in page


def test_text(trace_page, tmp_path):
    page = trace_page("Dogs <script> bark")
    assert "Dogs" in page and "&lt;" in page and "<script" not in page and ">Cost<" not in page
    path = tmp_path / "text.txt"
    path.write_text("Cats\nsleep.\n", encoding="utf-8")
    page = trace_page(path)
    assert "Cats" in page and "sleep" in page and "␣" not in page
    with gzip.open(tmp_path / "text.txt.gz", "wb") as file:
        file.write(b"\xef\xbb\xbfCats\nsleep.\n")
    assert trace_page(tmp_path / "text.txt.gz") == page
    # Longer than a file name may be
    assert 500 * "x" in trace_page("a " + 500 * "x")


def test_errors(monkeypatch, nonmono, nonmono_path, parser_path, treebank, tmp_path):
    monkeypatch.setattr(NonmonoParser, "derivations", shifts, raising=False)
    output = ["--output", tmp_path / "trace.html"]
    result = nonmono("trace", nonmono_path, tmp_path / "gone.conllu", *output)
    assert result.exit_code == 1
    assert "gone.conllu" in result.output
    result = nonmono("trace", nonmono_path, treebank, "--sentence", 13, *output)
    assert result.exit_code == 1
    assert "no sentence 13" in result.output
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9\n")
    assert "[NM083]" in nonmono("trace", nonmono_path, tmp_path / "latin.txt", *output).output
    (tmp_path / "empty.txt").write_text("\n", encoding="utf-8")
    result = nonmono("trace", nonmono_path, tmp_path / "empty.txt", *output)
    assert result.exit_code == 1
    result = nonmono("trace", parser_path, treebank, *output)
    assert "[NM110]" in result.output
    assert nonmono("trace", nonmono_path, treebank).exit_code == 2
    assert not (tmp_path / "trace.html").exists()
