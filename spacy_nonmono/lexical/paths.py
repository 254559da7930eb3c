"""The `paths` format of Brown clusters, that of the common tool in C++ (Liang 2005): UTF-8, one word
per line, `bitstring TAB word TAB count`.

It holds the tree of the clusters, but not the order in which they were merged.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ..errors import Errors
from .text import line_error, read_text, split_columns

PATHS_LINE = "a bit string, a word and its count, separated by tabs"


class PathsRow(NamedTuple):
    """A line of a `paths` file."""

    bits: str
    word: str
    frequency: int


def read_paths(path: Path) -> list[PathsRow]:
    """Read the file, which may be packed.

    Raises FileNotFoundError (NM148) if there is none; ValueError, with file and line, if a line is not
    UTF-8 (NM083), cannot be unpacked (NM140) or is not in the format (NM143).
    """
    expected = "a `paths` file: in every line " + PATHS_LINE
    rows = parse_paths(read_text(path, expected), str(path))
    if not rows:
        raise line_error(str(path), 1, "the end of the file", PATHS_LINE)
    return rows


def paths_text(rows: Iterable[PathsRow]) -> str:
    """Write the rows, cluster by cluster, the most frequent words first."""
    lines = []
    for bits, word, count in sorted(rows, key=lambda row: (row.bits, -row.frequency, row.word)):
        if "\t" in word or "\n" in word or word.endswith("\r"):
            raise ValueError(Errors.NM149.format(word=word))
        lines.append(f"{bits}\t{word}\t{count}\n")
    return "".join(lines)


def parse_paths(lines: Iterable[tuple[int, str]], name: str) -> list[PathsRow]:
    """Read the rows in numbered lines, any number of them; `name` is what errors call the file."""
    rows: dict[str, PathsRow] = {}
    for number, (bits, word, count) in split_columns(lines, 3, name, PATHS_LINE):
        if not bits or bits.strip("01"):
            raise line_error(name, number, f"the bit string {bits!r}", "zeros and ones")
        if not word:
            raise line_error(name, number, "an empty word", "a word")
        if not (count.isascii() and count.isdecimal()):
            raise line_error(name, number, f"the count {count!r}", "a whole number")
        if word in rows:
            raise line_error(name, number, f"the word {word!r} again", "every word once")
        rows[word] = PathsRow(bits, word, int(count))
    return list(rows.values())
