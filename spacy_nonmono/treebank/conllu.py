"""Lines of CoNLL-U as sentences, checked line by line. An error names the file and the line.

An empty line, blanks and tabs aside, ends a sentence, and so does a comment `# newdoc`. Comments may
stand anywhere. What stands before the first word of a file belongs to the first sentence, and what
stands behind the last one to the last. Lines may have more columns than ten (CoNLL-U Plus), if the
comment `# global.columns` of the file names them behind the ten of CoNLL-U.

Sentences of CoNLL-X come in the columns of CoNLL-U, as `conllx.py` says.
"""

import re
import warnings
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from spacy.parts_of_speech import IDS

from ..errors import Errors, Warnings, count
from ..tokens.heads import words_on_cycles
from .conllx import conllu_lines
from .formats import CONLLU, CONLLX
from .sentences import (
    COLUMNS,
    DEPREL,
    EMPTY,
    FEATS,
    FORM,
    HEAD,
    ID,
    N_COLUMNS,
    ROOT_LABELS,
    UPOS,
    XPOS,
    Sentence,
)

MAX_DIGITS = 40  # of an ID or a HEAD: Python refuses to read thousands
IF_CONLLX = "a file in CoNLL-X needs the suffix .conllx"
NUMBER = re.compile(r"0|[1-9][0-9]*")
RANGE_OR_NODE = re.compile(r"([0-9]+)([-.])([1-9][0-9]*)")
NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(?P<name>.*?)|\s*=.*)?\s*")
PLUS = re.compile(r"#\s*global\.columns\s*=\s*(.*)")

# What a line that is empty or a comment may begin with
MARKS = frozenset(["", "#", " ", "\t", b"", b"#", b" ", b"\t", b"\r", b"\n"])

Line = TypeVar("Line", str, bytes)
Numbered = list[tuple[int, Line]]


def blocks(lines: Iterable[tuple[int, Line]]) -> Iterator[Numbered[Line]]:
    """Yield the numbered lines of each sentence, with the empty lines behind it; nothing is left out."""
    last: Numbered[Line] = []
    block: Numbered[Line] = []
    has_words = is_ended = False
    try:
        for number, line in lines:
            is_word = line[:1] not in MARKS  # nearly always
            if is_word or not is_blank(line):
                if is_ended or (has_words and not is_word and is_newdoc(line)):
                    if last:
                        yield last
                    last, block, has_words = block, [], False
                is_ended = False
                has_words = has_words or is_word
            else:
                is_ended = has_words
            block.append((number, line))
    except Exception:
        # Of a damaged file: what is whole
        yield from filter(None, (last, block if is_ended else []))
        raise
    if has_words and last:
        yield last
        last = []
    if last or block:
        yield last + block


def is_blank(line: str | bytes) -> bool:
    return not (line.strip(" \t") if isinstance(line, str) else line.strip(b" \t\r\n"))


def is_newdoc(line: str | bytes) -> bool:
    """Is this comment one that begins a document?"""
    return NEWDOC.fullmatch(_text(line)) is not None


def newdoc_name(line: str | bytes) -> str | None:
    """Return what a comment `# newdoc id = NAME` names, if it does."""
    match = NEWDOC.fullmatch(_text(line))
    return (match and match["name"]) or None


def n_columns_of(line: str | bytes) -> int | None:
    """Return the number of columns that a comment `# global.columns` tells, if it is one."""
    match = PLUS.fullmatch(_text(line))
    return len(match[1].split()) if match else None


def _text(line: str | bytes) -> str:
    return (line if isinstance(line, str) else line.decode("utf-8", "replace")).strip()


def parse_sentences(
    lines: Iterable[tuple[int, str]], name: str | Path, format: str = CONLLU, *, trees: bool = True
) -> Iterator[Sentence]:
    """Yield the sentences of lines with their numbers. name: what errors call the file. trees: whether
    somebody looks at them; if not, heads stay as they are.

    Heads that no tree can have become unknown, with a warning: those on a cycle (a word that heads
    itself among them) and, in CoNLL-U, every root but the first. A warning also tells of each root label
    of a file that is not `root`.

    Raises ValueError: NM081 for a line that is not right, NM088 for one that is no CoNLL-X although its
    format is.
    """
    path = Path(name)
    known_labels = set(ROOT_LABELS)
    header = ""
    for block in blocks(lines):
        if format == CONLLX:
            block = conllu_lines(path, [(number, line) for number, line in block if not is_blank(line)])
        header = _find_header(path, block, header)
        n_columns = n_columns_of(header) or N_COLUMNS
        sentence = _parse_sentence(path, block, known_labels if trees else None, n_columns)
        sentence.header = header
        if sentence.words:
            yield sentence


def _find_header(path: Path, block: Numbered[str], header: str) -> str:
    """Return the comment that tells the columns of a block, if not that of the one before."""
    for number, line in block:
        if line[:1] == "#" and "global" in line and n_columns_of(line) is not None:
            if tuple(line.partition("=")[2].split()[:N_COLUMNS]) != COLUMNS:
                expected = f"{' '.join(COLUMNS)}, and others behind them"
                raise _line_error(path, number, line.strip(), expected)
            header = line
    return header


def _parse_sentence(
    path: Path, block: Numbered[str], known_labels: set[str] | None, n_columns: int
) -> Sentence:
    """known_labels: of roots; those that the sentence adds are warned of. None: no trees."""
    rows: list[list[str]] = []
    numbers: list[int] = []  # of the lines of words
    ranges: list[tuple[int, int, int]] = []  # the number of the line, the first word and the last
    last = None
    for number, line in block:
        if line[:1] in MARKS and (line[:1] == "#" or is_blank(line)):
            rows.append([line])
            continue
        columns = line.split("\t")
        rows.append(columns)
        last = number
        _check_columns(path, number, columns, n_columns)
        if columns[ID] == str(len(numbers) + 1):  # nearly always
            numbers.append(number)
        elif found := _parse_range(path, number, columns[ID], len(numbers)):
            ranges.append((number, *found))
    sentence = Sentence(rows)
    if last is None:
        return sentence
    if not numbers:
        raise _line_error(path, last, "a sentence without words", "one or more words")
    _check_ranges(path, ranges, len(numbers))
    heads = [
        _parse_head(path, number, columns[HEAD], len(numbers))
        for number, columns in zip(numbers, sentence.words, strict=True)
    ]
    if known_labels is not None:
        _check_heads(path, sentence, heads, numbers, known_labels)
    return sentence


def _line_error(path: Path, line: int, found: str, expected: str) -> ValueError:
    return ValueError(Errors.NM081.format(path=path, line=line, found=found, expected=expected))


def _check_columns(path: Path, number: int, columns: list[str], n_columns: int) -> None:
    if len(columns) not in (N_COLUMNS, n_columns):
        found = count(len(columns), "column")
        raise _line_error(path, number, found, f"{n_columns}, separated by tabs")
    if "" in columns:
        found = f"column {columns.index('') + 1} is empty"
        raise _line_error(path, number, found, "a value, or _ for none")
    if " " in columns[XPOS] or " " in columns[DEPREL]:
        column = XPOS if " " in columns[XPOS] else DEPREL
        found = f"{COLUMNS[column]} is {columns[column]!r}"
        raise _line_error(path, number, found, f"no space in it ({IF_CONLLX})")
    if columns[UPOS] != EMPTY and columns[UPOS] not in IDS:
        expected = f"a universal tag, or _ ({IF_CONLLX})"
        raise _line_error(path, number, f"UPOS is {columns[UPOS]!r}", expected)
    feats = columns[FEATS]
    if feats != EMPTY:
        names = _feature_names(feats)
        if names is None:
            expected = f"Name=Value pairs joined by |, or _ ({IF_CONLLX})"
            raise _line_error(path, number, f"FEATS is {feats!r}", expected)
        if len(set(names)) < len(names):
            warnings.warn(Warnings.NM585.format(path=path, line=number, feats=feats), stacklevel=2)


@lru_cache(maxsize=2**14)  # a treebank repeats few
def _feature_names(feats: str) -> tuple[str, ...] | None:
    """None if they are not Name=Value pairs."""
    pairs = [pair.split("=") for pair in feats.split("|")]
    return tuple(pair[0] for pair in pairs) if all(len(pair) == 2 for pair in pairs) else None


def _parse_range(path: Path, number: int, value: str, n_before: int) -> tuple[int, int] | None:
    """Return the first word of a multiword token and its last one; None for an empty node."""
    after = n_before + 1
    match = RANGE_OR_NODE.fullmatch(value)
    if match and len(value) < MAX_DIGITS:
        first, last = int(match[1]), int(match[3])
        if match[2] == "-" and match[1] == str(after) and last >= first:
            return first, last
        if match[2] == "." and first == n_before:
            return None
    expected = (
        f"{after} for a word, {after}-N for a multiword token or {n_before}.N for an empty node"
    )
    raise _line_error(path, number, f"ID is {value!r}", expected)


def _parse_head(path: Path, number: int, value: str, n_words: int) -> int | None:
    if value == EMPTY:
        return None
    head = _parse_number(value)
    if not 0 <= head <= n_words:
        raise _line_error(path, number, f"HEAD is {value!r}", f"0 (root) to {n_words}, or _")
    return head - 1


@lru_cache(maxsize=2**14)
def _parse_number(value: str) -> int:
    """-1 for what is none."""
    return int(value) if NUMBER.fullmatch(value) and len(value) < MAX_DIGITS else -1


def _check_ranges(path: Path, ranges: list[tuple[int, int, int]], n_words: int) -> None:
    covered = 0
    for number, first, last in ranges:
        found = f"the multiword token {first}-{last}"
        if first <= covered:
            raise _line_error(path, number, found, f"one that starts after word {covered}")
        if last > n_words:
            expected = f"one that ends within the {n_words} words of the sentence"
            raise _line_error(path, number, found, expected)
        covered = last


def _check_heads(
    path: Path, sentence: Sentence, heads: list[int | None], numbers: list[int], known_labels: set[str]
) -> None:
    """Forget heads that no tree can have, and tell of them and of an unknown label of the root."""
    texts = {word: Warnings.NM580 for word in sorted(words_on_cycles(heads))}
    roots = [word for word, head in enumerate(heads) if head == -1]
    texts.update({word: Warnings.NM581 for word in roots[1:]})
    for word in texts:
        sentence.words[word][HEAD] = EMPTY
    if roots and (label := sentence.words[roots[0]][DEPREL]) not in known_labels:
        known_labels.add(label)
        texts[roots[0]] = Warnings.NM583
    for word, text in texts.items():
        columns = sentence.words[word]
        message = text.format(path=path, line=numbers[word], word=columns[FORM], label=columns[DEPREL])
        warnings.warn(message, stacklevel=2)
