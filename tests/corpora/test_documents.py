"""Documents of files of every format."""

import gzip
import io
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
import spacy
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin

from spacy_nonmono.corpora import documents
from spacy_nonmono.corpora.documents import InputSettings, find_files, looks_wrapped, read_inputs
from spacy_nonmono.corpora.parsing import read_doc
from spacy_nonmono.treebank.docs import document_of
from spacy_nonmono.treebank.reader import read_sentences
from spacy_nonmono.treebank.sentences import sentence_text

TREE = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n"


def read(file: Path, **reading: Any) -> list[tuple[str, bytes]]:
    """The ids, behind the name of the file, and the data."""
    found = read_inputs(str(file), InputSettings(**reading))
    return [(document.id.removeprefix(str(file)), document.data) for document, _ in found]


def problems(file: Path, **reading: Any) -> list[str | None]:
    return [document.problem for document, _ in read_inputs(str(file), InputSettings(**reading))]


def test_documents_of_texts(tmp_path):
    file = tmp_path / "a.txt"
    file.write_bytes(b"\n one\ntwo \r\n\n\n three\n \nfour")
    assert read(file) == [(":2", b"one"), (":3", b"two"), (":6", b"three"), (":8", b"four")]
    paragraphs = [(":2", b"one\ntwo"), (":6", b"three"), (":8", b"four")]
    assert [
        (name, data.replace(b" ", b"").replace(b"\r", b""))
        for name, data in read(file, unit="paragraph")
    ] == paragraphs
    assert read(file, unit="file") == [("", file.read_bytes())]


def test_a_line_is_a_sentence(tmp_path):
    """Ten of them are a document, or what stands before an empty line."""
    file = tmp_path / "a.txt"
    file.write_text("one\ntwo\n\n" + "x\n" * 11)
    assert read(file, unit="sentence") == [
        (":1", b"one\ntwo"),
        (":4", b"\n".join([b"x"] * 10)),
        (":14", b"x"),
    ]
    assert all(one.has_sentences for one, _ in read_inputs(str(file), InputSettings(unit="sentence")))
    assert all(one.has_words for one, _ in read_inputs(str(file), InputSettings(has_words=True)))


def test_conllx(tmp_path):
    row = "1\tw\tl\tC\tT\t_\t0\tROOT\t_\t_\n\n"
    file = tmp_path / "a.conllx"
    file.write_text(row * 12 + row.replace("1\tw", "2\tw"))
    first, second = (one for one, _ in read_inputs(str(file), InputSettings()))
    doc = read_doc(spacy.blank("xx"), first, False)
    assert len(list(doc.sents)) == 10
    text = sentence_text(document_of(doc, "a/b").sentences[1])
    assert text == "# sent_id = a%2Fb-2\n# text = w\n1\tw\tl\t_\tT\t_\t_\t_\t_\t_\n\n"
    with pytest.raises(ValueError, match="line 25"):
        read_doc(spacy.blank("xx"), second, False)
    file.write_bytes(b"1\tw\tl\tC\tT\t_\t0\tROOT\t_\t_\n\n" * 11 + b"\xff\n")
    _, second = (one for one, _ in read_inputs(str(file), InputSettings()))
    with pytest.raises(ValueError, match="line 23"):
        read_doc(spacy.blank("xx"), second, False)


def test_lines_that_are_wrapped(tmp_path):
    file = tmp_path / "a.txt"
    long = "This line goes on and on until it is cut somewhere in the middle"
    for text, expected in ((long, True), (long + ".", False), (long[:20], False)):
        file.write_text(f"{text}\n" * 20)
        assert looks_wrapped(str(file), InputSettings()) is expected


@pytest.mark.parametrize("unit", ["line", "paragraph", "file"])
def test_a_byte_order_mark_is_no_part_of_a_text(tmp_path, unit):
    """Nor in the middle, where files were joined."""
    file = tmp_path / "a.txt"
    for text in ("\ufeffone", "one\n\ufefftwo\n\ufeff\u200d\ufeff"):
        file.write_text(text, "utf-8")
        found = read_inputs(str(file), InputSettings(unit=unit))
        docs = [read_doc(spacy.blank("xx"), document, False) for document, _ in found]
        expected = text.replace("\ufeff\u200d", "\u200d").replace("\ufefft", "t").replace("\ufeffo", "o")
        assert "\n".join(doc.text for doc in docs) == expected


def test_a_byte_order_mark_in_other_formats(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b'\xef\xbb\xbf{"text": "one"}\n')
    assert read(tmp_path / "a.jsonl") == [(":1", b"one")]
    (tmp_path / "a.conllu").write_bytes(b"\xef\xbb\xbf" + TREE.encode())
    assert read(tmp_path / "a.conllu") == [(":1", TREE.encode())]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
@pytest.mark.parametrize("suffix", [".txt", ".jsonl", ".conllu", ".conllx"])
def test_a_file_in_another_encoding(tmp_path, encoding, suffix):
    file = tmp_path / f"a{suffix}"
    file.write_text("one\ntwo\n", encoding)
    (problem,) = problems(file)
    assert f"a byte order mark of {encoding.upper()}" in str(problem)


@pytest.mark.parametrize("n_lines", [3, 20_000])
def test_packed_files(n_lines, tmp_path):
    lines = [f"line {i}" for i in range(n_lines)]
    text = "\n".join(lines).encode()
    (tmp_path / "a.txt").write_bytes(text)
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(text))
    # Two frames, as of a file that was appended to
    parts = text[:7], text[7:]
    (tmp_path / "c.txt.zst").write_bytes(b"".join(map(zstandard.compress, parts)))
    for file in map(Path, find_files([str(tmp_path)], InputSettings())):
        assert [data.decode() for _, data in read(file)] == lines
        positions = [position for _, position in read_inputs(str(file), InputSettings())]
        assert positions == sorted(positions)
        assert positions[-1] == file.stat().st_size


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"one\ntwo\n")))
    found = list(read_inputs("-", InputSettings(format="text")))
    assert [(document.id, document.data) for document, _ in found] == [("-:1", b"one"), ("-:2", b"two")]
    assert {position for _, position in found} == {0}


@pytest.mark.parametrize("unit", ["line", "paragraph", "file"])
def test_what_is_too_long_is_not_kept(unit, tmp_path, monkeypatch):
    monkeypatch.setattr(documents, "MAX_BYTES", 100_000)
    file = tmp_path / "a.txt"
    file.write_bytes(b"before\n\n" + b"x" * 300_000 + b"\n\nafter" * (unit != "file"))
    found = problems(file, unit=unit)
    assert [problem is None for problem in found] == [True, False, True] if unit != "file" else [False]
    assert "NM191" in next(filter(None, found))
    if unit != "file":
        assert [data for _, data in read(file, unit=unit)] == [b"before", b"", b"after"]


def test_nothing_behind_a_long_sentence_is_lost(tmp_path, monkeypatch):
    monkeypatch.setattr(documents, "MAX_BYTES", 50)
    file = tmp_path / "a.txt"
    file.write_text("x" * 60 + "\n" + "y\n" * 25)
    assert [name for name, _ in read(file, unit="sentence")] == [":1", ":11", ":21"]
    assert problems(file, unit="sentence")[1:] == [None, None]


def test_json_lines(tmp_path):
    file = tmp_path / "a.jsonl"
    rows: list[Any] = [{"text": "é", "name": 7}, {"text": "b"}, {"no": 1}, ["text"], {"text": 3}, "text"]
    rows.append({"text": "\ud83d"})
    file.write_text("".join(json.dumps(row) + "\n" for row in rows) + "{oops\n")
    found = read(file, id_field="name")
    assert found[:2] == [("7", "é".encode()), (":2", b"b")]
    assert problems(file)[:2] == [None, None]
    reasons = [
        "without 'text'",
        "without 'text'",
        "3 as 'text'",
        "without 'text'",
        "surrogate",
        "no JSON",
    ]
    deep = f'{{"text": "a", "x": {"[" * 200_000}{"]" * 200_000}}}\n{{"text": "b"}}\n'
    (tmp_path / "deep.jsonl").write_text(deep)
    assert "no JSON" in str(problems(tmp_path / "deep.jsonl")[0])
    assert read(tmp_path / "deep.jsonl")[1:] == [(":2", b"b")]
    for problem, reason in zip(problems(file)[2:], reasons, strict=True):
        assert reason in str(problem) and "text under 'text'" in str(problem)


def test_conllu(tmp_path):
    file = tmp_path / "a.conllu"
    marked = f"# newdoc id = x\n# c\n{TREE}{TREE}# newdoc\n{TREE}"
    file.write_text(marked)
    assert [name for name, _ in read(file)] == ["x", ":7"]
    file.write_text(f"{TREE.rstrip()}\n# newdoc id = y\n{TREE}")  # no empty line before it
    assert [name for name, _ in read(file)] == [":1", "y"]
    file.write_text(f"{TREE}# sent_id = 7\n# newdoc id = y\n{TREE}")
    assert [data.decode() for _, data in read(file)] == [TREE, f"# sent_id = 7\n# newdoc id = y\n{TREE}"]
    file.write_text(TREE * 23)
    assert [name for name, _ in read(file)] == [":1", ":21", ":41"]
    for text in (marked, TREE * 23, "\n\n" + TREE * 12 + "\n", TREE.rstrip("\n"), TREE * 10 + "\n \n"):
        file.write_text(text)
        assert b"".join(data for _, data in read(file)).decode() == text


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(0, 2), max_size=3), min_size=1, max_size=5), st.booleans())
def test_a_sentence_belongs_to_its_document(tmp_path_factory, documents, is_plus):
    """Also beside documents without words, and where comments or empty lines stand anywhere. A sentence
    is the number of lines that stand behind it."""
    columns = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC X:Y\n" * is_plus
    file = tmp_path_factory.mktemp("marks") / "a.conllu"
    expected, text = [], columns
    for number, sentences in enumerate(documents):
        words = [f"w{number}.{i}" for i in range(len(sentences))]
        expected.append((f"d{number}", words))
        text += f"# c\n# newdoc id = d{number}\n" + "# c\n" * (len(sentences) % 2)
        for word, behind in zip(words, sentences, strict=True):
            row = TREE.replace("a", word).replace("\n\n", "\tx" * is_plus + "\n\n")
            text += row + "\n" * behind
    file.write_text(text)
    nlp = spacy.blank("xx")
    found = []
    for document, _ in read_inputs(str(file), InputSettings()):
        is_empty = not any(line[:1].isdigit() for line in document.data.decode().splitlines())
        doc = [] if is_empty else read_doc(nlp, document, False)
        found.append((document.id, [token.text for token in doc]))
    assert found == expected


def test_columns_that_a_later_line_tells(tmp_path):
    """They hold for all that follows, as for those who read the file as a treebank."""
    file = tmp_path / "a.conllu"
    columns = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC X:Y"
    plus = TREE.replace("\n\n", "\tx\n\n")
    file.write_text(TREE * 10 + f"{columns}\n" + plus * 25)
    nlp = spacy.blank("xx")
    inputs = [one for one, _ in read_inputs(str(file), InputSettings())]
    assert sum(len(read_doc(nlp, one, False)) for one in inputs) == len(list(read_sentences(file))) == 35


def test_docs(tmp_path):
    nlp = spacy.blank("xx")
    DocBin(docs=[nlp("one two"), nlp("three")]).to_disk(tmp_path / "a.spacy")
    found = read(tmp_path / "a.spacy")
    assert [name for name, _ in found] == [":1", ":2"]
    assert [Doc(nlp.vocab).from_bytes(data).text for _, data in found] == ["one two", "three"]
    named = nlp("four")
    named.user_data["doc_id"] = "x"
    DocBin(docs=[named], store_user_data=True).to_disk(tmp_path / "c.spacy")
    assert [name for name, _ in read(tmp_path / "c.spacy")] == ["x"]
    (tmp_path / "b.spacy").write_bytes(b"none")
    assert re.search(r"\[NM196\].*b\.spacy", str(problems(tmp_path / "b.spacy")))


def test_parquet(tmp_path):
    table = pyarrow.table({"text": ["one", None, "three"], "key": [5, 6, 7]})
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    file = tmp_path / "a.parquet"
    assert read(file) == [(":1", b"one"), (":2", b""), (":3", b"three")]
    assert [name for name, _ in read(file, id_field="key")] == ["5", "6", "7"]
    numbers = pyarrow.table({"text": ["one", "two"], "key": [1.5, float("nan")]})
    pyarrow.parquet.write_table(numbers, tmp_path / "c.parquet")
    found = read_inputs(str(tmp_path / "c.parquet"), InputSettings(id_field="key"))
    assert [one.id for one, _ in found] == ["1.5", f"{tmp_path / 'c.parquet'}:2"]
    bytes_and_numbers = pyarrow.table({"text": [b"one", "é".encode()], "key": [5, 6]})
    pyarrow.parquet.write_table(bytes_and_numbers, tmp_path / "b.parquet")
    assert [data.decode() for _, data in read(tmp_path / "b.parquet")] == ["one", "é"]
    [first, _] = problems(tmp_path / "b.parquet", text_field="key")
    assert "found 5, expected a column of texts" in str(first)
    twice = pyarrow.table([["one"], ["two"]], names=["text", "text"])
    pyarrow.parquet.write_table(twice, tmp_path / "d.parquet")
    assert "NM197" in str(problems(tmp_path / "d.parquet")[0])
    [problem] = problems(file, text_field="body")
    assert re.search(r"NM197.*'body'.* text, key", str(problem))


@pytest.mark.parametrize("kind", ["string", "large_string", "categories"])
def test_a_text_of_parquet_that_is_not_in_utf8(tmp_path, kind):
    """It stops no other; nor does such a name."""
    values = pyarrow.array([b"one", b"\xe9t\xe9", b"three"])
    column = values.view("string") if kind != "large_string" else values.cast("large_binary").view(kind)
    if kind == "categories":
        column = column.dictionary_encode()
    pyarrow.parquet.write_table(pyarrow.table({"text": column, "key": column}), tmp_path / "a.parquet")
    assert read(tmp_path / "a.parquet", id_field="key") == [
        ("one", b"one"), ("\\xe9t\\xe9", b"\xe9t\xe9"), ("three", b"three")
    ]


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_parquet_that_is_packed_or_comes_from_standard_input(suffix, tmp_path, monkeypatch):
    file = tmp_path / "a.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"text": ["one", "two"]}), file)
    pack = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress}[suffix]
    packed = file.with_name(file.name + suffix)
    packed.write_bytes(pack(file.read_bytes()))
    (found,) = find_files([str(packed)], InputSettings())
    assert [data for _, data in read(Path(found))] == [b"one", b"two"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(packed.read_bytes())))
    inputs = list(read_inputs("-", InputSettings(format="parquet")))
    assert [(one.id, one.data, position) for one, position in inputs] == [
        ("-:1", b"one", 0),
        ("-:2", b"two", 0),
    ]


def test_standard_input_is_read_once():
    assert find_files(["-", "-"], InputSettings(format="text")) == ["-"]


def test_names_that_utf8_cannot_write(tmp_path):
    """What is told of their files can be written."""
    file = tmp_path / "a\udcff.parquet"
    pyarrow_file = tmp_path / "a.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"body": ["one"]}), pyarrow_file)
    pyarrow_file.rename(file)
    (problem,) = problems(file)
    assert "NM197" in str(problem) and str(problem).encode("utf-8")


def test_files_are_found(tmp_path):
    for name in ("b.txt", "a.jsonl.gz", "deep/c.conllu", "d.pdf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()

    def names(*inputs: str, **reading: Any) -> list[str]:
        found = find_files([str(tmp_path / one) for one in inputs], InputSettings(**reading))
        return [str(Path(file).relative_to(tmp_path)) for file in found]

    assert names("") == ["a.jsonl.gz", "b.txt", "deep/c.conllu"]
    assert names("*.txt", "deep") == ["b.txt", "deep/c.conllu"]
    assert names("", format="text") == ["a.jsonl.gz", "b.txt", "d.pdf", "deep/c.conllu"]
    with pytest.raises(FileNotFoundError, match=r"NM194.*e\.txt"):
        names("e.txt")
    with pytest.raises(FileNotFoundError, match="NM194"):
        names("long " * 80)
    with pytest.raises(ValueError, match=r"NM195.*d\.pdf"):
        names("d.pdf")
    with pytest.raises(ValueError, match="NM195"):
        find_files(["-"], InputSettings())


def test_files_of_a_folder(tmp_path):
    """What cannot be opened is among them, and told later; what a run writes there is not."""
    texts, others = tmp_path / "texts", tmp_path / "others"
    for name in ("texts/a.txt", "texts/deep/b.txt", "texts/out/part-0.conllu", "others/c.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text("one\n")
    (texts / ".nonmono-0123456789abcdef.tmp").touch()
    (texts / "gone.txt").symlink_to(tmp_path / "nowhere")
    (texts / "link").symlink_to(others)
    (others / "round").symlink_to(texts)
    os.mkfifo(texts / "pipe.txt")
    expected = ["a.txt", "deep/b.txt", "gone.txt", "link/c.txt"]
    for settings_ in (InputSettings(), InputSettings(format="text")):
        found = find_files([str(texts)], settings_, texts / "out")
        assert [str(Path(file).relative_to(texts)) for file in found] == expected
    assert "NM203" in str(problems(texts / "gone.txt"))
    # Also a run in the folder of its texts does not read itself, nor does a pattern
    deep = texts / "deep"
    (deep / "part-000000.conllu").touch()
    (deep / "_journal.jsonl").touch()
    assert find_files([str(deep)], InputSettings(), deep) == [str(deep / "b.txt")]
    assert find_files([str(deep / "[_b]*")], InputSettings()) == [str(deep / "b.txt")]
    with pytest.raises(FileNotFoundError, match=r"NM194.*pipe"):
        find_files([str(texts / "pipe.txt")], InputSettings())


def test_a_folder_that_cannot_be_opened(tmp_path, monkeypatch):
    def walk(folder, *, onerror, **_):
        onerror(PermissionError(13, "Permission denied", str(folder)))

    monkeypatch.setattr(os, "walk", walk)
    with pytest.raises(PermissionError, match=r"\[NM093\].*cannot be opened: Permission denied"):
        find_files([str(tmp_path)], InputSettings())
