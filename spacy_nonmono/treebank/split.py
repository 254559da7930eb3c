"""A treebank file in parts: training, development and test.

The lines of a sentence go to one part, as they are written. So do the sentences of a document, if the
file has as many documents (`# newdoc`) as there are parts; otherwise sentences with the same words, so
that no sentence of one part is in another, too. In a part the sentences have the order of the file.

Documents, or sentences, are taken in random order. A part takes one if that brings its number of
sentences nearer to its share of the file; a part that takes none gets the smallest.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from ..errors import Errors, count
from ..files import read_lines
from .conllu import MARKS, blocks, is_blank, is_newdoc, parse_sentences
from .formats import CONLLU, TRAIN
from .sentences import columns_above


class Lines(NamedTuple):
    """A sentence. document: the number of its document, 0 in front of the first `# newdoc`, which is its
    mark. header: as `Sentence` has it."""

    lines: list[str]
    words: tuple[str, ...]
    document: int
    mark: str
    header: str


class Division(NamedTuple):
    """The parts of a file, by name. by_documents: does each document belong to one part?"""

    parts: dict[str, list[Lines]]
    by_documents: bool


def divide(
    path: Path, shares: Mapping[str, float], *, seed: int = 0, format: str = CONLLU
) -> Division:
    """Divide a file into TRAIN and other parts.

    shares: of the sentences, by part, without TRAIN, which gets the rest.

    Raises ValueError: NM215 if there are less documents or different sentences than parts; what
    `read_lines` and `parse_sentences` raise.
    """
    sentences = list(_read(path, format))
    n_documents = len({sentence.document for sentence in sentences})
    by_documents = n_documents > len(shares)
    units: dict[object, list[int]] = {}
    for i, sentence in enumerate(sentences):
        key = sentence.document if by_documents else sentence.words
        units.setdefault(key, []).append(i)
    if len(units) <= len(shares):
        found = count(len(units), "different sentence")
        raise ValueError(Errors.NM215.format(path=path, n=found))
    left = list(units.values())
    random.Random(seed).shuffle(left)
    taken: dict[str, list[list[int]]] = {TRAIN: []}
    for number, (part, share) in enumerate(shares.items()):
        # One is for each later part, and one for TRAIN
        most = len(left) - len(shares) + number
        taken[part], left = _take(left, share * len(sentences), most)
    taken[TRAIN] = left
    parts = {part: sorted(i for unit in some for i in unit) for part, some in taken.items()}
    return Division({part: [sentences[i] for i in some] for part, some in parts.items()}, by_documents)


def part_text(sentences: Sequence[Lines]) -> str:
    """Return the lines of a part. What tells their columns and their document stands above them."""
    lines: list[str] = []
    header, document = "", 0
    for sentence in sentences:
        if above := columns_above(sentence.header, sentence.lines, header):
            lines.append(above)
        if sentence.document != document and sentence.mark not in sentence.lines:
            lines.append(sentence.mark)
        header, document = sentence.header, sentence.document
        lines += sentence.lines
        if not is_blank(lines[-1]):
            lines.append("")
    return "".join(line + "\n" for line in lines)


def _read(path: Path, format: str) -> Iterator[Lines]:
    numbered = list(read_lines(path))
    document, mark = 0, ""
    # Of each block there is one sentence, unless the file has no words at all
    for block, sentence in zip(
        blocks(numbered), parse_sentences(numbered, path, format), strict=False
    ):
        # Behind the last word there may be marks of documents without words
        above = takewhile(lambda numbered: numbered[1][:1] in MARKS, block)
        marks = [line for _, line in above if line[:1] == "#" and is_newdoc(line)]
        document, mark = document + bool(marks), marks[-1] if marks else mark
        lines = [line for _, line in block]
        yield Lines(lines, tuple(sentence.forms), document, mark, sentence.header)


def _take(
    units: Sequence[list[int]], wanted: float, most: int
) -> tuple[list[list[int]], list[list[int]]]:
    """Return the units of a part, and those that are left. wanted: sentences. most: units."""
    taken: list[list[int]] = []
    left: list[list[int]] = []
    n = 0
    for unit in units:
        if len(taken) < most and n + len(unit) / 2 <= wanted:
            taken.append(unit)
            n += len(unit)
        else:
            left.append(unit)
    if not taken:
        taken = [left.pop(min(range(len(left)), key=lambda i: len(left[i])))]
    return taken, left
