"""A sentence of a treebank, and a document: every reader gives them, every writer takes them.

A sentence has the lines of CoNLL-U (https://universaldependencies.org/format), split into columns and
otherwise as they are written, so that a file can be written again as it was.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple, TypeVar

from ..tokens.merged import Reading

T = TypeVar("T")

ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(10)
COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
N_COLUMNS = len(COLUMNS)
EMPTY = "_"
ROOT_LABELS = ("root", "ROOT")
NO_SPACE = "SpaceAfter=No"
CONFIDENCE = "Conf="
SCORE = re.compile(CONFIDENCE + r"([01](?:\.\d+)?)")
# Comments in front of a sentence
SENT_ID, TEXT_IS = "# sent_id = ", "# text = "


class Range(NamedTuple):
    """A multiword token. columns: all, as they are written."""

    start: int  # first word, from 0
    end: int  # word after the last
    columns: list[str]


class SurfaceToken(NamedTuple):
    """A word, or a multiword token, as it stands in the text."""

    start: int  # first word
    end: int  # word after the last
    form: str
    is_multiword: bool
    has_space: bool  # after it


@dataclass
class Sentence:
    """rows: its lines in their order. A word, a multiword token and an empty node have ten columns (more
    in CoNLL-U Plus), a comment and an empty line have one. IDs count from 1, everything else here counts
    words from 0. scores: of the words' arcs, between 0 and 1; none where the parser gives none.
    readings: the words of multiword tokens that were made one word each. header: the comment that tells
    its columns (`# global.columns`), which may stand above another sentence; "" if there is none.
    """

    rows: list[list[str]]
    scores: list[float | None] = field(default_factory=list)
    readings: dict[int, Reading] = field(default_factory=dict)
    header: str = field(default="", compare=False)
    # Those of the rows that are words: the same lists
    words: list[list[str]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.words = [row for row in self.rows if row[ID].isdecimal()]

    @property
    def heads(self) -> list[int | None]:
        """-1 is the root, None is unknown."""
        return [None if row[HEAD] == EMPTY else int(row[HEAD]) - 1 for row in self.words]

    @property
    def forms(self) -> list[str]:
        return [row[FORM] for row in self.words]

    @property
    def comments(self) -> list[str]:
        return [row[0] for row in self.rows if row[0].startswith("#")]

    @property
    def ranges(self) -> list[Range]:
        found = []
        for row in self.rows:
            if len(row) > 1 and "-" in row[ID]:
                first, _, last = row[ID].partition("-")
                found.append(Range(int(first) - 1, int(last), row))
        return found

    @property
    def sent_id(self) -> str:
        """Its name, "" if its comments give none."""
        return self.find_comment("sent_id") or ""

    def find_comment(self, key: str) -> str | None:
        """Return the value of the first comment `# key = value`; None if there is none."""
        pairs = (comment.lstrip("#").partition("=") for comment in self.comments)
        return next((value.strip() for name, _, value in pairs if name.strip() == key), None)

    def add_comment(self, comment: str) -> None:
        """Behind the comments that stand in front of the first word."""
        first = next(i for i, row in enumerate(self.rows) if len(row) > 1)
        self.rows.insert(first, [comment])

    def surface_tokens(self) -> Iterator[SurfaceToken]:
        """Yield the text's tokens: words, but a multiword token in the place of its words."""
        ranges = {found.start: found for found in self.ranges}
        word = 0
        while word < len(self.words):
            found = ranges.get(word, Range(word, word + 1, self.words[word]))
            columns = found.columns
            yield SurfaceToken(
                *(word, found.end, columns[FORM], word in ranges), is_before_space(columns[MISC])
            )
            word = found.end

    def is_spelled(self, found: Range) -> bool:
        """Do the words of a multiword token spell it?"""
        return found.columns[FORM] == "".join(self.forms[found.start : found.end])

    @property
    def spaces(self) -> list[bool]:
        """Of each word, whether a space follows; inside a multiword token there are none."""
        spaces = [is_before_space(word[MISC]) for word in self.words]
        for start, end, columns in self.ranges:
            spaces[start:end] = [False] * (end - start - 1) + [is_before_space(columns[MISC])]
        return spaces


@dataclass
class Document:
    """name: that of its file, or of the file and the line. newline: what ends a line in the file."""

    name: str
    sentences: list[Sentence]
    newline: str = "\n"


def make_text(sentences: Sequence[Sentence]) -> str:
    """Return the text that the sentences are of."""
    tokens = (token for sentence in sentences for token in sentence.surface_tokens())
    return "".join(token.form + " " * token.has_space for token in tokens).strip(" ")


def columns_above(header: str, comments: Iterable[str], before: str) -> str:
    """Return the comment that must stand above a sentence to tell its columns; "" if none needs to.
    header, comments: of the sentence. before: the header of the one in front of it."""
    return "" if header in (before, *comments) else header


def sentence_texts(sentences: Iterable[Sentence]) -> Iterator[str]:
    """Yield the text of each sentence, with what tells its columns above those that need it."""
    before = ""
    for sentence in sentences:
        above = columns_above(sentence.header, sentence.comments, before)
        yield f"{above}\n{sentence_text(sentence)}" if above else sentence_text(sentence)
        before = sentence.header


def sentence_text(sentence: Sentence, newline: str = "\n") -> str:
    """Return the lines of a sentence, an empty line after them."""
    rows = [*sentence.rows, [""]] if sentence.rows[-1][0].strip() else sentence.rows
    return "".join("\t".join(row) + newline for row in rows)


def write_confidence(sentence: Sentence) -> None:
    """Write the scores of the words' arcs to MISC, if there are any, in the place of those that stand
    there."""
    words = sentence.words
    for word, score in zip(words, sentence.scores or [None] * len(words), strict=True):
        old = word[MISC].split("|")
        kept = [one for one in old if one != EMPTY and not one.startswith(CONFIDENCE)]
        new = [] if score is None else [f"{CONFIDENCE}{score:.3f}"]
        word[MISC] = "|".join([*kept, *new]) or EMPTY


def read_confidence(sentence: Sentence) -> list[float | None]:
    """Read the scores of the words' arcs from MISC; None where there is none."""
    scores: list[float | None] = []
    for word in sentence.words:
        found = map(SCORE.fullmatch, word[MISC].split("|"))
        scores.append(next((float(one[1]) for one in found if one), None))
    return scores


def tag_of(word: list[str]) -> str:
    """Return the UPOS of a word; where there is none, as in a CoNLL-X file, its XPOS, which may be
    EMPTY, too."""
    return word[XPOS] if word[UPOS] == EMPTY else word[UPOS]


def is_before_space(misc: str) -> bool:
    """Return whether a space follows a token that has this MISC."""
    return misc == EMPTY or NO_SPACE not in misc.split("|")


def groups(sentences: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield groups of as many sentences as a Doc is to have."""
    sentences = iter(sentences)
    while group := list(islice(sentences, size)):
        yield group
