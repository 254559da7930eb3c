"""The collocates of the words of docs, as scorers read them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from spacy.tokens import Doc

from ..tokens.tables import COLLOCATIONS, find_table
from ..tokens.white_space import words_of


@dataclass
class DocCollocations:
    """The dictionary of collocations of a batch of docs, and the words to look up in it.

    table: the `Collocations` of the pipeline that the docs belong to. words, tags: of all docs, one
    behind the other. all_pairs: as for `Collocations.collocates`.
    """

    table: Any
    words: list[str]
    tags: list[str]
    all_pairs: bool = False

    def index(self, lengths: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
        """Find the collocates of each word: where they begin (N + 1,), and which they are (M,), numbered
        within the sentence; int32. lengths: of the sentences, N words in all."""
        counts: list[numpy.ndarray] = [numpy.zeros((1,), dtype="i")]
        partners: list[numpy.ndarray] = [numpy.zeros((0,), dtype="i")]
        first = 0
        for n in lengths.tolist():
            part = slice(first, first + n)
            found = self.table.collocates(
                self.words[part], self.tags[part], all_pairs=self.all_pairs
            )
            counts.append(numpy.diff(found.starts))
            partners.append(found.partners)
            first += n
        return numpy.cumsum(numpy.concatenate(counts), dtype="i"), numpy.concatenate(partners)


def doc_collocations(docs: Sequence[Doc], *, all_pairs: bool = False) -> DocCollocations | None:
    """Get what finds the collocates of docs; None if their pipeline has no collocations."""
    table = find_table(docs[0].vocab, COLLOCATIONS) if docs else None
    if table is None:
        return None
    words = [doc[i] for doc in docs for i in words_of(doc).tolist()]
    return DocCollocations(
        table, [token.text for token in words], [token.pos_ for token in words], all_pairs
    )


def collocates_of(
    collocations: DocCollocations | None, lengths: numpy.ndarray
) -> tuple[numpy.ndarray, numpy.ndarray] | None:
    """Find the collocates of a batch of sentences, as `DocCollocations.index` does; None without a
    dictionary."""
    return None if collocations is None else collocations.index(lengths)
