"""Lines and sentences of text files, plain or compressed by gzip."""

import gzip
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from spacy.tokens import Doc

from ..errors import Errors

GZIP_MAGIC = b"\x1f\x8b"
WORD_LINES = "a text with one sentence per line"


def read_lines(path: Path, expected: str) -> Iterator[tuple[int, str]]:
    """The lines of a file, without what ends them, and their numbers from 1.

    expected: what the file should be, for errors.

    Raises FileNotFoundError (NM148) if it is none, ValueError (NM140) if a line cannot be read.
    """
    if not path.is_file():
        raise FileNotFoundError(Errors.NM148.format(path=path, expected=expected))
    with path.open("rb") as file:
        is_gzip = file.read(2) == GZIP_MAGIC
        file.seek(0)
        yield from decode_lines(gzip.GzipFile(fileobj=file) if is_gzip else file, str(path))


def decode_lines(lines: Iterable[bytes], name: str) -> Iterator[tuple[int, str]]:
    """The same from lines of bytes; `name` is what errors call them. Only a line feed ends a line:
    words may hold what else Unicode knows as the end of one."""
    number = 0
    try:
        for number, line in enumerate(lines, start=1):
            yield number, line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        found = f"byte {error.object[error.start]:#04x} at column {error.start + 1}"
        message = Errors.NM140.format(path=name, line=number, found=found, expected="UTF-8")
        raise ValueError(message) from None
    except (EOFError, OSError, zlib.error) as error:
        found, expected = f"the archive is damaged ({error})", "a file that gzip wrote"
        message = Errors.NM140.format(path=name, line=number + 1, found=found, expected=expected)
        raise ValueError(message) from error


def read_words(path: Path) -> Iterator[list[str]]:
    """The words of each line. ASCII white space separates them; the other spaces of Unicode do not:
    there are treebanks with words that hold some."""
    for _, line in read_lines(path, WORD_LINES):
        # White space of bytes is that of ASCII
        words = b" ".join(line.encode("utf-8").split()).decode("utf-8")
        yield words.split(" ") if words else []


def tokenize_lines(path: Path, tokenizer: Callable[[str], Doc]) -> Iterator[list[str]]:
    """The words of each line, as a pipeline's tokenizer finds them; white space is not a word."""
    for _, line in read_lines(path, WORD_LINES):
        yield [token.text for token in tokenizer(line) if not token.is_space]
