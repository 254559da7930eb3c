"""The text file: read as it was written; what is wrong is named with file and line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono.files import write_text
from spacy_nonmono.lexical.collocation_file import (
    HEADER,
    collocations_text,
    parse_collocations,
    read_collocations,
)
from spacy_nonmono.lexical.collocations import Collocations, Strength, make_pair

GOOD = f"{HEADER}\nword\tdogs\tbark\t3\t2.5\ntag\tNOUN\tVERB\t10\t1.25\n"
keys = st.text(st.characters(exclude_characters="\t\r\n", exclude_categories=["Cs"]), min_size=1)
strengths = st.builds(
    Strength, st.integers(1), st.floats(allow_nan=False, allow_infinity=False)
)


def tables(keys):
    return st.dictionaries(st.builds(make_pair, keys, keys), strengths)


@given(tables(keys.map(str.lower)), tables(keys))
def test_text_and_back(words, tags):
    collocations = Collocations(words=words, tags=tags)
    again = parse_collocations(enumerate(collocations_text(collocations).split("\n")[:-1], 1), "made up")
    assert again == collocations
    assert list(again.words) == list(collocations.words)


def test_file_and_back(tmp_path):
    path = tmp_path / "pairs.tsv"
    collocations = Collocations(words={("bark", "dogs"): Strength(3, 2.5)})
    write_text(path, collocations_text(collocations))
    assert read_collocations(path) == collocations
    assert path.read_text("utf-8") == f"{HEADER}\nword\tbark\tdogs\t3\t2.5\n"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("text", [GOOD, GOOD.rstrip("\n"), GOOD.replace("\n", "\r\n"), "\ufeff" + GOOD])
def test_what_editors_make_of_it(tmp_path, text):
    path = tmp_path / "pairs.tsv"
    path.write_bytes(text.encode("utf-8"))
    assert read_collocations(path) == Collocations(
        words={("bark", "dogs"): Strength(3, 2.5)}, tags={("NOUN", "VERB"): Strength(10, 1.25)}
    )


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("word\tdogs\tsleep\t3", "4 columns"),
        ("", "1 column"),
        ("lemma\tdog\tsleep\t3\t2.5", "'lemma'"),
        ("word\t\tsleep\t3\t2.5", "empty column"),
        ("word\tDogs\tsleep\t3\t2.5", "lower case"),
        ("word\tdogs\tsleep\t0\t2.5", "'0'"),
        ("word\tdogs\tsleep\t2.5\t2.5", "'2.5'"),
        ("word\tdogs\tsleep\t3\thigh", "'high'"),
        ("word\tdogs\tsleep\t3\tinf", "'inf'"),
        ("word\tbark\tdogs\t3\t2.5", "second time"),
        ("tag\tNOUN\tVERB\t10\t1.25", "second time"),
    ],
)
def test_malformed_lines(tmp_path, line, text):
    path = tmp_path / "pairs.tsv"
    path.write_text(f"{GOOD}{line}\ntag\tDET\tNOUN\t10\t1.0\n", "utf-8")
    with pytest.raises(ValueError, match=f"NM143.*pairs.tsv, line 4.*{text}"):
        read_collocations(path)


@pytest.mark.parametrize("text", ["", "\n", GOOD.partition("\n")[2]])
def test_without_header(tmp_path, text):
    path = tmp_path / "pairs.tsv"
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=r"NM143.*pairs\.tsv, line 1.*names of the columns"):
        read_collocations(path)


def test_not_utf8(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_bytes(GOOD.encode("utf-8") + "word\tcafé\tdrink\t3\t2.5\n".encode("latin-1"))
    with pytest.raises(ValueError, match=r"NM083.*pairs\.tsv, line 4.*0xe9 at column 9"):
        read_collocations(path)


def test_no_file(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"NM148.*gone\.tsv"):
        read_collocations(tmp_path / "gone.tsv")


def test_nothing_half_written(tmp_path, monkeypatch):
    path = tmp_path / "pairs.tsv"
    path.write_text(GOOD, "utf-8")

    def fail(self, target):
        raise OSError("disk full")

    monkeypatch.setattr("pathlib.Path.replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_text(path, collocations_text(Collocations()))
    assert path.read_text("utf-8") == GOOD
    assert list(tmp_path.iterdir()) == [path]
