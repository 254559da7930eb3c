"""Slow, obvious readers of what the campaign feeds and of what comes out. They import nothing of
spacy_nonmono, so that they cannot share its faults."""

import io
import json
import re
from dataclasses import dataclass, field
from typing import Any

import pyarrow.parquet
from spacy.tokens import DocBin
from spacy.vocab import Vocab

NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=(.*)|\s*)$")


@dataclass
class Sentence:
    """A block of lines between empty ones that has words. Heads are numbers as in the file."""

    lines: list[str] = field(default_factory=list)

    @property
    def comments(self) -> list[str]:
        return [line for line in self.lines if line.startswith("#")]

    @property
    def rows(self) -> list[list[str]]:
        """All lines but comments."""
        return [line.split("\t") for line in self.lines if not line.startswith("#")]

    @property
    def words(self) -> list[list[str]]:
        return [row for row in self.rows if row[0].isdecimal()]

    @property
    def ranges(self) -> list[tuple[int, int, list[str]]]:
        """First and last word, and the columns."""
        rows = [row for row in self.rows if re.fullmatch(r"\d+-\d+", row[0])]
        return [(*map(int, row[0].split("-")), row) for row in rows]  # type: ignore[misc]

    def comment(self, key: str) -> list[str]:
        """The values of comments with that key."""
        pairs = [line[1:].partition("=") for line in self.comments]
        return [value.strip() for name, _, value in pairs if name.strip() == key]


@dataclass
class Document:
    """id: what a `newdoc` says, None without one."""

    id: str | None = None
    is_marked: bool = False
    sentences: list[Sentence] = field(default_factory=list)
    first_line: int = 1
    last_line: int = 1


def split_lines(data: bytes) -> list[str]:
    """Lines without their ends; only a line feed ends one. A byte order mark is no part of a file."""
    return [line.rstrip("\r") for line in data.decode("utf-8-sig", "surrogateescape").split("\n")]


def is_blank(line: str) -> bool:
    return not line.strip(" \t\r")


def blocks(lines: list[str]) -> list[tuple[int, list[str]]]:
    """What is between empty lines, with the number of its first line."""
    found: list[tuple[int, list[str]]] = []
    is_new = True
    for number, line in enumerate(lines, start=1):
        if is_blank(line):
            is_new = True
            continue
        if is_new:
            found.append((number, []))
            is_new = False
        found[-1][1].append(line)
    return found


def has_words(lines: list[str]) -> bool:
    return any(not line.startswith("#") for line in lines)


def newdoc_of(lines: list[str]) -> str | None:
    """The id that a block's `newdoc` says, "" if none; None without a `newdoc`."""
    for line in lines:
        if found := NEWDOC.match(line):
            return (found[1] or "").strip()
    return None


def read_conllu(data: bytes, per_document: int = 0) -> list[Document]:
    """per_document: the sentences that are a document where no `newdoc` is; 0: all."""
    found: list[Document] = []
    is_marked = False
    for number, lines in blocks(split_lines(data)):
        newdoc = newdoc_of(lines)
        is_marked = is_marked or newdoc is not None
        full = found and per_document and len(found[-1].sentences) == per_document and not is_marked
        begins = newdoc is not None and found and found[-1].sentences
        if not found or ((full or begins) and has_words(lines)):
            found.append(Document(first_line=number))
        if newdoc is not None:
            found[-1].id, found[-1].is_marked = newdoc, True
        if has_words(lines):
            found[-1].sentences.append(Sentence(lines))
        found[-1].last_line = number + len(lines)
    return found


def take_score(misc: str) -> tuple[str, float | None]:
    """MISC without the score of the arc, and the score."""
    kept = [one for one in misc.split("|") if not one.startswith("Conf=")]
    scores = [float(one.removeprefix("Conf=")) for one in misc.split("|") if one.startswith("Conf=")]
    return "|".join(kept) or "_", scores[0] if len(scores) == 1 else None


def lines_of(data: bytes, first: int = 1, last: int = 10**9) -> list[str]:
    """The lines of CoNLL-U that are not empty."""
    numbered = enumerate(split_lines(data), start=1)
    return [line for number, line in numbered if first <= number <= last and not is_blank(line)]


def sizes(lines_data: bytes) -> list[int]:
    """The number of words of each block that has some."""
    found = [Sentence(lines) for _, lines in blocks(split_lines(lines_data)) if has_words(lines)]
    return [len(sentence.words) for sentence in found]


def read_jsonl(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.decode("utf-8").split("\n") if line]


def read_parquet(data: bytes) -> list[dict[str, Any]]:
    return pyarrow.parquet.read_table(io.BytesIO(data), use_threads=False, pre_buffer=False).to_pylist()


def read_docs(data: bytes) -> list[Any]:
    return list(DocBin(store_user_data=True).from_bytes(data).get_docs(Vocab()))
