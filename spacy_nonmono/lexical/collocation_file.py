"""Collocations as a text file: UTF-8, one pair per line, columns separated by tabs and named by the
first line.

    kind    first   second  arcs    score
    word    states  united  70      9.9442
    tag     NOUN    VERB    20844   1.5336
"""

import io
from math import isfinite
from pathlib import Path

from ..errors import Errors, count
from ..files import decode_lines, write_text
from .collocations import Collocations, Pair, Strength, make_pair

HEADER = "kind\tfirst\tsecond\tarcs\tscore"
WORD, TAG = "word", "tag"


def write_collocations(collocations: Collocations, path: Path) -> None:
    """Write the file, or leave what is there as it is if that fails (OSError, NM169)."""
    write_text(path, to_text(collocations))


def read_collocations(path: Path) -> Collocations:
    """Read the file; the pairs may be in any order, and so may the two of a pair.

    Raises FileNotFoundError (NM151) if it is none, ValueError with file and line if it is not UTF-8
    (NM083) or not in the format (NM150).
    """
    if not path.is_file():
        raise FileNotFoundError(Errors.NM151.format(path=path))
    return from_text(path.read_bytes(), str(path))


def to_text(collocations: Collocations) -> str:
    lines = [HEADER]
    for kind, pairs in ((WORD, collocations.words), (TAG, collocations.tags)):
        lines += [
            f"{kind}\t{first}\t{second}\t{strength.n_arcs}\t{strength.score!r}"
            for (first, second), strength in pairs.items()
        ]
    return "\n".join(lines) + "\n"


def from_text(data: bytes, name: str) -> Collocations:
    """The collocations in the bytes of a file; `name` is what errors call it."""
    pairs: dict[str, dict[Pair, Strength]] = {WORD: {}, TAG: {}}
    lines = decode_lines(io.BytesIO(data), name)
    _, header = next(lines, (1, ""))
    if header != HEADER:
        raise _line_error(name, 1, repr(header), f"the names of the columns, {HEADER!r}")
    for number, line in lines:
        kind, pair, strength = _parse(line, name, number)
        if pair in pairs[kind]:
            found = f"the {kind} pair {pair} for the second time"
            raise _line_error(name, number, found, "each pair once, in either order")
        pairs[kind][pair] = strength
    return Collocations(words=pairs[WORD], tags=pairs[TAG])


def _parse(line: str, name: str, number: int) -> tuple[str, Pair, Strength]:
    columns = line.split("\t")
    if len(columns) != HEADER.count("\t") + 1:
        raise _line_error(name, number, count(len(columns), "column"), "5, separated by tabs")
    kind, first, second, arcs, score = columns
    if kind not in (WORD, TAG):
        raise _line_error(name, number, f"the kind {kind!r}", f"{WORD!r} or {TAG!r}")
    if not first or not second:
        raise _line_error(name, number, "an empty column", "two words or two tags")
    if kind == WORD and (first, second) != (first.lower(), second.lower()):
        raise _line_error(name, number, f"the pair {first!r}, {second!r}", "words in lower case")
    if not (arcs.isdecimal() and int(arcs) > 0):
        raise _line_error(name, number, f"the number of arcs {arcs!r}", "1 or more")
    try:
        value = float(score)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        raise _line_error(name, number, f"the score {score!r}", "a number")
    return kind, make_pair(first, second), Strength(int(arcs), value)


def _line_error(name: str, line: int, found: str, expected: str) -> ValueError:
    return ValueError(Errors.NM150.format(path=name, line=line, found=found, expected=expected))
