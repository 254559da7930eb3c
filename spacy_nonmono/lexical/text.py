"""Lines and sentences of text files, plain or compressed by gzip."""

import gzip
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from spacy.tokens import Doc

from ..errors import Errors
from ..files import decode_lines

GZIP_MAGIC = b"\x1f\x8b"
WORD_LINES = "a text with one sentence per line"


def read_lines(path: Path, expected: str) -> Iterator[tuple[int, str]]:
    """The lines of a file, without what ends them, and their numbers from 1.

    expected: what the file should be, for errors.

    Raises FileNotFoundError (NM148) if it is none; ValueError: NM083 for a line that is not UTF-8, NM140
    for an archive that is damaged.
    """
    if not path.is_file():
        raise FileNotFoundError(Errors.NM148.format(path=path, expected=expected))
    number = 0
    with path.open("rb") as file:
        is_gzip = file.read(2) == GZIP_MAGIC
        file.seek(0)
        try:
            for number, line in decode_lines(gzip.GzipFile(fileobj=file) if is_gzip else file, path):
                yield number, line
        except (EOFError, OSError, zlib.error) as error:
            found = f"the archive is damaged ({error})"
            raise ValueError(
                Errors.NM140.format(path=path, line=number + 1, found=found)
            ) from error


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
