"""Lines, columns and sentences of text files."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from spacy.tokens import Doc

from ..errors import Errors, count
from ..files import read_lines

N_SHOWN = 80  # characters of a line in an error
WORD_LINES = "a text with one sentence per line"


def read_text(path: Path, expected: str) -> Iterator[tuple[int, str]]:
    """Read the lines of a file, without what ends them, and their numbers from 1.

    expected: what the file should be, for errors.

    Raises FileNotFoundError (NM148) if it is none, and what `files.read_lines` raises.
    """
    if not path.is_file():
        raise FileNotFoundError(Errors.NM148.format(path=path, expected=expected))
    yield from read_lines(path)


def split_columns(
    lines: Iterable[tuple[int, str]], n: int, name: str, expected: str
) -> Iterator[tuple[int, list[str]]]:
    """Split each of some numbered lines at its tabs into n columns.

    name: what errors call the file. expected: what each line should be.

    Raises ValueError (NM143) for another number of columns.
    """
    for number, line in lines:
        columns = line.split("\t")
        if len(columns) != n:
            found = f"{count(len(columns), 'column')} in {line[:N_SHOWN]!r}"
            raise line_error(name, number, found, expected)
        yield number, columns


def line_error(name: str, line: int, found: str, expected: str) -> ValueError:
    """Make the error NM143, of a line that is not in the format of its file."""
    return ValueError(Errors.NM143.format(path=name, line=line, found=found, expected=expected))


def read_plain_words(path: Path) -> Iterator[list[str]]:
    """Read the words of each line. ASCII white space separates them; the other spaces of Unicode do not:
    there are treebanks with words that hold some. Raises as `read_text` does."""
    for _, line in read_text(path, WORD_LINES):
        # White space of bytes is that of ASCII
        yield [word.decode("utf-8") for word in line.encode("utf-8").split()]


def tokenize_lines(path: Path, tokenizer: Callable[[str], Doc]) -> Iterator[list[str]]:
    """Read the words of each line, as a pipeline's tokenizer finds them; white space is not a word."""
    for _, line in read_text(path, WORD_LINES):
        yield [token.text for token in tokenizer(line) if not token.is_space]
