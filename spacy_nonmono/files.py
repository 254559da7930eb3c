"""Reading lines of text, for all that reads text; and writing files so that there is the old one or the
whole new one, whatever happens meanwhile.

A file is written beside its place under a name of UNFINISHED, and takes its place when all of
it is on the disk. A process that is killed leaves such a file behind; no reader takes it for input, so
it may be deleted or left.
"""

import csv
import errno
import gzip
import io
import json
import os
import re
import secrets
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import srsly

from .errors import Errors
from .installed import import_extra

# Suffixes of packed files, and what is in front of them
PACKED = (".gz", ".zst")
GZIP_MAGIC, ZSTD_MAGIC = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
# Where Linux has the files that a process has open
OPEN_FILES, MAX_LINKS = re.compile(r"/proc/\d+(/task/\d+)?/fd"), 40
UNFINISHED = (".nonmono-", ".tmp")
PIECE = 2**17  # bytes that are read at once
# In this order, since one begins as another does
MARKS = {
    BOM_UTF32_LE: "UTF-32",
    BOM_UTF32_BE: "UTF-32",
    BOM_UTF16_LE: "UTF-16",
    BOM_UTF16_BE: "UTF-16",
}


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text file, packed or not, as `decode_lines` gives them.

    Raises ValueError: NM083 for a line that is not UTF-8, NM140 for an archive that is damaged; OSError
    (NM093) if the file cannot be opened.
    """
    try:
        raw = path.open("rb")
    except OSError as error:
        raise type(error)(Errors.NM093.format(path=path, reason=error.strerror)) from error
    with raw:
        yield from decode_lines(_whole_lines(path, raw), path)


def _whole_lines(path: Path, raw: BinaryIO) -> Iterator[bytes]:
    number = 0
    try:
        for number, line in enumerate(unpacked(path.name, raw), start=1):  # noqa: B007
            yield line
    except ImportError:  # of what would unpack it
        raise
    except Exception as error:  # each way of packing has errors of its own
        raise ValueError(Errors.NM140.format(path=path, line=number + 1, reason=error)) from error


def decode_lines(
    lines: Iterable[bytes], name: str | Path, first: int = 1
) -> Iterator[tuple[int, str]]:
    """Lines in UTF-8 with their numbers, from `first`, without what ends them; `name` is what errors
    call the file. A byte order mark in front of a line is no part of it.

    The lines are those of a binary file, which only a line feed ends: words may hold what else Unicode
    knows as the end of a line.

    Raises ValueError (NM083) for a line that is not UTF-8.
    """
    for number, raw in enumerate(lines, start=first):
        try:
            # No call for each line of a treebank
            line = (unmarked(raw) if raw.startswith(BOM_UTF8) else raw).decode("utf-8")
        except UnicodeDecodeError as error:
            found = f"byte {error.object[error.start]:#04x} at column {error.start + 1}"
            found = (number == 1 and other_encoding(raw)) or found
            message = Errors.NM083.format(path=name, line=number, found=found)
            raise ValueError(message) from None
        yield number, line.rstrip("\r\n")


def printable(name: str | Path) -> str:
    """Return a name as UTF-8 can have it: names of files and texts of JSON may hold half a character."""
    return str(name).encode("utf-8", "backslashreplace").decode("utf-8")


def unmarked(line: bytes) -> bytes:
    """Return a line without byte order marks in front; files that were joined have some in the
    middle."""
    while line.startswith(BOM_UTF8):
        line = line.removeprefix(BOM_UTF8)
    return line


def other_encoding(start: bytes) -> str | None:
    """Return what a file begins with, if that says that it is not UTF-8. start: its first bytes, or
    more."""
    for mark, encoding in MARKS.items():
        if start.startswith(mark):
            return f"a byte order mark of {encoding}"
    return None


def unpacked(name: str, raw: Any) -> Any:
    """Open what an open file holds. It is packed if its name or its first bytes say so.

    Raises EOFError, also on reading, for an archive that was cut; ImportError (NM166) without zstandard,
    if that has packed it.
    """
    stream = raw if hasattr(raw, "peek") else io.BufferedReader(raw)
    start = stream.peek(4)
    if name.endswith(PACKED) and not start:
        raise EOFError("the file is empty")
    if name.endswith(".gz") or start.startswith(GZIP_MAGIC):
        return gzip.GzipFile(fileobj=stream)
    if name.endswith(".zst") or start.startswith(ZSTD_MAGIC):
        return io.BufferedReader(_ZstdFile(stream), PIECE)
    return stream


@contextmanager
def replace_file(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file that takes the place of `path` at the end of the block. An error in the block leaves
    what is there as it is. Folders that are missing are made.

    Of a link, the file that it leads to is replaced. What is no regular file (a pipe), or is open
    already (`/dev/stdout`), cannot be replaced: what is written comes behind what is there. The name
    tells whether a file is packed (`.gz`, `.zst`).

    Raises OSError (NM169) if the file cannot be written, ImportError (NM166) without zstandard, if that
    is to pack it.
    """
    if _is_open(path):
        with io.BufferedWriter(_open(Path(path), "a", path)) as file:
            yield file
        return
    target = Path(os.path.realpath(path))
    with telling_write_errors(path):
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        mode = target.stat().st_mode if target.exists() else None
    if mode is not None and not target.is_file():
        with io.BufferedWriter(_open(target, "w", path)) as file:
            yield file
        return
    unfinished = target.with_name(f"{UNFINISHED[0]}{secrets.token_hex(8)}{UNFINISHED[1]}")
    raw = _open(unfinished, "x", path)
    try:
        with io.BufferedWriter(raw) as file:
            with _packing(target.name, file) as stream:
                yield stream
            file.flush()
            with telling_write_errors(path):
                if mode is not None:
                    unfinished.chmod(mode)
                os.fsync(raw.fileno())
        with telling_write_errors(path):
            unfinished.replace(target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def is_unfinished(name: str) -> bool:
    """Is this a name of what a process that was killed has left?"""
    return name.startswith(UNFINISHED[0]) and name.endswith(UNFINISHED[1])


def _is_open(path: str | Path) -> bool:
    """Does the path lead to a file that a process has open, such as `/dev/stdout`?"""
    name = os.path.abspath(path)
    for _ in range(MAX_LINKS):
        folder = os.path.dirname(name)
        if OPEN_FILES.fullmatch(os.path.realpath(folder)):
            return os.path.lexists(name)
        if not os.path.islink(name):
            break
        name = os.path.join(folder, os.readlink(name))
    return False


@contextmanager
def _packing(name: str, file: Any) -> Iterator[Any]:
    if name.endswith(".gz"):
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as stream:
            yield stream
    elif name.endswith(".zst"):
        with import_extra("zstandard").ZstdCompressor().stream_writer(file, closefd=False) as stream:
            yield stream
    else:
        yield file


def write_text(path: str | Path, text: str) -> None:
    """Replace a file by a text in UTF-8."""
    with replace_file(path) as file:
        file.write(text.encode("utf-8"))


def write_csv(path: str | Path, header: Sequence[str], rows: Iterable[Iterable[Any]]) -> None:
    """Replace a file by a table; None is an empty cell."""
    lines = []
    for row in (header, *rows):
        text = io.StringIO()
        # What may end a line is quoted in cells
        csv.writer(text, lineterminator="\r\n").writerow(row)
        lines.append(text.getvalue().removesuffix("\r\n") + "\n")
    write_text(path, printable("".join(lines)))


def write_json(path: str | Path, value: Any, *, indent: int = 2) -> None:
    """Replace a file by a value in JSON."""
    try:
        text = srsly.json_dumps(value, indent=indent)
    except UnicodeEncodeError:  # a name of a file that UTF-8 cannot have
        text = json.dumps(value, indent=indent)
    write_text(path, text)


def check_free(path: Path) -> None:
    """Raise ValueError (NM185) if there is a file at this path, or a folder with anything in it."""
    if path.is_file() or (path.is_dir() and any(path.iterdir())):
        raise ValueError(Errors.NM185.format(path=path))


def check_spared(path: str | Path, written: Iterable[str | Path]) -> None:
    """Raise ValueError (NM185) if something that is to be written has the place of what is read."""
    if Path(path).resolve() in [Path(one).resolve() for one in written]:
        raise ValueError(Errors.NM185.format(path=path))


def make_folder(path: str | Path) -> None:
    """Make a folder if there is none; for commands that should not work for hours before they find that
    they cannot. Raises OSError (NM169)."""
    with telling_write_errors(path):
        Path(path).mkdir(parents=True, exist_ok=True)


@contextmanager
def telling_write_errors(path: str | Path) -> Iterator[None]:
    """Errors of the operating system in the block become an OSError that names the file (NM169)."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OSError(Errors.NM169.format(path=path, reason=reason)) from error


def _open(path: Path, mode: str, told: str | Path) -> "_File":
    with telling_write_errors(told):
        return _File(path, mode, told)


class _ZstdFile(io.RawIOBase):
    """The frames of an archive, one behind another. The library's own reader takes an archive that was
    cut as whole."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._make_frame = import_extra("zstandard").ZstdDecompressor().decompressobj
        self._frame: Any = None
        self._packed = b""
        self._unpacked = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._unpacked:
            packed = self._packed or self._stream.read(PIECE)
            if not packed:
                if self._frame is not None:
                    raise EOFError("the archive ends within a frame")
                return 0
            self._frame = self._frame or self._make_frame()
            self._unpacked = memoryview(self._frame.decompress(packed))
            self._packed = b""
            if self._frame.eof:
                self._packed, self._frame = self._frame.unused_data, None
        n = min(len(buffer), len(self._unpacked))
        buffer[:n], self._unpacked = self._unpacked[:n], self._unpacked[n:]
        return n


class _File(io.FileIO):
    """A file whose errors on writing name the file that is to be replaced: an error in the block of
    `replace_file` may also come from what is read there."""

    def __init__(self, path: Path, mode: str, told: str | Path) -> None:
        super().__init__(path, mode)
        self.told = told

    def write(self, data: Any) -> int:
        with telling_write_errors(self.told):
            return super().write(data)
