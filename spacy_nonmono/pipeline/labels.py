"""Labels: what is written to a doc for the ids of a parse."""

from collections.abc import Iterable

import numpy
from spacy.pipeline._parser_internals.nonproj import decompose
from spacy.strings import StringStore, get_string_id

ROOT = "ROOT"
# The label of white space is spaCy's tag of it.
SPACE = "_SP"
# The ids of a root, and of a word that is attached without a label
ROOT_ID, UNLABELLED_ID = -1, -2


class LabelTable:
    """Tells what is written to a Doc for the label ids of a parse.

    lifted: whether a label may be `dep||headdep`, that of a lifted arc (Nivre & Nilsson 2005), which
    keeps the label of the head that the word had before.
    """

    def __init__(self, labels: Iterable[str], *, lifted: bool) -> None:
        pairs = [decompose(label) if lifted else (label, "") for label in labels]
        # The last two entries are those of the negative ids.
        self.pairs = [*((dep or "dep", head_dep) for dep, head_dep in pairs), ("dep", ""), (ROOT, "")]
        self.hashes = numpy.array(
            [[get_string_id(part) for part in pair] for pair in self.pairs], "uint64"
        )

    def add_to(self, strings: StringStore) -> None:
        """Add the labels to the strings of a vocab."""
        for label in {part for pair in self.pairs for part in pair}:
            strings.add(label)
        strings.add(SPACE)

    def read(self, heads: numpy.ndarray, labels: numpy.ndarray) -> numpy.ndarray:
        """Get the hashes of the labels of words, and of the labels that lifted arcs keep, 0 for none:
        (2, n).

        heads, labels: (n,), relative heads and label ids.
        """
        ids = numpy.where((heads != 0) & (labels == ROOT_ID), UNLABELLED_ID, labels)
        return self.hashes[ids].T
