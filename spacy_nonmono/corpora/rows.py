"""Parsed documents as rows of a table, one per word.

| Column | Type | |
|---|---|---|
| `doc_id` | string | the document |
| `sentence` | int32 | the number of the sentence in it, from 1 |
| `sent_id` | string | its name: that of the treebank, or the document and the number |
| `word` | int32 | the number of the word in the sentence, from 1, as in CoNLL-U |
| `form` | string | the word |
| `space_after` | bool | whether a space follows |
| `lemma`, `upos`, `xpos`, `feats` | string | null where the pipeline sets none |
| `head` | int32 | the number of the head in the sentence, 0 for a root; null if unknown |
| `deprel` | string | the label of the arc, `root` for a root; null if unknown |
| `dep_score` | float | the probability of the choice that made the arc; null if `dep_scores` is off |
"""

from collections.abc import Iterator, Sequence
from typing import Any

from spacy.tokens import Doc, Token

from ..extras import import_extra
from ..treebank.corpus import KEPT
from ..treebank.sentences import (
    DEPREL,
    EMPTY,
    FEATS,
    FORM,
    HEAD,
    ID,
    LEMMA,
    MISC,
    UPOS,
    XPOS,
    is_before_space,
)
from ..treebank.writer import SENT_ID, conllu_text, id_of

# The columns and their types as Spark calls them
ROW_COLUMNS = {
    "doc_id": "string",
    "sentence": "int",
    "sent_id": "string",
    "word": "int",
    "form": "string",
    "space_after": "boolean",
    "lemma": "string",
    "upos": "string",
    "xpos": "string",
    "feats": "string",
    "head": "int",
    "deprel": "string",
    "dep_score": "float",
}
ARROW = {"string": "string", "int": "int32", "boolean": "bool", "float": "float32"}
TEXTS = (LEMMA, UPOS, XPOS, FEATS)


def doc_rows(doc_id: str, doc: Doc) -> Iterator[tuple[Any, ...]]:
    """The values of ROW_COLUMNS for every word that CoNLL-U has; whitespace is left out."""
    scores = _scores(doc)
    n_tokens = 0
    for number, sentence in enumerate(conllu_text(doc, doc_id).split("\n\n")[:-1], start=1):
        sent_id, last = None, 0
        for line in sentence.split("\n"):
            if line.startswith(SENT_ID):
                sent_id = line.removeprefix(SENT_ID)
            if line.startswith("#"):
                continue
            columns = line.split("\t")
            if "-" in columns[ID] and KEPT not in doc.user_data:
                last = int(columns[ID].partition("-")[2])  # the next words are those of one token
            if not columns[ID].isdecimal():
                continue  # a multiword token, an empty node
            is_inside = int(columns[ID]) < last
            texts = (None if columns[i] == EMPTY else columns[i] for i in TEXTS)
            head = None if columns[HEAD] == EMPTY else int(columns[HEAD])
            yield (
                doc_id,
                number,
                sent_id or f"{id_of(doc_id)}-{number}",
                int(columns[ID]),
                columns[FORM],
                is_before_space(columns[MISC]),
                *texts,
                head,
                None if head is None else columns[DEPREL],
                scores[n_tokens] if scores else None,
            )
            n_tokens += not is_inside


def _scores(doc: Doc) -> list[float]:
    """Of the words that CoNLL-U has; empty if the parser gives none."""
    if not Token.has_extension("dep_score"):
        return []
    scores = [token._.dep_score for token in doc if KEPT in doc.user_data or not token.is_space]
    return [] if None in scores else scores


def arrow_columns(rows: Sequence[tuple[Any, ...]]) -> list[Any]:
    """An Arrow array for each of ROW_COLUMNS."""
    arrow = import_extra("pyarrow")
    columns = zip(*rows, strict=True) if rows else [() for _ in ROW_COLUMNS]
    return [
        arrow.array(values, ARROW[kind])
        for values, kind in zip(columns, ROW_COLUMNS.values(), strict=True)
    ]
