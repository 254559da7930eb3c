"""Sentences of the CoNLL-X and CoNLL 2007 shared tasks (Buchholz & Marsi 2006; Nivre et al. 2007), in
the columns of CoNLL-U.

A line is a word: ID FORM LEMMA CPOSTAG POSTAG FEATS HEAD DEPREL PHEAD PDEPREL. There are no comments,
multiword tokens or empty nodes.

- POSTAG becomes XPOS. UPOS is `_`: CPOSTAG is of another set in every treebank, and spaCy takes
  universal tags only. CPOSTAG, PHEAD and PDEPREL are not read.
- FEATS may be anything between `|`. What is not `Name=Value` becomes `Name=Yes`; the values of one name
  are joined by commas.
- Any number of words may have the HEAD 0, but a sentence of ours has one root: the first of them that is
  not punctuation, or else the first. The others become its dependents and keep their labels. No arc
  crosses another one because of that.
"""

from collections.abc import Sequence
from pathlib import Path

from spacy.lang.lex_attrs import is_punct

from ..errors import Errors, count
from .sentences import EMPTY, FORM, HEAD, ID, N_COLUMNS

ROOT_HEAD = "0"  # as a HEAD


def conllu_lines(path: Path, numbered: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the lines of a sentence, with their numbers, as lines of CoNLL-U.

    path: of the file, for errors.

    Raises ValueError (NM088) for a line that is no word of CoNLL-X.
    """
    words = [
        _conllu_columns(path, number, line, n_before)
        for n_before, (number, line) in enumerate(numbered)
    ]
    _join_roots(words)
    return [(number, "\t".join(word)) for (number, _), word in zip(numbered, words, strict=True)]


def _conllu_columns(path: Path, number: int, line: str, n_before: int) -> list[str]:
    columns = line.split("\t")
    found = expected = ""
    if line.startswith("#"):
        found, expected = "a comment", "a word"
    elif len(columns) != N_COLUMNS:
        found = count(len(columns), "column")
        expected = f"{N_COLUMNS}, separated by tabs"
    elif columns[0] != str(n_before + 1):
        found, expected = f"ID is {columns[0]!r}", str(n_before + 1)
    if found:
        message = Errors.NM088.format(path=path, line=number, found=found, expected=expected)
        raise ValueError(message)
    word, form, lemma, _, tag, feats, head, label, _, _ = columns
    return [word, form, lemma, EMPTY, tag, _named(feats), head, label, EMPTY, EMPTY]


def _join_roots(words: list[list[str]]) -> None:
    """Leave one root, and attach the others to it."""
    # In the order of the words, but punctuation last
    roots = sorted(
        (columns for columns in words if columns[HEAD] == ROOT_HEAD),
        key=lambda columns: is_punct(columns[FORM]),
    )
    for columns in roots[1:]:
        columns[HEAD] = roots[0][ID]


def _named(feats: str) -> str:
    """FEATS as Name=Value pairs, each name once."""
    if feats in ("", EMPTY):
        return feats
    values: dict[str, dict[str, None]] = {}
    for feature in filter(None, feats.split("|")):
        name, _, value = feature.partition("=")
        if feature.count("=") != 1:
            name, value = feature.replace("=", "-"), "Yes"
        values.setdefault(name, {})[value] = None
    return "|".join(f"{name}={','.join(of_name)}" for name, of_name in values.items()) or EMPTY
