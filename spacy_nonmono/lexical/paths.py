"""The `paths` format of Brown clusters, that of the common tool in C++ (Liang 2005): UTF-8, one word
per line, `bitstring TAB word TAB count`.

It holds the tree of the clusters, but not the order in which they were merged.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ..errors import Errors
from ..files import write_text
from .text import read_text

PATHS_LINE = "a bit string, a word and its count, separated by tabs"


class PathsRow(NamedTuple):
    """A line of a `paths` file."""

    bits: str
    word: str
    frequency: int


def write_paths(rows: Iterable[PathsRow], path: Path) -> None:
    """Write the file, or leave what is there as it is if that fails.

    Raises ValueError (NM149) if a word cannot stand in the file, OSError (NM169) if that cannot be
    written.
    """
    write_text(path, to_text(rows))


def read_paths(path: Path) -> list[PathsRow]:
    """Read the file, which may be packed.

    Raises FileNotFoundError (NM148) if there is none; ValueError, with file and line, if a line is not
    UTF-8 (NM083), cannot be unpacked (NM140) or is not in the format (NM143), or a word stands in two
    (NM144).
    """
    expected = "a `paths` file: in every line " + PATHS_LINE
    rows = parse_paths(read_text(path, expected), str(path))
    if not rows:
        raise _line_error(str(path), 1, "the end of the file")
    return rows


def to_text(rows: Iterable[PathsRow]) -> str:
    """Clusters side by side, the most frequent words first."""
    lines = []
    for bits, word, count in sorted(rows, key=lambda row: (row.bits, -row.frequency, row.word)):
        if "\t" in word or "\n" in word or word.endswith("\r"):
            raise ValueError(Errors.NM149.format(word=word))
        lines.append(f"{bits}\t{word}\t{count}\n")
    return "".join(lines)


def parse_paths(lines: Iterable[tuple[int, str]], name: str) -> list[PathsRow]:
    """The rows in numbered lines, any number of them; `name` is what errors call the file."""
    seen: dict[str, int] = {}
    rows = []
    for number, line in lines:
        row = _parse(line, name, number)
        first = seen.setdefault(row.word, number)
        if first != number:
            message = Errors.NM144.format(path=name, line=number, word=row.word, first=first)
            raise ValueError(message)
        rows.append(row)
    return rows


def _parse(line: str, name: str, number: int) -> PathsRow:
    columns = line.split("\t")
    if len(columns) != 3:
        n = len(columns)
        raise _line_error(name, number, f"{n} column{'s' if n > 1 else ''} in {line[:80]!r}")
    bits, word, count = columns
    if not bits or bits.strip("01"):
        raise _line_error(name, number, f"the bit string {bits!r}", "zeros and ones")
    if not word:
        raise _line_error(name, number, "an empty word", "a word")
    if not (count.isascii() and count.isdecimal()):
        raise _line_error(name, number, f"the count {count!r}", "a whole number")
    return PathsRow(bits, word, int(count))


def _line_error(name: str, line: int, found: str, expected: str = PATHS_LINE) -> ValueError:
    return ValueError(Errors.NM143.format(path=name, line=line, found=found, expected=expected))
