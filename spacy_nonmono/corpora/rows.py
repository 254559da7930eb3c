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

from ..installed import import_extra
from ..treebank.sentences import DEPREL, EMPTY, FORM, HEAD, LEMMA, Document

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


def document_rows(document: Document) -> Iterator[tuple[Any, ...]]:
    """Yield the values of ROW_COLUMNS for every word."""
    for number, sentence in enumerate(document.sentences, start=1):
        words, spaces = sentence.words, sentence.spaces
        scores = sentence.scores or [None] * len(words)
        sent_id = sentence.sent_id
        for i, (columns, space, score) in enumerate(zip(words, spaces, scores, strict=True), start=1):
            texts = (None if text == EMPTY else text for text in columns[LEMMA:HEAD])
            is_known = columns[HEAD] != EMPTY
            yield (
                *(document.name, number, sent_id, i, columns[FORM], space, *texts),
                int(columns[HEAD]) if is_known else None,
                columns[DEPREL] if is_known else None,
                score,
            )


def arrow_columns(rows: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Return an Arrow array for each of ROW_COLUMNS."""
    arrow = import_extra("pyarrow")
    columns = zip(*rows, strict=True) if rows else [() for _ in ROW_COLUMNS]
    return [
        arrow.array(values, ARROW[kind])
        for values, kind in zip(columns, ROW_COLUMNS.values(), strict=True)
    ]
