"""The inputs of a run: documents that are to be parsed, from files of several formats, packed or not.

What is in an input stays bytes here: one that cannot be read must not stop the others, so it is decoded
where it is parsed. A file that is damaged gives what stands in front of the damage, and then an input
that tells the problem.
"""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from glob import glob
from io import BytesIO
from itertools import islice, repeat
from pathlib import Path
from typing import Any

from spacy.vocab import Vocab

from ..errors import Errors, is_coded
from ..files import is_unfinished, other_encoding, printable, unmarked, unpacked
from ..installed import import_extra
from ..treebank import formats
from ..treebank.conllu import MARKS, Numbered, blocks, is_newdoc, n_columns_of, newdoc_name
from ..treebank.docs import AS_IN_FILE, DOC_ID
from ..treebank.formats import CONLLU, CONLLX, SPACY
from ..treebank.reader import docs_of_bin
from ..treebank.sentences import N_COLUMNS, groups

DOCUMENT_FORMATS = ("text", "jsonl", CONLLU, CONLLX, SPACY, "parquet")
TEXT, JSONL, _, _, _, PARQUET = DOCUMENT_FORMATS
SUFFIXES = {**formats.SUFFIXES, TEXT: ".txt", JSONL: ".jsonl", PARQUET: ".parquet"}
LINE, PARAGRAPH, FILE, SENTENCE = TEXT_UNITS = ("line", "paragraph", "file", "sentence")
STDIN = "-"
# What a run tells of itself beside its output. pandas and others take no such file for a part of a table
MANIFEST = "_manifest.json"
JOURNAL = "_journal.jsonl"
FAILED = "_errors.jsonl"
RECORDS = (MANIFEST, JOURNAL, FAILED)

# A longer document is not read to its end: no pipeline takes it.
MAX_BYTES = 2**26
# Sentences that are a document, where the file marks none
SENTENCES_PER_DOCUMENT = 10
# Lines of a text that are looked at, and the shortest that say something
N_SAMPLED, LONG = 200, 40
N_SHOWN = 40  # characters of a value in an error


@dataclass(frozen=True)
class Input:
    """One document as it is in its file.

    id: what the file itself calls it, or the file and the line. format: TEXT, CONLLU, CONLLX or SPACY.
    data: the text in UTF-8, the lines of sentences, or the bytes of a Doc. file, line: where the lines
    begin. problem: why it cannot be parsed, if that is known. has_sentences: whether a line of a text is
    a sentence. has_words: whether blanks stand between the words of a text, and only there.
    """

    id: str
    format: str
    data: bytes
    file: str = ""
    line: int = 1
    problem: str | None = None
    has_sentences: bool = False
    has_words: bool = False

    @property
    def n_words(self) -> int:
        """About how many words it has; for CoNLL-U how many lines."""
        n_lines = self.data.count(b"\n") + 1
        if self.format in (CONLLU, CONLLX):
            return n_lines
        # Some languages have no spaces
        return max(self.data.count(b" ") + n_lines, len(self.data) // 8)

    @property
    def has_name(self) -> bool:
        """Whether `# newdoc` is written above it whatever stands in front of it."""
        if self.format == SPACY and AS_IN_FILE.encode() in self.data:
            return b"newdoc" in self.data
        lines = self.data.split(b"\n") if b"newdoc" in self.data else []
        return self.format not in (CONLLU, CONLLX) or any(map(is_newdoc, lines))


@dataclass(frozen=True)
class InputSettings:
    """How files are read.

    format: of DOCUMENT_FORMATS; None: by the suffix of each file. unit: what a document of a text is, of
    TEXT_UNITS; where it is a SENTENCE, lines up to an empty one, or ten. has_words: as for a Document.
    text_field, id_field: the fields of JSONL or the columns of Parquet that have the text and, if any,
    the name of a document.
    """

    format: str | None = None
    unit: str = LINE
    text_field: str = "text"
    id_field: str | None = None
    has_words: bool = False


def find_files(
    inputs: Iterable[str], reading: InputSettings, output: Path | None = None
) -> list[str]:
    """Return the files of inputs: files, folders, patterns such as `texts/*.gz`, or `-` for standard
    input. Of a folder, those whose suffix tells a format, in the order of their names; not what a run
    tells of itself.

    output: the folder of a run, none of whose files is an input.

    Raises FileNotFoundError (NM194) if there is none, ValueError (NM195) if the format of a file is
    unknown, OSError (NM093) for a folder that cannot be opened.
    """
    found: list[str] = []
    for one in inputs:
        if one == STDIN and one in found:
            continue  # it can be read once
        if one == STDIN:
            files = [one]
        elif os.path.isdir(one):
            inside = sorted(_files_below(Path(one), output))
            files = [str(file) for file in inside if reading.format or formats.format_of(file, SUFFIXES)]
        else:
            matching = [one] if os.path.isfile(one) else sorted(filter(_is_input, glob(one)))
            files = [file for file in matching if Path(file).is_file()]
        if not files:
            raise FileNotFoundError(Errors.NM194.format(found=one))
        found += files
    for file in found:
        input_format(file, reading)
    return found


def _files_below(folder: Path, output: Path | None) -> Iterator[Path]:
    """Yield the files of a folder and of all folders in it, also behind links; files that cannot be
    opened, too, which a run tells."""

    def refuse(error: OSError) -> None:
        raise type(error)(Errors.NM093.format(path=error.filename, reason=error.strerror)) from error

    own = None if output is None else os.path.realpath(output)
    seen = {own} - {os.path.realpath(folder)}
    for root, folders, names in os.walk(folder, onerror=refuse, followlinks=True):
        real = os.path.realpath(root)
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        parts = ("part-",) if real == own else ()
        files = (Path(root, name) for name in filter(_is_input, names) if not name.startswith(parts))
        yield from (file for file in files if file.is_file() or not file.exists())


def _is_input(file: str) -> bool:
    """Return whether a file is not what a run tells of itself."""
    name = os.path.basename(file)
    return name not in RECORDS and not is_unfinished(name)


def input_format(file: str, reading: InputSettings) -> str:
    """Raises ValueError (NM195) if neither the suffix nor the settings tell."""
    format = reading.format or formats.format_of(Path(file), SUFFIXES)
    if format is None:
        raise ValueError(Errors.NM195.format(found=file, known=", ".join(DOCUMENT_FORMATS)))
    return format


def read_inputs(file: str, reading: InputSettings) -> Iterator[tuple[Input, int]]:
    """Yield the documents of a file, and behind each how many bytes of the file have been read, packed
    as they are (0 for standard input)."""
    format = input_format(file, reading)
    read = _read_parquet if format == PARQUET else _read_stream
    position = 0
    try:
        for found, position in read(file, reading):
            yield replace(found, has_words=reading.has_words), position
    except Exception as error:  # of the file: each format and way of packing has errors of its own
        told = str(error)
        if not is_coded(told):
            reason = getattr(error, "strerror", None) or told or type(error).__name__
            told = Errors.NM203.format(path=printable(file), reason=reason)
        yield Input(printable(file), TEXT, b"", problem=told), max(position, size_of(file))


def size_of(file: str) -> int:
    """Return the size of a file in bytes: 0 for standard input, and for a file that has vanished."""
    try:
        return 0 if file == STDIN else Path(file).stat().st_size
    except OSError:
        return 0


def _read_stream(file: str, reading: InputSettings) -> Iterator[tuple[Input, int]]:
    raw = sys.stdin.buffer if file == STDIN else open(file, "rb")  # noqa: SIM115
    with raw, unpacked(file, raw) as stream:
        if found := other_encoding(stream.peek(4)):
            raise ValueError(Errors.NM191.format(found=found, expected="text in UTF-8"))
        for one in READERS[input_format(file, reading)](printable(file), stream, reading):
            yield one, 0 if file == STDIN else raw.tell()


def _lines(stream: Any) -> Iterator[bytes]:
    """Yield the lines of a stream with their ends, without byte order marks in front. What is longer
    than MAX_BYTES is cut."""
    pieces: list[bytes] = []  # of a line that has not ended
    size = 0
    skipping = False
    # One read at a time: of a damaged archive all that can be had comes before the error
    while chunk := stream.read1(2**16):
        *ends, last = chunk.split(b"\n")
        for end in ends:
            if not skipping:
                yield unmarked(b"".join([*pieces, end, b"\n"]))
            pieces, size, skipping = [], 0, False
        if skipping:
            continue
        pieces.append(last)
        size += len(last)
        if size > MAX_BYTES:
            yield unmarked(b"".join([*pieces, b"\n"]))
            pieces, size, skipping = [], 0, True
    if size:
        yield unmarked(b"".join(pieces))


def _checked(document: Input) -> Input:
    if len(document.data) <= MAX_BYTES:
        return document
    found, expected = f"more than {MAX_BYTES:,} bytes", f"{MAX_BYTES:,} or less"
    problem = Errors.NM191.format(found=found, expected=expected)
    return replace(document, data=b"", problem=problem)


def _read_text(file: str, stream: Any, reading: InputSettings) -> Iterator[Input]:
    if reading.unit == FILE:
        data = stream.read(MAX_BYTES + 1)
        yield _checked(Input(file, TEXT, data))
        return
    has_sentences = reading.unit == SENTENCE
    most = SENTENCES_PER_DOCUMENT if has_sentences else MAX_BYTES
    parts = _each_line(stream) if reading.unit == LINE else _each_paragraph(stream, most)
    for number, data in parts:
        yield _checked(Input(f"{file}:{number}", TEXT, data, has_sentences=has_sentences))


def _each_line(stream: Any) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(_lines(stream), start=1):
        if text := line.strip():
            yield number, text


def _each_paragraph(stream: Any, most: int) -> Iterator[tuple[int, bytes]]:
    """Lines between empty ones, `most` at most, with the number of the first."""
    lines: list[bytes] = []
    first = n_lines = size = 0
    for number, line in enumerate(_lines(stream), start=1):
        if lines and (n_lines == most or not line.strip()):
            yield first, b"".join(lines).strip()
            lines, n_lines, size = [], 0, 0
        if line.strip():
            first = first if lines else number
            if size <= MAX_BYTES:  # of a longer one no more is kept
                lines.append(line)
            n_lines += 1
            size += len(line)
    if lines:
        yield first, b"".join(lines).strip()


def _read_jsonl(file: str, stream: Any, reading: InputSettings) -> Iterator[Input]:
    for number, line in _each_line(stream):
        one = _checked(Input(f"{file}:{number}", TEXT, line))
        yield one if one.problem else _read_object(one.id, line, reading)


def _read_object(name: str, line: bytes, reading: InputSettings) -> Input:
    field = reading.text_field
    try:
        value = json.loads(line)
        if not isinstance(value, dict) or field not in value:
            found = f"JSON without {field!r}"
        else:
            name, text = name_of(value.get(reading.id_field), name), value[field]
            if isinstance(text, str):
                return Input(name, TEXT, text.encode("utf-8"))
            found = f"{json.dumps(text)[:N_SHOWN]} as {field!r}"
    except UnicodeEncodeError:
        found = f"half of a surrogate pair in {field!r}"
    except (ValueError, RecursionError) as error:
        found = f"no JSON ({error})"
    expected = f"an object of JSON with a text under {field!r}"
    return Input(name, TEXT, b"", problem=Errors.NM191.format(found=found, expected=expected))


def _read_conllu(file: str, stream: Any, reading: InputSettings) -> Iterator[Input]:
    """Yield the documents of CoNLL-U. One begins at `# newdoc`; where the file
    marks none, ten sentences are one."""
    lines: list[bytes] = []
    first = n_sentences = 0
    is_marked = False
    name: str | None = None
    # Of CoNLL-U Plus: what tells the columns; every document needs it
    columns: list[bytes] = []
    header: list[bytes] = []

    def input() -> Input:
        data, line = b"".join([*header, *lines]), first - len(header)
        return _checked(Input(name_of(name, f"{file}:{first}"), CONLLU, data, file=file, line=line))

    try:
        for part, mark in _parts(blocks(enumerate(_lines(stream), start=1))):
            is_marked |= mark is not None
            is_full = n_sentences == SENTENCES_PER_DOCUMENT and not is_marked
            if lines and (mark is not None or is_full):
                yield input()
                lines, n_sentences, name = [], 0, None
            found = [line for _, line in part if n_columns_of(line)]
            if not lines:
                first, header = part[0][0], [] if found else columns
            if found:
                columns = [found[-1]] if (n_columns_of(found[-1]) or 0) > N_COLUMNS else []
            if mark is not None:
                name = newdoc_name(mark)
            lines += [line for _, line in part]
            n_sentences += 1
    except Exception:
        if n_sentences == SENTENCES_PER_DOCUMENT and not is_marked:
            yield input()
        raise
    if lines:
        yield input()


def _parts(sentences: Iterable[Numbered[bytes]]) -> Iterator[tuple[Numbered[bytes], bytes | None]]:
    """Yield sentences with the mark of the document that begins with them, if one does. One mark behind
    another is of a document without words."""
    for block in sentences:
        marks = [i for i, (_, line) in enumerate(block) if line.startswith(b"#") and is_newdoc(line)]
        ends = [*marks, len(block)]
        # What stands in front of the first mark belongs to its document, unless it has words
        if not marks or any(line[:1] not in MARKS for _, line in block[: marks[0]]):
            yield block[: ends[0]], None
        else:
            marks[0] = 0
        for start, end, at in zip(marks, ends[1:], ends, strict=False):
            yield block[start:end], block[at][1]


def _read_conllx(file: str, stream: Any, reading: InputSettings) -> Iterator[Input]:
    """Ten sentences."""
    for group in groups(blocks(enumerate(_lines(stream), start=1)), SENTENCES_PER_DOCUMENT):
        first = group[0][0][0]
        data = b"".join(line for block in group for _, line in block)
        yield _checked(Input(f"{file}:{first}", CONLLX, data, file=file, line=first))


def looks_wrapped(file: str, reading: InputSettings) -> bool:
    """Return whether most long lines of a text end with a letter, a digit or a comma, not as sentences
    do: then a line is hardly a document."""
    sample = islice(read_inputs(file, reading), N_SAMPLED)
    lines = [document.data.decode("utf-8", "replace") for document, _ in sample]
    lines = [line for line in lines if len(line) >= LONG]
    n_open = sum(line[-1].isalnum() or line[-1] in ",-" for line in lines)
    return len(lines) >= 10 and n_open > len(lines) / 2


def _read_spacy(file: str, stream: Any, reading: InputSettings) -> Iterator[Input]:
    for number, doc in enumerate(docs_of_bin(stream, file, Vocab()), start=1):
        yield Input(name_of(doc.user_data.get(DOC_ID), f"{file}:{number}"), SPACY, doc.to_bytes())


def _read_parquet(file: str, reading: InputSettings) -> Iterator[tuple[Input, int]]:
    parquet = import_extra("pyarrow.parquet")
    size = size_of(file)
    # By itself it opens no file whose name is not UTF-8, and it begins at the end of a file
    raw = sys.stdin.buffer if file == STDIN else open(file, "rb")  # noqa: SIM115
    with raw, unpacked(file, raw) as stream:
        whole = stream if stream is raw and file != STDIN else BytesIO(stream.read())
        for number, (name, text, n_rows) in enumerate(_rows(parquet, whole, file, reading), start=1):
            id = name_of(name, f"{printable(file)}:{number}")
            yield _text_input(id, text), size * number // n_rows


def _rows(
    parquet: Any, stream: Any, file: str, reading: InputSettings
) -> Iterator[tuple[Any, Any, int]]:
    """Yield name and text of each row, and the number of rows."""
    columns = [reading.text_field, *([reading.id_field] if reading.id_field else [])]
    with parquet.ParquetFile(stream) as table:
        known = table.schema_arrow.names
        for name in columns:
            if known.count(name) != 1:
                path = printable(file)
                raise ValueError(Errors.NM197.format(path=path, found=name, known=", ".join(known)))
        for batch in table.iter_batches(batch_size=256, columns=columns):
            texts = column_values(batch.column(reading.text_field))
            names = column_values(batch.column(reading.id_field)) if reading.id_field else repeat(None)
            for name, text in zip(names, texts, strict=False):
                yield name, text, table.metadata.num_rows


def column_values(column: Any) -> list[Any]:
    """Return what is in a column of Arrow; of a text the bytes, which may not be in UTF-8."""
    arrow = import_extra("pyarrow")
    if arrow.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if arrow.types.is_string(column.type) or arrow.types.is_large_string(column.type):
        column = column.cast("large_binary")
    return [value.encode() if isinstance(value, str) else value for value in column.to_pylist()]


def _text_input(id: str, text: Any) -> Input:
    """text: of a column, or nothing."""
    if not isinstance(text, bytes | None):
        found, expected = f"{text!r:.{N_SHOWN}}", "a column of texts"
        return Input(id, TEXT, b"", problem=Errors.NM191.format(found=found, expected=expected))
    return _checked(Input(id, TEXT, text or b""))


def name_of(name: Any, default: str) -> str:
    """Return a name of a document, unless there is nothing to be seen of it."""
    if isinstance(name, bytes):
        name = name.decode("utf-8", "backslashreplace")
    is_missing = name is None or name != name  # NaN
    return default if is_missing or not str(name).strip() else printable(str(name))


READERS: dict[str, Callable[[str, Any, InputSettings], Iterator[Input]]] = {
    TEXT: _read_text,
    JSONL: _read_jsonl,
    CONLLU: _read_conllu,
    CONLLX: _read_conllx,
    SPACY: _read_spacy,
}
