"""One table of the words of a parsed file: what the gold tree and the predicted tree say of each word.

Breakdowns and confusions are groups of its rows. `write_words` makes a CSV file of it, for pandas and
others, with one row per word and these columns:

- `pipeline`, `setting`: what made the predicted tree, and with which sentence boundaries.
- `word`: the number of the word in the file, from 1 on. `sentence`: that of its sentence. `sent_id`: the
  name of the sentence, if it has one. `id`: the number of the word in its sentence. `form`: the word.
- `upos`: the gold UPOS; where there is none the gold XPOS; `_` where there is neither. `punct`: 1 for
  punctuation, as scores without punctuation count it, else 0.
- `head`, `label`, `head_upos`, `distance`, `crossing`: the number (`word`) of the gold head, 0 for a
  root; the gold label; the `upos` of the head, `root` for a root; how many words further the head is, 0
  for a root; 1 if the gold arc is non-projective, else 0.
- `predicted_head` and so on: the same of the predicted tree. `predicted_head_upos` is `none` if there is
  no head.
- `confidence`: the parser's score of the predicted arc, if it has one.
- `right_head`, `right_arc`: 1 if the head is right, and if head and label are right, else 0. They are
  empty where a word does not count, so that their means are UAS and LAS.

What is not known is empty.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..files import write_csv
from ..shapes import UNKNOWN_HEAD, UNKNOWN_LABEL
from .evaluate import ParsedFile
from .scores import ROOT_HEAD, Parses, arc_offsets, crossing_words, right_words

NO_TAG, NO_HEAD, ROOT = "_", "none", "root"


class WordTable:
    """The table of the N words of a parsed file; each attribute that ends in `_N` is one of its columns.

    counted_N: is the gold head known? has_label_N: is the gold label known, too? has_head_N: is there a
    predicted head? right_N: is it right? labelled_N: is the label right, too? crossing_N and
    predicted_crossing_N: is the arc non-projective? sentences_N: the gold sentence, from 0 on. tags_N,
    head_tags_N, predicted_head_tags_N: as `upos` and so on in the file.
    """

    def __init__(self, parsed: ParsedFile) -> None:
        self.parsed = parsed
        self.gold, self.predicted = gold, predicted = parsed.gold, parsed.predicted
        self.counted_N = gold.heads_N != UNKNOWN_HEAD
        self.has_label_N = self.counted_N & (gold.labels_N != UNKNOWN_LABEL)
        self.has_head_N = predicted.heads_N != UNKNOWN_HEAD
        self.right_N, self.labelled_N = right_words(gold, predicted)
        self.crossing_N, self.predicted_crossing_N = crossing_words(gold), crossing_words(predicted)
        self.sentences_N = np.cumsum(gold.starts_N) - 1
        self.tags_N = np.array([tag or NO_TAG for tag in parsed.tags], dtype=str)
        self.head_tags_N, self.predicted_head_tags_N = map(self._head_tags, (gold, predicted))

    def _head_tags(self, parses: Parses) -> NDArray[np.str_]:
        others = {ROOT_HEAD: ROOT, UNKNOWN_HEAD: NO_HEAD}
        tags = [others[head] if head < 0 else self.tags_N[head] for head in parses.heads_N.tolist()]
        return np.array(tags, dtype=str)

    def columns(self) -> dict[str, Sequence[Any]]:
        """Return the columns of the file by name, without those of the pipeline and the setting."""
        sentences = self.parsed.gold_sentences
        numbers_N = np.arange(1, len(self.tags_N) + 1)
        before_N = np.flatnonzero(self.gold.starts_N)[self.sentences_N]
        scores = [one.scores or [None] * len(one.words) for one in self.parsed.sentences]
        return {
            "word": numbers_N.tolist(),
            "sentence": (self.sentences_N + 1).tolist(),
            "sent_id": [one.sent_id for one in sentences for _ in one.words],
            "id": (numbers_N - before_N).tolist(),
            "form": [form for one in sentences for form in one.forms],
            "upos": self.tags_N.tolist(),
            "punct": self.gold.punct_N.astype(int).tolist(),
            **_arcs("", self.gold, self.head_tags_N, self.crossing_N),
            **_arcs(
                "predicted_", self.predicted, self.predicted_head_tags_N, self.predicted_crossing_N
            ),
            "confidence": [score for some in scores for score in some],
            "right_head": _where(self.counted_N, self.right_N),
            "right_arc": _where(self.has_label_N, self.labelled_N),
        }


def write_words(path: str | Path, parsed: Mapping[tuple[str, str], ParsedFile]) -> None:
    """Write the tables of several parsed files into one CSV file, one after the other.

    parsed: by the name of the pipeline and the setting.

    Raises OSError (NM169) if the file cannot be written.
    """
    tables = {key: WordTable(one).columns() for key, one in parsed.items()}
    header = ["pipeline", "setting", *next(iter(tables.values()), ())]
    rows = (
        [*key, *row]
        for key, columns in tables.items()
        for row in zip(*columns.values(), strict=True)
    )
    write_csv(path, header, rows)


def _arcs(
    prefix: str, parses: Parses, tags_N: NDArray[np.str_], crossing_N: NDArray[np.bool_]
) -> dict[str, Sequence[Any]]:
    has_head_N = parses.heads_N != UNKNOWN_HEAD
    return {
        f"{prefix}head": _where(has_head_N, parses.heads_N + 1),
        f"{prefix}label": parses.labels_N.tolist(),
        f"{prefix}head_upos": tags_N.tolist(),
        f"{prefix}distance": _where(has_head_N, np.abs(arc_offsets(parses))),
        f"{prefix}crossing": _where(has_head_N, crossing_N),
    }


def _where(known_N: NDArray[np.bool_], values_N: NDArray[Any]) -> list[int | None]:
    """Return the values as numbers, and None where they are not known."""
    pairs = zip(known_N.tolist(), values_N.tolist(), strict=True)
    return [int(value) if is_known else None for is_known, value in pairs]
