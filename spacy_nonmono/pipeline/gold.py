"""Gold trees in the form that training reads, from spaCy's examples."""

from typing import NamedTuple

import numpy
from spacy.attrs import DEP, HEAD, ORTH, SENT_START
from spacy.training import Example

UNKNOWN_HEAD = -2
ROOT = -1


class GoldParse(NamedTuple):
    """The gold tree of one doc, for the words of the predicted doc.

    heads: (n,) int32, index in the doc, -1 root, -2 not annotated. labels: (n,) int32, id of the
    label, -1 not annotated. starts: (n,) int32, 1 starts a sentence, -1 does not, 0 unknown.
    """

    heads: numpy.ndarray
    labels: numpy.ndarray
    starts: numpy.ndarray


def read_gold(example: Example, label_ids: dict[int, int]) -> GoldParse:
    """The gold tree of an example; what is not annotated or does not align is unknown.

    label_ids: hash of a label -> its id.
    """
    predicted, reference = example.predicted, example.reference
    if len(predicted) == len(reference) and numpy.array_equal(
        predicted.to_array([ORTH]), reference.to_array([ORTH])
    ):
        array = reference.to_array([HEAD, DEP, SENT_START]).reshape(-1, 3)
        offsets = array[:, 0].astype("int64").astype("int32")
        heads = numpy.arange(len(reference), dtype="i") + offsets
        deps, starts = array[:, 1], array[:, 2].astype("int64").astype("int32")
    else:
        heads, deps, starts = read_aligned(example)
    own = numpy.arange(len(heads), dtype="i")
    heads = numpy.where(heads == own, ROOT, heads)
    heads = numpy.where((deps == 0) | (heads < ROOT), UNKNOWN_HEAD, heads).astype("i")
    labels = numpy.array([label_ids.get(int(dep), -1) for dep in deps], dtype="i")
    return GoldParse(heads, labels, starts.astype("i"))


def read_aligned(example: Example) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Heads, label hashes and sentence starts by alignment, where tokens differ."""
    aligned_heads, aligned_deps = example.get_aligned_parse(projectivize=False)
    strings = example.reference.vocab.strings
    deps = [strings.as_int(dep) if dep else 0 for dep in aligned_deps]
    heads = [UNKNOWN_HEAD if head is None else head for head in aligned_heads]
    starts = [start or 0 for start in example.get_aligned_sent_starts()]
    return (
        numpy.array(heads, dtype="i"),
        numpy.array(deps, dtype="uint64"),
        numpy.array(starts, dtype="i"),
    )
