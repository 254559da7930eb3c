"""L2: a file's own lines stay as they are, but for HEAD, DEPREL and the score of the arc.

What else may change is here: comments in ADDED; lemma and tags of a word without UPOS, where the line
has none; the ends of lines and the number of empty lines, as long as sentences stay apart.
"""

import re
from collections import Counter
from collections.abc import Iterator

from .expected import Parsed
from .inputs import Case
from .reading import lines_of, read_conllu, sizes, take_score
from .texts import PER_DOCUMENT, Expected

ADDED = re.compile(r"# (sent_id|text|newdoc id|global\.columns) = ")
Problems = Iterator[str]


def own_lines(case: Case, data: bytes, documents: list[tuple[Expected, Parsed]]) -> Problems:
    """A file's own lines stay, but for HEAD and DEPREL."""
    kept = {id(document) for document, _ in documents}
    wanted: list[str] = []
    groups: list[int] = []  # words of each sentence
    at = 0
    for plain in case.plain:
        read = read_conllu(plain, PER_DOCUMENT)
        for document in read:
            if id(case.documents[at]) in kept:
                wanted += lines_of(plain, document.first_line, document.last_line)
                groups += [len(sentence.words) for sentence in document.sentences]
            at += 1
    found = lines_of(data)
    if (n := sizes(data)) != groups:
        yield f"L2 sentences: they have {n} words instead of {groups}"
    names: Counter[str] = Counter()
    i = 0
    for line in found:
        if i < len(wanted) and same_line(line, wanted[i]):
            i += 1
            continue
        match = ADDED.match(line)
        if match is None:
            expected = wanted[i] if i < len(wanted) else "the end"
            yield f"L2 lines: {line!r} instead of {expected!r}"
            return
        names[match[1]] += 1
    if i < len(wanted):
        yield f"L2 lines: {wanted[i]!r} is missing"
    own = [sentence for document, _ in documents for sentence in document.sentences]
    written = [sentence for document in read_conllu(data) for sentence in document.sentences]
    for before, sentence in zip(own, written, strict=False):
        for key in ("sent_id", "text"):
            if len(sentence.comment(key)) != max(1, len(before.comment(key))):
                yield f"L2 comments: {key} {len(sentence.comment(key))} times: {sentence.lines}"
                return


def same_line(found: str, wanted: str) -> bool:
    if found == wanted:
        return True
    row, own = found.split("\t"), wanted.split("\t")
    if found.startswith("#") or len(row) != len(own) or not own[0].isdecimal():
        return False
    row[9], own[9] = take_score(row[9])[0], take_score(own[9])[0]
    may = {6, 7}
    if own[3] == "_":
        may |= {column for column in range(2, 6) if own[column] == "_"}
    return all(a == b for column, (a, b) in enumerate(zip(row, own, strict=True)) if column not in may)
