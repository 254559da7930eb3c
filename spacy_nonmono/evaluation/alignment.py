"""The words of two analyses of one text, aligned as in the CoNLL 2018 shared task (Zeman et al. 2018).

Both have the same characters in the same order, whitespace aside. So a token covers a span of these
characters, and so does a sentence.

Words that are tokens of the same span are aligned. A stretch is what a multiword token of either side
covers, together with every other one that overlaps with it. The words that lie within a stretch are
aligned by the longest common subsequence of their forms in lower case. Of several longest ones it is
the first from the left, which passes over a gold word rather than a predicted one.

The program of the shared task departs from this at the edges of a stretch. Where both sides divide the
text in front of it in different ways it takes in words from there, and it takes in a gold word that
begins with the stretch but is longer. This shows only where forms are the same by chance.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import Errors
from ..treebank.sentences import Sentence

UNALIGNED = -1
SHOWN = 20  # characters of a text in an error


@dataclass(frozen=True)
class Segmentation:
    """The N words, T tokens and S sentences of a text. A span is the place of the first character and
    the one after the last, whitespace not counted; a word of a multiword token has the token's span."""

    text: str  # without whitespace
    forms_N: list[str]  # in lower case
    spans_N: NDArray[np.int64]  # N x 2
    is_part_N: NDArray[np.bool_]  # is the word one of a multiword token?
    token_spans_T: NDArray[np.int64]  # T x 2
    sentence_spans_S: NDArray[np.int64]  # S x 2


class WordDifference(NamedTuple):
    """A piece of the text that the two sides divide into other words: the words of each in lower case,
    with blanks between them."""

    gold: str
    predicted: str


def segment(sentences: Iterable[Sentence]) -> Segmentation:
    """Find out how sentences of CoNLL-U divide their text into words, tokens and sentences."""
    texts: list[str] = []
    forms: list[str] = []
    tokens: list[tuple[int, int]] = []
    sizes: list[int] = []  # words per token
    is_multiword: list[bool] = []
    sentence_spans: list[tuple[int, int]] = []
    place = 0
    for sentence in sentences:
        sentence_start = place
        for token in sentence.surface_tokens():
            text = "".join(token.form.split())
            texts.append(text)
            tokens.append((place, place + len(text)))
            sizes.append(token.end - token.start)
            is_multiword.append(token.is_multiword)
            place += len(text)
        forms += [form.lower() for form in sentence.forms]
        sentence_spans.append((sentence_start, place))
    token_spans_T = np.array(tokens, dtype=np.int64).reshape(-1, 2)
    return Segmentation(
        text="".join(texts),
        forms_N=forms,
        spans_N=np.repeat(token_spans_T, sizes, axis=0),
        is_part_N=np.repeat(np.array(is_multiword, dtype=bool), sizes),
        token_spans_T=token_spans_T,
        sentence_spans_S=np.array(sentence_spans, dtype=np.int64).reshape(-1, 2),
    )


def align_words(gold: Segmentation, predicted: Segmentation) -> NDArray[np.int64]:
    """Align the words of two sides of one text. Returns the gold word of each predicted word (M), or
    UNALIGNED.

    Raises ValueError (NM177) if the texts differ.
    """
    _check_texts(gold.text, predicted.text)
    gold_words = {span: word for word, span in _lone_words(gold)}
    words_M = np.full(len(predicted.forms_N), UNALIGNED, dtype=np.int64)
    for word, span in _lone_words(predicted):
        words_M[word] = gold_words.get(span, UNALIGNED)
    for start, end in _stretches(gold, predicted):
        first, last = _words_within(gold, start, end)
        first_M, last_M = _words_within(predicted, start, end)
        pairs = common_subsequence(gold.forms_N[first:last], predicted.forms_N[first_M:last_M])
        for word, word_M in pairs:
            words_M[first_M + word_M] = first + word
    return words_M


def count_differences(
    gold: Segmentation, predicted: Segmentation, words_M: NDArray[np.int64]
) -> Counter[WordDifference]:
    """Count the differences between the words of two sides. A difference is a smallest piece of the text
    between two places where tokens of both sides end, if a word of either side in it is not aligned.

    words_M: as `align_words` gives them.
    """
    ends_P = np.intersect1d(gold.token_spans_T[:, 1], predicted.token_spans_T[:, 1])
    # The words up to the end of each piece
    gold_P = np.searchsorted(gold.spans_N[:, 1], ends_P, side="right")
    predicted_P = np.searchsorted(predicted.spans_N[:, 1], ends_P, side="right")
    aligned_P = np.concatenate([[0], np.cumsum(words_M != UNALIGNED)])[predicted_P]
    sizes = [np.diff(counts, prepend=0) for counts in (gold_P, predicted_P, aligned_P)]
    found: Counter[WordDifference] = Counter()
    for piece in np.flatnonzero((sizes[0] != sizes[2]) | (sizes[1] != sizes[2])).tolist():
        words = (
            side.forms_N[end - size : end]
            for side, end, size in (
                (gold, gold_P[piece], sizes[0][piece]),
                (predicted, predicted_P[piece], sizes[1][piece]),
            )
        )
        found[WordDifference(*map(" ".join, words))] += 1
    return found


def common_subsequence(left: list[str], right: list[str]) -> Iterator[tuple[int, int]]:
    """Find the longest common subsequence of two lists, and yield the places of each item in both. The
    docstring of the module says which one is taken of several.
    """
    # What the rest of `left` from i and the rest of `right` from j have in common
    lengths = np.zeros((len(left) + 1, len(right) + 1), dtype=np.int64)
    for i, form in reversed(list(enumerate(left))):
        for j, other in reversed(list(enumerate(right))):
            if form == other:
                lengths[i, j] = 1 + lengths[i + 1, j + 1]
            else:
                lengths[i, j] = max(lengths[i + 1, j], lengths[i, j + 1])
    i = j = 0
    while lengths[i, j]:
        if left[i] == right[j]:
            yield i, j
            i, j = i + 1, j + 1
        elif lengths[i + 1, j] == lengths[i, j]:
            i += 1
        else:
            j += 1


def _check_texts(gold: str, predicted: str) -> None:
    if gold == predicted:
        return
    pairs = zip(gold, predicted, strict=False)
    shorter = min(len(gold), len(predicted))
    place = next((i for i, (one, other) in enumerate(pairs) if one != other), shorter)
    found, expected = (text[place : place + SHOWN] for text in (predicted, gold))
    raise ValueError(Errors.NM177.format(place=place, found=found, expected=expected))


def _stretches(gold: Segmentation, predicted: Segmentation) -> list[tuple[int, int]]:
    parts = [side.spans_N[side.is_part_N] for side in (gold, predicted)]
    stretches: list[tuple[int, int]] = []
    for start, end in sorted(map(tuple, np.concatenate(parts).tolist())):
        if stretches and start < stretches[-1][1]:
            stretches[-1] = (stretches[-1][0], max(end, stretches[-1][1]))
        else:
            stretches.append((start, end))
    return stretches


def _lone_words(side: Segmentation) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield the words that are no part of a multiword token, and their spans."""
    for word in np.flatnonzero(~side.is_part_N).tolist():
        start, end = side.spans_N[word].tolist()
        yield word, (start, end)


def _words_within(side: Segmentation, start: int, end: int) -> tuple[int, int]:
    """Return the first of these words, and the one after the last."""
    first = np.searchsorted(side.spans_N[:, 0], start)
    return int(first), int(np.searchsorted(side.spans_N[:, 1], end, side="right"))
