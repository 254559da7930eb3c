"""Sentences of a CoNLL-U file, checked line by line (https://universaldependencies.org/format).

Columns stay as they are written, so that a file can be written again as it was. An error names
the file and the line. Sentences of CoNLL-X come in the columns of CoNLL-U, as `conllx.py` says.
"""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from conllu.parser import INTEGER
from spacy.language import BaseDefaults
from spacy.parts_of_speech import IDS
from spacy.tokens import DocBin
from spacy.vocab import create_vocab

from ..errors import Errors, Warnings, count
from ..files import read_lines, unpacked
from ..heads import words_on_cycles
from ..merged import Reading
from .conllx import conllu_lines
from .formats import CONLLU, CONLLX, SPACY, treebank_files

ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(10)
N_COLUMNS = 10
EMPTY = "_"
MAX_DIGITS = 40  # of an ID or a HEAD: Python refuses to read thousands
ROOT_LABELS = ("root", "ROOT")
NO_SPACE = "SpaceAfter=No"
IF_CONLLX = "a file in CoNLL-X needs the suffix .conllx"


@dataclass
class Sentence:
    """The lines of a sentence. Word indices are 0-based; `words` keep all ten columns."""

    comments: list[str] = field(default_factory=list)
    words: list[list[str]] = field(default_factory=list)
    # HEAD as an index: -1 is the root, None is unknown
    heads: list[int | None] = field(default_factory=list)
    # Multiword tokens: first word, word after the last, columns without ID
    ranges: list[tuple[int, int, list[str]]] = field(default_factory=list)
    # Empty nodes: number of words before it, its number there (8.1 is 8, 1), columns without ID
    empty_nodes: list[tuple[int, int, list[str]]] = field(default_factory=list)
    # The words of multiword tokens that were made one word each
    readings: dict[int, Reading] = field(default_factory=dict)


class SurfaceToken(NamedTuple):
    """A word, or a multiword token, as it stands in the text."""

    start: int  # first word
    end: int  # word after the last
    form: str
    is_multiword: bool
    has_space: bool  # after it


def read_sentences(path: Path, format: str = CONLLU) -> Iterator[Sentence]:
    """The sentences of a file, or of the files of a folder; `treebank_files` tells which, and in which
    format they are.

    Heads that no tree can have become unknown, with a warning: those on a cycle (a word that heads
    itself among them) and, in CoNLL-U, every root but the first. A warning also tells of each root label
    of a file that is not `root`.

    Raises FileNotFoundError (NM080) without a file; ValueError: NM081 for a line that is not right,
    NM083 for a file that is not UTF-8, NM088 for one that is no CoNLL-X although its format is, NM140
    for a damaged archive, NM196 for one that holds no Docs although its suffix is `.spacy`.
    """
    for file, format_of_file in treebank_files(path, format):
        yield from _read_file(file, format_of_file)


def parse_sentences(text: str, name: str, first_line: int = 1) -> Iterator[Sentence]:
    """The sentences of a text in CoNLL-U, which errors call by that name."""
    lines = (line.rstrip("\r") for line in text.split("\n"))
    return _parse_lines(Path(name), enumerate(lines, start=first_line))


def forms(sentence: Sentence) -> list[str]:
    """The words."""
    return [columns[FORM] for columns in sentence.words]


def find_sent_id(comments: Iterable[str]) -> str:
    """The name of a sentence, "" if its comments give none."""
    pairs = (comment.lstrip("#").partition("=") for comment in comments)
    return next((value.strip() for key, _, value in pairs if key.strip() == "sent_id"), "")


def surface_tokens(sentence: Sentence) -> Iterator[SurfaceToken]:
    """The text's tokens: words, but a multiword token in the place of its words."""
    ranges = {start: (end, columns) for start, end, columns in sentence.ranges}
    word = 0
    while word < len(sentence.words):
        end, columns = ranges.get(word, (word + 1, sentence.words[word][1:]))
        has_space = is_before_space(columns[MISC - 1])
        yield SurfaceToken(word, end, columns[FORM - 1], word in ranges, has_space)
        word = end


def make_text(sentences: Sequence[Sentence]) -> str:
    """The text that the sentences are of."""
    tokens = [token for sentence in sentences for token in surface_tokens(sentence)]
    return "".join(token.form + " " * token.has_space for token in tokens).strip()


def is_before_space(misc: str) -> bool:
    """Whether a space follows what has that MISC."""
    return misc == EMPTY or NO_SPACE not in misc.split("|")


def _read_file(path: Path, format: str) -> Iterator[Sentence]:
    if format == SPACY:
        return _read_docs(path)
    return _parse_lines(path, read_lines(path), format)


def _read_docs(path: Path) -> Iterator[Sentence]:
    """The sentences of Docs, as the writer writes them."""
    from .writer import conllu_text

    try:
        with path.open("rb") as raw:
            docs = DocBin(store_user_data=True).from_bytes(unpacked(path.name, raw).read())
    except Exception as error:
        raise ValueError(Errors.NM196.format(path=path, reason=error)) from error
    # One that knows which tokens are white space
    vocab = create_vocab(None, BaseDefaults)
    for number, doc in enumerate(docs.get_docs(vocab), start=1):
        yield from parse_sentences(conllu_text(doc, str(number)), f"{path}, Doc {number}")


def _parse_lines(
    path: Path, lines: Iterable[tuple[int, str]], format: str = CONLLU
) -> Iterator[Sentence]:
    """lines: with their numbers."""
    known_labels = set(ROOT_LABELS)
    for numbered in sentence_lines(lines):
        if format == CONLLX:
            numbered = conllu_lines(path, numbered)
        yield _parse_sentence(path, numbered, known_labels)


def sentence_lines(lines: Iterable[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """The lines of each sentence with their numbers; empty lines are between sentences."""
    numbered: list[tuple[int, str]] = []
    for number, line in lines:
        if line:
            numbered.append((number, line))
        elif numbered:
            yield numbered
            numbered = []
    if numbered:
        yield numbered


def _parse_sentence(
    path: Path, numbered: list[tuple[int, str]], known_labels: set[str]
) -> Sentence:
    """known_labels: of roots; those that the sentence adds are warned of."""
    sentence = Sentence()
    line_numbers = []  # of words
    range_lines = []  # of multiword tokens
    for number, line in numbered:
        if line.startswith("#"):
            sentence.comments.append(line)
            continue
        columns = line.split("\t")
        _check_columns(path, number, columns)
        kind, first, second = _parse_id(path, number, columns[ID], len(sentence.words))
        if kind == "word":
            sentence.words.append(columns)
            line_numbers.append(number)
        elif kind == "range":
            sentence.ranges.append((first - 1, second, columns[1:]))
            range_lines.append(number)
        else:
            sentence.empty_nodes.append((first, second, columns[1:]))
    n_words = len(sentence.words)
    if n_words == 0:
        raise _line_error(path, numbered[-1][0], "a sentence without words", "one or more words")
    _check_ranges(path, sentence, range_lines)
    for number, columns in zip(line_numbers, sentence.words, strict=True):
        sentence.heads.append(_parse_head(path, number, columns[HEAD], n_words))
    _forget_impossible_heads(path, sentence, line_numbers)
    _tell_root_label(path, sentence, line_numbers, known_labels)
    return sentence


def _line_error(path: Path, line: int, found: str, expected: str) -> ValueError:
    return ValueError(Errors.NM081.format(path=path, line=line, found=found, expected=expected))


def _check_columns(path: Path, number: int, columns: list[str]) -> None:
    if len(columns) != N_COLUMNS:
        found = count(len(columns), "column")
        raise _line_error(path, number, found, f"{N_COLUMNS}, separated by tabs")
    if "" in columns:
        found = f"column {columns.index('') + 1} is empty"
        raise _line_error(path, number, found, "a value, or _ for none")
    for name, column in (("XPOS", XPOS), ("DEPREL", DEPREL)):
        if " " in columns[column]:
            found = f"{name} is {columns[column]!r}"
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


def _parse_id(path: Path, number: int, value: str, n_before: int) -> tuple[str, int, int]:
    """The kind of a line ("word", "range" or "empty node") and the one or two numbers in its ID."""
    if value == str(n_before + 1):
        return "word", n_before + 1, 0  # nearly always

    from conllu.exceptions import ParseException
    from conllu.parser import parse_id_value

    try:
        parsed = parse_id_value(value) if len(value) < MAX_DIGITS else None
    except ParseException:
        parsed = None
    if isinstance(parsed, int) and parsed == n_before + 1:
        return "word", parsed, 0  # 01
    if isinstance(parsed, tuple):
        first, sign, second = parsed
        if sign == "-" and first == n_before + 1:
            return "range", first, second
        if sign == "." and first == n_before:
            return "empty node", first, second
    after = n_before + 1
    expected = (
        f"{after} for a word, {after}-N for a multiword token or {n_before}.N for an empty node"
    )
    raise _line_error(path, number, f"ID is {value!r}", expected)


def _parse_head(path: Path, number: int, value: str, n_words: int) -> int | None:
    if value == EMPTY:
        return None
    head = _parse_number(value)
    if head is None or not 0 <= head <= n_words:
        raise _line_error(path, number, f"HEAD is {value!r}", f"0 (root) to {n_words}, or _")
    return head - 1


@lru_cache(maxsize=2**14)
def _parse_number(value: str) -> int | None:
    return int(value) if INTEGER.fullmatch(value) and len(value) < MAX_DIGITS else None


def _check_ranges(path: Path, sentence: Sentence, line_numbers: list[int]) -> None:
    covered = 0
    for number, (start, end, _) in zip(line_numbers, sentence.ranges, strict=True):
        found = f"the multiword token {start + 1}-{end}"
        if start < covered:
            raise _line_error(path, number, found, f"one that starts after word {covered}")
        if end > len(sentence.words):
            expected = f"one that ends within the {len(sentence.words)} words of the sentence"
            raise _line_error(path, number, found, expected)
        covered = end


def _forget_impossible_heads(path: Path, sentence: Sentence, line_numbers: list[int]) -> None:
    heads = sentence.heads
    texts = {word: Warnings.NM580 for word in sorted(words_on_cycles(heads))}
    roots = [word for word, head in enumerate(heads) if head == -1]
    texts.update({word: Warnings.NM581 for word in roots[1:]})
    for word, text in texts.items():
        form = sentence.words[word][FORM]
        warnings.warn(text.format(path=path, line=line_numbers[word], word=form), stacklevel=2)
        heads[word] = None


def _tell_root_label(
    path: Path, sentence: Sentence, line_numbers: list[int], known_labels: set[str]
) -> None:
    if -1 not in sentence.heads:
        return
    root = sentence.heads.index(-1)
    columns = sentence.words[root]
    if columns[DEPREL] not in known_labels:
        known_labels.add(columns[DEPREL])
        text = Warnings.NM583.format(
            path=path, line=line_numbers[root], word=columns[FORM], label=columns[DEPREL]
        )
        warnings.warn(text, stacklevel=2)
