"""Collocations as a text file: UTF-8, one pair per line, columns separated by tabs and named by the
first line.

    kind    first   second  arcs    score
    word    states  united  70      9.9442
    tag     NOUN    VERB    20844   1.5336
"""

from collections.abc import Iterator
from math import isfinite
from pathlib import Path

from .collocations import Collocations, Pair, Strength, make_pair
from .text import line_error, read_text, split_columns

HEADER = "kind\tfirst\tsecond\tarcs\tscore"
WORD, TAG = "word", "tag"


def read_collocations(path: Path) -> Collocations:
    """Read the file, which may be packed; the pairs may be in any order, and so may the two of a pair.

    Raises FileNotFoundError (NM148) if there is none; ValueError, with file and line, if a line is not
    UTF-8 (NM083), cannot be unpacked (NM140) or is not in the format (NM143).
    """
    expected = "a file of collocations, as `python -m spacy nonmono collocations` makes one"
    return parse_collocations(read_text(path, expected), str(path))


def collocations_text(collocations: Collocations) -> str:
    """Write all pairs, one per line."""
    lines = [HEADER]
    for kind, pairs in ((WORD, collocations.words), (TAG, collocations.tags)):
        lines += [
            f"{kind}\t{first}\t{second}\t{strength.n_arcs}\t{strength.score!r}"
            for (first, second), strength in pairs.items()
        ]
    return "\n".join(lines) + "\n"


def parse_collocations(lines: Iterator[tuple[int, str]], name: str) -> Collocations:
    """Read the collocations in the numbered lines of a file; `name` is what errors call it."""
    pairs: dict[str, dict[Pair, Strength]] = {WORD: {}, TAG: {}}
    _, header = next(lines, (1, ""))
    if header != HEADER:
        raise line_error(name, 1, repr(header), f"the names of the columns, {HEADER!r}")
    n_columns = HEADER.count("\t") + 1
    rows = split_columns(lines, n_columns, name, "5, separated by tabs")
    for number, (kind, first, second, arcs, score) in rows:
        if kind not in (WORD, TAG):
            raise line_error(name, number, f"the kind {kind!r}", f"{WORD!r} or {TAG!r}")
        if not first or not second:
            raise line_error(name, number, "an empty column", "two words or two tags")
        if kind == WORD and (first, second) != (first.lower(), second.lower()):
            raise line_error(name, number, f"the pair {first!r}, {second!r}", "words in lower case")
        if not (arcs.isdecimal() and int(arcs) > 0):
            raise line_error(name, number, f"the number of arcs {arcs!r}", "1 or more")
        try:
            value = float(score)
        except ValueError:
            value = float("nan")
        if not isfinite(value):
            raise line_error(name, number, f"the score {score!r}", "a number")
        pair = make_pair(first, second)
        if pair in pairs[kind]:
            found = f"the {kind} pair {pair} for the second time"
            raise line_error(name, number, found, "each pair once, in either order")
        pairs[kind][pair] = Strength(int(arcs), value)
    return Collocations(words=pairs[WORD], tags=pairs[TAG])
