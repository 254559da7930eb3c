"""The `paths` format and the texts that clusters are trained on."""

import gzip
import io

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono.files import decode_lines, write_text
from spacy_nonmono.lexical.brown import train_brown
from spacy_nonmono.lexical.paths import PathsRow, parse_paths, paths_text, read_paths
from spacy_nonmono.lexical.text import read_plain_words, tokenize_lines

# As the C++ tool writes them: by bit string, not by word
TOOL = "0\tthe\t70864\n0\ta\t29024\n100\tcat\t7\n101\tdog\t5\n11\tsees\t12\n"
WORD = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r"), min_size=1, max_size=5
)


def test_reads_what_the_tool_writes(tmp_path):
    path = tmp_path / "paths"
    path.write_text(TOOL, encoding="utf-8")
    rows = read_paths(path)
    assert rows[0] == PathsRow("0", "the", 70864)
    assert [row.word for row in rows] == ["the", "a", "cat", "dog", "sees"]
    write_text(tmp_path / "again", paths_text(rows))
    assert (tmp_path / "again").read_text("utf-8") == TOOL


def test_reads_compressed_files_and_windows_lines(tmp_path):
    path = tmp_path / "paths.gz"
    path.write_bytes(gzip.compress(TOOL.replace("\n", "\r\n").encode()))
    assert paths_text(read_paths(path)) == TOOL


@given(st.dictionaries(WORD, st.tuples(st.text("01", min_size=1), st.integers(0, 10**12))))
def test_round_trip(table):
    rows = [PathsRow(bits, word, count) for word, (bits, count) in table.items()]
    lines = io.BytesIO(paths_text(rows).encode("utf-8"))
    assert sorted(parse_paths(decode_lines(lines, "x"), "x")) == sorted(rows)


def test_training_result_as_a_file(tmp_path):
    result = train_brown([["a", "b", "c", "a", "b"], ["c", "b", "d"]], 3)
    path = tmp_path / "paths"
    write_text(path, paths_text(result.rows()))
    rows = read_paths(path)
    assert {row.word: row.bits for row in rows} == dict(
        zip(result.words, result.bits, strict=True)
    )
    assert {row.word: row.frequency for row in rows} == {"a": 2, "b": 3, "c": 2, "d": 1}
    assert [row.bits for row in rows] == sorted(result.bits)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("", "1 column in ''"),
        ("01 word 3", "1 column in '01 word 3'"),
        ("01\tword", "2 columns"),
        ("01\tword\t3\t4", "4 columns"),
        ("012\tword\t3", "bit string '012'"),
        ("\tword\t3", "bit string ''"),
        ("01\t\t3", "an empty word"),
        ("01\tword\t3.5", "count '3.5'"),
        ("01\tword\t-3", "count '-3'"),
        ("01\tword\t", "count ''"),
        ("01\tword\t²", "count '²'"),
    ],
)
def test_malformed_line(tmp_path, line, found):
    path = tmp_path / "bad"
    path.write_text(f"0\tthe\t3\n{line}\n1\ta\t2\n", encoding="utf-8")
    with pytest.raises(ValueError, match="NM143") as error:
        read_paths(path)
    assert f"{path}, line 2: " in str(error.value)
    assert found in str(error.value)
    assert "Expected" in str(error.value)


def test_word_in_two_lines(tmp_path):
    path = tmp_path / "bad"
    path.write_text("0\tthe\t3\n10\ta\t2\n11\tthe\t1\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"NM143.*line 3.*'the'.*once"):
        read_paths(path)


def test_empty_file(tmp_path):
    path = tmp_path / "empty"
    path.touch()
    with pytest.raises(ValueError, match=r"NM143.*empty, line 1: found the end of the file"):
        read_paths(path)


def test_no_file(tmp_path):
    for path in (tmp_path / "gone", tmp_path):
        with pytest.raises(FileNotFoundError, match="NM148"):
            read_paths(path)
        with pytest.raises(FileNotFoundError, match="NM148"):
            list(read_plain_words(path))


@pytest.mark.parametrize("read", [read_paths, lambda path: list(read_plain_words(path))])
def test_not_utf8(tmp_path, read):
    path = tmp_path / "latin"
    path.write_bytes(b"0\tthe\t3\n10\tcaf\xe9\t3\n")
    with pytest.raises(ValueError, match=r"NM083.*latin, line 2.*UTF-8.*byte 0xe9 at column 7"):
        read(path)


def test_damaged_archive(tmp_path):
    path = tmp_path / "text.gz"
    whole = gzip.compress(b"the cat\nsees me\n" * 1000)
    for data in (whole[:40], whole[:20] + b"\0\0\0\0" + whole[24:], whole[:-4] + b"oops"):
        path.write_bytes(data)
        with pytest.raises(ValueError, match=r"NM140.*text.gz, line \d+ .* archive is damaged"):
            list(read_plain_words(path))


def test_failure_leaves_the_old_file(tmp_path):
    path = tmp_path / "paths"
    path.write_text(TOOL, encoding="utf-8")
    for word in ("a\tb", "a\nb", "a\r"):
        with pytest.raises(ValueError, match="NM149"):
            write_text(path, paths_text([PathsRow("0", "the", 1), PathsRow("1", word, 1)]))
    with pytest.raises(UnicodeEncodeError):
        write_text(path, paths_text([PathsRow("0", "\ud800", 1)]))
    assert path.read_text("utf-8") == TOOL
    assert list(tmp_path.iterdir()) == [path]


def test_sentences(tmp_path):
    path = tmp_path / "text"
    # A space of Unicode and one of its line breaks are parts of words
    text = "\ufeffThe cat  \t sees .\r\n\r\n  \n10\u00a0000 dogs\u2028run\nno end"
    path.write_bytes(text.encode("utf-8"))
    expected = [
        ["The", "cat", "sees", "."], [], [], ["10\u00a0000", "dogs\u2028run"], ["no", "end"]
    ]
    assert list(read_plain_words(path)) == expected
    zipped = tmp_path / "without-suffix"
    zipped.write_bytes(gzip.compress(path.read_bytes()))
    assert list(read_plain_words(zipped)) == expected


def test_tokenizer(tmp_path):
    path = tmp_path / "text"
    path.write_text("She doesn't, does   she?\n\n \nYes.\n", encoding="utf-8")
    assert list(tokenize_lines(path, spacy.blank("en").make_doc)) == [
        ["She", "does", "n't", ",", "does", "she", "?"], [], [], ["Yes", "."]
    ]
