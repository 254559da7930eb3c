"""The documents of a corpus, read one by one from files of several formats, packed or not.

What is in a document stays bytes here: a document that cannot be read must not stop the others, so it is
decoded where it is parsed.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from glob import glob
from itertools import islice
from pathlib import Path
from typing import Any

from ..errors import Errors
from ..extras import import_extra
from ..files import PACKED, decode_lines, other_encoding, unmarked, unpacked
from ..treebank.conllx import conllu_lines
from ..treebank.sentences import FORM, sentence_lines
from ..treebank.writer import id_of

DOCUMENT_FORMATS = ("text", "jsonl", "conllu", "conllx", "spacy", "parquet")
TEXT, JSONL, CONLLU, CONLLX, SPACY, PARQUET = DOCUMENT_FORMATS
FORMAT_OF_SUFFIX = {
    ".txt": TEXT,
    ".jsonl": JSONL,
    ".conllu": CONLLU,
    ".conllx": CONLLX,
    ".spacy": SPACY,
    ".parquet": PARQUET,
}
LINE, PARAGRAPH, FILE, SENTENCE = TEXT_UNITS = ("line", "paragraph", "file", "sentence")
STDIN = "-"
NEWDOC = b"# newdoc"
# Where a Doc has the name of its document, in its user data
DOC_ID = "doc_id"

# A longer document is not read to its end: no pipeline takes it.
MAX_BYTES = 2**26
# Sentences that are a document, where the file marks none
SENTENCES_PER_DOCUMENT = 10
# Lines of a text that are looked at, and the shortest that say something
N_SAMPLED, LONG = 200, 40
N_SHOWN = 40  # characters of a value in an error


@dataclass(frozen=True)
class Document:
    """One document as it is in its file.

    id: what the file itself calls it, or the file and the line. format: TEXT, CONLLU or SPACY. data: the
    text in UTF-8, the lines of CoNLL-U, or the bytes of a Doc. file, line: where CoNLL-U begins.
    problem: why it cannot be parsed, if that is known. has_sentences: whether a line of a text is a
    sentence. has_words: whether blanks stand between the words of a text, and only there.
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
        if self.format == CONLLU:
            return n_lines
        # Some languages have no spaces
        return max(self.data.count(b" ") + n_lines, len(self.data) // 8)


@dataclass(frozen=True)
class Reading:
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


def find_files(inputs: Iterable[str], reading: Reading) -> list[str]:
    """The files of inputs: files, folders, patterns such as `texts/*.gz`, or `-` for standard input.
    Of a folder, those whose suffix tells a format, in the order of their names.

    Raises FileNotFoundError (NM194) if there is none, ValueError (NM195) if the format of a file is
    unknown.
    """
    found: list[str] = []
    for one in inputs:
        path = Path(one)
        if one == STDIN:
            files = [one]
        elif path.is_dir():
            inside = sorted(file for file in path.rglob("*") if file.is_file())
            files = [str(file) for file in inside if reading.format or _suffix_format(str(file))]
        else:
            matching = [one] if path.is_file() else sorted(glob(one))
            files = [file for file in matching if Path(file).is_file()]
        if not files:
            raise FileNotFoundError(Errors.NM194.format(found=one))
        found += files
    for file in found:
        format_of(file, reading)
    return found


def format_of(file: str, reading: Reading) -> str:
    """Raises ValueError (NM195) if neither the suffix nor the settings tell."""
    format = reading.format or _suffix_format(file)
    if format is None:
        raise ValueError(Errors.NM195.format(found=file, known=", ".join(DOCUMENT_FORMATS)))
    return format


def _suffix_format(file: str) -> str | None:
    path = Path(file)
    return FORMAT_OF_SUFFIX.get(Path(path.stem).suffix if path.suffix in PACKED else path.suffix)


def read_documents(file: str, reading: Reading) -> Iterator[tuple[Document, int]]:
    """The documents of a file, and behind each how many bytes of the file have been read, packed as they
    are (0 for standard input)."""
    format = format_of(file, reading)
    read = _read_parquet if format == PARQUET else _read_stream
    for document, position in read(file, reading):
        yield replace(document, has_words=reading.has_words), position


def _read_stream(file: str, reading: Reading) -> Iterator[tuple[Document, int]]:
    raw = sys.stdin.buffer if file == STDIN else open(file, "rb")  # noqa: SIM115
    with raw, unpacked(file, raw) as stream:
        if found := other_encoding(stream.peek(4)):
            problem = Errors.NM191.format(found=found, expected="text in UTF-8")
            yield Document(file, TEXT, b"", problem=problem), 0 if file == STDIN else raw.tell()
            return
        for document in READERS[format_of(file, reading)](file, stream, reading):
            yield document, 0 if file == STDIN else raw.tell()


def _lines(stream: Any) -> Iterator[bytes]:
    """The lines of a stream with their ends, without byte order marks in front. What is longer than
    MAX_BYTES is cut."""
    pieces: list[bytes] = []  # of a line that has not ended
    size = 0
    skipping = False
    while chunk := stream.read(2**16):
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


def _checked(document: Document) -> Document:
    if len(document.data) <= MAX_BYTES:
        return document
    found, expected = f"more than {MAX_BYTES:,} bytes", f"{MAX_BYTES:,} or less"
    problem = Errors.NM191.format(found=found, expected=expected)
    return replace(document, data=b"", problem=problem)


def _read_text(file: str, stream: Any, reading: Reading) -> Iterator[Document]:
    if reading.unit == FILE:
        data = stream.read(MAX_BYTES + 1)
        yield _checked(Document(file, TEXT, data))
        return
    separate = {LINE: _each_line, PARAGRAPH: _each_paragraph, SENTENCE: _each_ten_lines}[reading.unit]
    for number, data in separate(stream):
        has_sentences = reading.unit == SENTENCE
        yield _checked(Document(f"{file}:{number}", TEXT, data, has_sentences=has_sentences))


def _each_line(stream: Any) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(_lines(stream), start=1):
        if text := line.strip():
            yield number, text


def _each_ten_lines(stream: Any) -> Iterator[tuple[int, bytes]]:
    """The same of at most ten lines."""
    return _each_paragraph(stream, SENTENCES_PER_DOCUMENT)


def _each_paragraph(stream: Any, most: int = MAX_BYTES) -> Iterator[tuple[int, bytes]]:
    """Lines between empty ones, `most` at most, with the number of the first."""
    lines: list[bytes] = []
    first = size = 0
    for number, line in enumerate(_lines(stream), start=1):
        if len(lines) == most and line.strip():
            yield first, b"".join(lines).strip()
            lines, size = [], 0
        if line.strip():
            first = first if lines else number
            if size <= MAX_BYTES:
                lines.append(line)
            size += len(line)
        elif lines:
            yield first, b"".join(lines).strip()
            lines, size = [], 0
    if lines:
        yield first, b"".join(lines).strip()


def _read_jsonl(file: str, stream: Any, reading: Reading) -> Iterator[Document]:
    for number, line in _each_line(stream):
        name = f"{file}:{number}"
        checked = _checked(Document(name, TEXT, line))
        if checked.problem:
            yield checked
            continue
        try:
            value = json.loads(line)
        except ValueError as error:
            yield Document(name, TEXT, b"", problem=_no_text(f"no JSON ({error})", reading))
            continue
        if not isinstance(value, dict) or reading.text_field not in value:
            found = f"JSON without {reading.text_field!r}"
            yield Document(name, TEXT, b"", problem=_no_text(found, reading))
            continue
        name, text = name_of(value.get(reading.id_field), name), value[reading.text_field]
        if not isinstance(text, str):
            found = f"{json.dumps(text)[:N_SHOWN]} as {reading.text_field!r}"
            yield Document(name, TEXT, b"", problem=_no_text(found, reading))
            continue
        try:
            yield Document(name, TEXT, text.encode("utf-8"))
        except UnicodeEncodeError:
            found = f"half of a surrogate pair in {reading.text_field!r}"
            yield Document(name, TEXT, b"", problem=_no_text(found, reading))


def _no_text(found: str, reading: Reading) -> str:
    expected = f"an object of JSON with a text under {reading.text_field!r}"
    return Errors.NM191.format(found=found, expected=expected)


def _read_conllu(file: str, stream: Any, reading: Reading) -> Iterator[Document]:
    """A document begins at `# newdoc`; where the file marks none, after every tenth sentence."""
    lines: list[bytes] = []
    first = number = 0
    n_sentences = 0
    is_marked = has_words = False
    name: str | None = None

    def document() -> Document:
        id = name_of(name, f"{file}:{first}")
        return _checked(Document(id, CONLLU, b"".join(lines), file=file, line=first))

    for number, line in enumerate(_lines(stream), start=1):
        is_new = line.startswith(NEWDOC)
        is_marked |= is_new
        full = n_sentences == SENTENCES_PER_DOCUMENT and not is_marked and line.strip()
        if (is_new and has_words) or full:
            comments: list[bytes] = []  # of the sentence that begins
            while lines[-1].startswith(b"#"):
                comments.insert(0, lines.pop())
            yield document()
            lines, n_sentences, has_words, name = comments, 0, False, None
            first = number - len(comments)
        if is_new:
            name = newdoc_name(line)
        has_words |= bool(line.strip()) and not line.startswith(b"#")
        if not lines:
            first = number
        if lines and not line.strip() and lines[-1].strip():
            n_sentences += 1
        lines.append(line)
    if lines:
        yield document()


def _read_conllx(file: str, stream: Any, reading: Reading) -> Iterator[Document]:
    """Ten sentences, as CoNLL-U."""
    for first, lines in _ten_sentences(stream):
        name = f"{file}:{first}"
        texts: list[str] = []
        try:
            for sentence in sentence_lines(decode_lines(lines, file, first)):
                rows = [line for _, line in conllu_lines(Path(file), sentence)]
                sent_id = f"# sent_id = {id_of(name)}-{len(texts) + 1}"
                text = "# text = " + " ".join(row.split("\t")[FORM] for row in rows)
                texts.append("".join(f"{line}\n" for line in (sent_id, text, *rows)))
        except ValueError as error:
            yield Document(name, CONLLU, b"", problem=str(error))
            continue
        yield _checked(Document(name, CONLLU, "\n".join([*texts, ""]).encode(), file=file, line=first))


def _ten_sentences(stream: Any) -> Iterator[tuple[int, list[bytes]]]:
    lines: list[bytes] = []
    first, n_sentences, is_inside = 1, 0, False
    for number, line in enumerate(_lines(stream), start=1):
        if n_sentences == SENTENCES_PER_DOCUMENT and line.strip():
            yield first, lines
            lines, n_sentences, first = [], 0, number
        lines.append(line)
        n_sentences += is_inside and not line.strip()
        is_inside = bool(line.strip())
    if b"".join(lines).strip():
        yield first, lines


def looks_wrapped(file: str, reading: Reading) -> bool:
    """Whether most long lines of a text end with a letter, a digit or a comma, not as sentences do: then
    a line is hardly a document."""
    sample = islice(read_documents(file, reading), N_SAMPLED)
    lines = [document.data.decode("utf-8", "replace") for document, _ in sample]
    lines = [line for line in lines if len(line) >= LONG]
    n_open = sum(line[-1].isalnum() or line[-1] in ",-" for line in lines)
    return len(lines) >= 10 and n_open > len(lines) / 2


def newdoc_name(line: bytes) -> str | None:
    """What a line `# newdoc id = NAME` names, if it does."""
    name = line.partition(b"=")[2].decode("utf-8", "replace").strip()
    return name or None


def _read_spacy(file: str, stream: Any, reading: Reading) -> Iterator[Document]:
    from spacy.tokens import DocBin
    from spacy.vocab import Vocab

    try:
        docs = DocBin(store_user_data=True).from_bytes(stream.read())
    except Exception as error:
        raise ValueError(Errors.NM196.format(path=file, reason=error)) from error
    vocab = Vocab()
    for number, doc in enumerate(docs.get_docs(vocab), start=1):
        yield Document(name_of(doc.user_data.get(DOC_ID), f"{file}:{number}"), SPACY, doc.to_bytes())


def _read_parquet(file: str, reading: Reading) -> Iterator[tuple[Document, int]]:
    parquet = import_extra("pyarrow.parquet")
    columns = [reading.text_field, *([reading.id_field] if reading.id_field else [])]
    size = Path(file).stat().st_size
    with parquet.ParquetFile(file) as table:
        missing = [name for name in columns if name not in table.schema_arrow.names]
        if missing:
            known = ", ".join(table.schema_arrow.names)
            raise ValueError(Errors.NM197.format(path=file, found=missing[0], known=known))
        number = 0
        for batch in table.iter_batches(batch_size=256, columns=columns):
            for row in batch.to_pylist():
                number += 1
                text, name = row[columns[0]], row.get(reading.id_field)
                document = Document(name_of(name, f"{file}:{number}"), TEXT, (text or "").encode())
                yield _checked(document), size * number // table.metadata.num_rows


def name_of(name: Any, default: str) -> str:
    return default if name is None else str(name)


READERS: dict[str, Callable[[str, Any, Reading], Iterator[Document]]] = {
    TEXT: _read_text,
    JSONL: _read_jsonl,
    CONLLU: _read_conllu,
    CONLLX: _read_conllx,
    SPACY: _read_spacy,
}
