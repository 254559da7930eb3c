"""Checks of arrays against each other, once per call, before C code reads them without any.

Arrays are whatever numpy can look at. Every function raises ValueError (NM020), `check_finite` NM220.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

import numpy

from .errors import Errors

# The head of a word whose head is not annotated. The root's head is -1.
UNKNOWN_HEAD = -2
N_SHOWN = 60  # characters of a Doc in an error
# The label of a word of which only the head is annotated, as in CoNLL-U
UNKNOWN_LABEL = "_"


def unfit(name: str, found: Any, expected: Any) -> ValueError:
    """NM020: an array, or a model, that does not fit the others."""
    return ValueError(Errors.NM020.format(name=name, found=found, expected=expected))


def check_shape(name: str, array: Any, *expected: int) -> None:
    found = tuple(array.shape)[: len(expected)]
    if found != expected:
        raise unfit(name, f"the shape {found}", expected)


def check_at_least(name: str, array: Any, axis: int, least: int) -> None:
    if array.shape[axis] < least:
        raise unfit(name, f"the shape {tuple(array.shape)}", f"{least} or more on axis {axis}")


def check_values(name: str, array: Any, first: int, last: int) -> None:
    """Check that all values lie from `first` to `last`."""
    values = numpy.asarray(array)
    if values.size and (values.min() < first or values.max() > last):
        raise unfit(name, f"{values.min()} to {values.max()}", f"{first} to {last}")


def check_finite(name: str, array: Any, words: Iterable[Any]) -> None:
    """NM220 unless the numbers of an array (N, width) are finite. words: the tokens whose vectors they
    are."""
    finite = numpy.isfinite(array)
    if not finite.all():
        word = next(islice(words, int(finite.all(axis=1).argmin()), None))
        message = Errors.NM220.format(name=name, word=word.text, i=word.i, doc=word.doc.text[:N_SHOWN])
        raise ValueError(message)


def check_lengths(lengths: Any, n_words: int, most: int) -> None:
    """Check that the lengths of sentences, none above `most`, add up to the words."""
    values = numpy.asarray(lengths)
    check_values("lengths", values, 0, most)
    if (total := int(values.sum(dtype="int64"))) != n_words:
        raise unfit("the sum of the lengths", total, n_words)


def check_heads(name: str, heads: Any, lengths: Any) -> None:
    """Heads (N,) are other words of their own sentence, or below 0."""
    heads_N, lengths_S = numpy.asarray(heads), numpy.asarray(lengths)
    n_words = int(lengths_S.sum(dtype="int64"))
    check_shape(name, heads_N, n_words)
    end_N = numpy.repeat(lengths_S, lengths_S)
    word_N = numpy.arange(n_words) - numpy.repeat(numpy.cumsum(lengths_S) - lengths_S, lengths_S)
    bad_N = (heads_N >= end_N) | (heads_N == word_N)
    if bad_N.any():
        k = int(bad_N.argmax())
        expected = f"-2 (unknown), -1 (the root), or another word of the sentence, to {end_N[k] - 1}"
        raise unfit(f"{name}[{k}]", heads_N[k], expected)


def check_collocates(collocates: Sequence[Any] | None, lengths: Any) -> None:
    """None, or where those of each word begin (N + 1,), and which of its sentence they are (M,)."""
    if collocates is None:
        return
    starts, partners = map(numpy.asarray, collocates)
    lengths_S = numpy.asarray(lengths)
    check_shape("collocates[0]", starts, int(lengths_S.sum(dtype="int64")) + 1)
    check_values("collocates[0]", starts, 0, len(partners))
    n_each_N = numpy.diff(starts)
    check_values("numbers of collocates", n_each_N, 0, len(partners))
    # What is still to come in the sentence behind each one: 1 or more.
    end_M = numpy.repeat(numpy.repeat(lengths_S, lengths_S), n_each_N)
    used_M = partners[starts[0] : starts[-1]]
    check_values("collocates[1]", used_M, 0, int(lengths_S.max(initial=1)) - 1)
    check_values("words behind collocates", end_M - used_M, 1, int(lengths_S.max(initial=1)))
