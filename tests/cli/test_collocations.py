"""The command that collects collocations."""

import pytest

from spacy_nonmono.lexical.collocation_file import read_collocations
from spacy_nonmono.treebank.reader import read_sentences


def test_writes_and_shows(nonmono, treebank, tmp_path):
    output = tmp_path / "new" / "pairs.tsv"
    result = nonmono("collocations", treebank, "--output", output, "--min-tag-count", 6)
    assert result.exit_code == 0, result.output
    assert "Pairs of words: 7" in result.output
    assert "barks" not in result.output and "dogs" in result.output
    found = read_collocations(output)
    assert found.words["bark", "dogs"].n_arcs == 6
    assert f"Pairs of tags: {len(found.tags)}" in result.output
    assert found.tags["DET", "NOUN"].n_arcs == 6


def test_settings(nonmono, treebank, tmp_path):
    output = tmp_path / "pairs.tsv"
    result = nonmono(
        "collocations", treebank.parent, "-o", output, "--min-word-count", 7, "--min-word-score", -9,
        "--min-tag-count", 1, "--min-tag-score", -9, "--prepositions", " NOUN,",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    found = read_collocations(output)
    assert found.words == {}
    # "a" hangs from "cat", which hangs from "sleeps"
    assert found.tags["DET", "VERB"].n_arcs == 6
    assert ("DET", "NOUN") not in found.tags
    # "dogs" has no dependents, so its arc stays
    assert found.tags["NOUN", "VERB"].n_arcs == 6


def test_a_tag_that_no_word_has(nonmono, treebank, tmp_path):
    result = nonmono("collocations", treebank, "-o", tmp_path / "pairs.tsv", "--prepositions", "NOUN,IN")
    assert result.exit_code == 1 and "NM180" in result.output and "IN" in result.output
    assert not (tmp_path / "pairs.tsv").exists()


@pytest.mark.parametrize("option", ["--min-word-count", "--min-tag-count"])
def test_bad_counts(nonmono, treebank, tmp_path, option):
    result = nonmono("collocations", treebank, "-o", tmp_path / "pairs.tsv", option, 0)
    assert result.exit_code == 2


def test_without_file(nonmono, tmp_path):
    result = nonmono("collocations", tmp_path / "gone.conllu", "-o", tmp_path / "pairs.tsv")
    assert result.exit_code == 1
    assert "gone.conllu" in result.output
    assert not (tmp_path / "pairs.tsv").exists()


def test_malformed_treebank_leaves_no_file(nonmono, tmp_path):
    path = tmp_path / "bad.conllu"
    path.write_text("1\ta\n\n", "utf-8")
    result = nonmono("collocations", path, "-o", tmp_path / "pairs.tsv")
    assert "NM081" in result.output
    assert [file.name for file in tmp_path.iterdir()] == ["bad.conllu"]


def test_pairs_of_raw_text(nonmono, nonmono_path, tmp_path):
    """`parse` writes files in a folder, which `collocations` reads."""
    text = tmp_path / "text.txt"
    text.write_text("dogs bark .\na cat sleeps .\n" * 40, "utf-8")
    trees, output = tmp_path / "trees", tmp_path / "pairs.tsv"
    result = nonmono("parse", nonmono_path, text, "--output", trees, "--shard-words", 100)
    assert result.exit_code == 0, result.output
    assert len(list(trees.glob("*.conllu"))) > 1
    result = nonmono("collocations", trees, "--output", output, "--min-word-score", -9)
    assert result.exit_code == 0, result.output
    found = read_collocations(output)
    # Every tree of n words has n - 1 arcs; that pipeline sets no parts of speech
    sentences = [sentence for path in trees.glob("*.conllu") for sentence in read_sentences(path)]
    n_arcs = sum(len(sentence.words) - 1 for sentence in sentences)
    assert sum(strength.n_arcs for strength in found.words.values()) == n_arcs
    assert found.tags == {}
