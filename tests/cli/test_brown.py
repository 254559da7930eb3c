"""`python -m spacy nonmono brown`."""

import gzip

import pytest
import spacy

from spacy_nonmono.lexical.brown import train_brown
from spacy_nonmono.lexical.paths import PathsRow, read_paths

TEXT = "the cat sees a dog .\na dog hears the cat .\n\nthe dog sees the bird\nodd\n"


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def trained(n_clusters, min_count):
    result = train_brown([line.split() for line in TEXT.splitlines()], n_clusters, min_count)
    rows = map(PathsRow, result.bits, result.words, result.counts)
    return result, sorted(rows, key=lambda row: (row.bits, -row.frequency, row.word))


def test_command(nonmono, text, tmp_path):
    output = tmp_path / "new" / "paths"
    result = nonmono("brown", text, "--clusters", 3, "--min-count", 2, "--output", output)
    assert result.exit_code == 0, result.output
    clustering, rows = trained(3, 2)
    assert read_paths(output) == rows
    assert "6 word types (15 tokens), 3 clusters" in result.output
    assert f"{clustering.mutual_information:.5f} nats" in result.output
    assert list(output.parent.iterdir()) == [output]


def test_same_file_every_time(nonmono, text, tmp_path):
    zipped = tmp_path / "text.gz"
    zipped.write_bytes(gzip.compress(text.read_bytes()))
    for name, source in (("a", text), ("b", text), ("c", zipped)):
        assert nonmono("brown", source, "-c", 4, "-o", tmp_path / name).exit_code == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert (tmp_path / "a").read_bytes() == (tmp_path / "c").read_bytes()


def test_tokens_of_a_pipeline(nonmono, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("She doesn't sleep.\nHe doesn't.\n", encoding="utf-8")
    spacy.blank("en").to_disk(tmp_path / "nlp")
    output = tmp_path / "paths"
    result = nonmono("brown", text, "-c", 2, "-o", output, "--model", tmp_path / "nlp")
    assert result.exit_code == 0, result.output
    counts = {row.word: row.frequency for row in read_paths(output)}
    assert counts == {"She": 1, "He": 1, "does": 2, "n't": 2, "sleep": 1, ".": 2}


def test_texts_and_treebanks(nonmono, text, tmp_path):
    """Of the folder of a treebank its training part is read, of both kinds of files the words."""
    folder = tmp_path / "bank"
    folder.mkdir()
    line = "1\tfox\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    for part, n in (("train", 2), ("dev", 5), ("test", 7)):
        (folder / f"{part}.conllu").write_text(line * n, encoding="utf-8")
    one = tmp_path / "one.conllu"
    one.write_text(line, encoding="utf-8")
    output = tmp_path / "paths"
    result = nonmono("brown", text, folder, one, "-c", 3, "-o", output)
    assert result.exit_code == 0, result.output
    counts = {row.word: row.frequency for row in read_paths(output)}
    assert (counts["fox"], counts["dog"], counts["odd"]) == (3, 3, 1)
    assert "[NM181]" in nonmono("brown", folder, one, "-o", output, "--model", "any").output


@pytest.mark.parametrize(
    ("content", "options", "code"),
    [
        (b"", [], "NM141"),
        (b"\n \n", [], "NM141"),
        (b"a a a\na\n", [], "NM142"),
        (b"a b c\n", ["--clusters", 4], "NM142"),
        (b"a b c\n", ["--clusters", 1], "NM142"),
        (b"a b c\n", ["--min-count", 0], "NM147"),
        (b"a b\nc \xff\n", [], "NM083"),
    ],
)
def test_bad_input_leaves_no_file(nonmono, tmp_path, content, options, code):
    text = tmp_path / "text.txt"
    text.write_bytes(content)
    output = tmp_path / "out" / "paths"
    result = nonmono("brown", text, "--clusters", 2, *options, "--output", output)
    assert result.exit_code == 1
    assert code in result.output
    assert list(output.parent.iterdir()) == []


def test_no_text(nonmono, tmp_path):
    result = nonmono("brown", tmp_path / "gone.txt", "--output", tmp_path / "paths")
    assert result.exit_code == 1
    assert "gone.txt" in result.output


def test_output_is_a_folder(nonmono, text, tmp_path):
    result = nonmono("brown", text, "--output", tmp_path)
    assert result.exit_code == 1
    assert "folder" in result.output
