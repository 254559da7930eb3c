"""Sentences: which words start one, and the trees of the sentences put together again."""

from bisect import insort
from collections.abc import Iterable, Iterator, Sequence

import numpy
from spacy.attrs import DEP, HEAD, SENT_START
from spacy.strings import get_string_id
from spacy.tokens import Doc

from ..shapes import UNKNOWN_HEAD
from ..tokens.boundaries import token_starts
from ..tokens.white_space import words_of
from .gold import GoldParse, known_starts, read_heads, word_starts
from .labels import ROOT, SPACE

# Share of docs whose sentences are those that the parser finds, so that it learns to live with them.
# A guess that was not tuned.
PREDICTED_BOUNDARIES = 0.2


def preset_starts(doc: Doc) -> numpy.ndarray:
    """Read where the Doc says that sentences start, as far as somebody knows (`known_starts`), of each
    word (n,)."""
    is_bare = not doc.has_annotation("DEP")
    starts = token_starts(doc) if is_bare else known_starts(doc, read_heads(doc)[0])
    return word_starts(starts, words_of(doc))


def choose_starts(preset: numpy.ndarray, scores: numpy.ndarray) -> numpy.ndarray:
    """Choose which words start a sentence (n,) bool: boundaries that the Doc presets are kept; elsewhere
    the boundary score (n, 1) must be above 0."""
    starts = numpy.where(preset != 0, preset > 0, scores[:, 0] > 0)
    starts[:1] = True
    return starts


def parsing_starts(
    docs: Sequence[Doc], boundaries: Iterable[numpy.ndarray]
) -> list[numpy.ndarray]:
    """Choose which words of each doc start a sentence, as `choose_starts`. boundaries: their scores, (n,
    1) a doc."""
    rows = zip(docs, boundaries, strict=True)
    return [choose_starts(preset_starts(doc), scores) for doc, scores in rows]


def training_sentences(
    docs: Sequence[Doc], golds: list[GoldParse], boundaries: Iterable[numpy.ndarray]
) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Choose the sentences to learn from. Returns their lengths, and the heads and labels of their
    words."""
    rows = zip(docs, golds, boundaries, strict=True)
    lengths = [sentence_lengths(training_starts(*row)) for row in rows]
    heads = [local_heads(gold.heads, own) for gold, own in zip(golds, lengths, strict=True)]
    labels = [gold.labels for gold in golds]
    return numpy.concatenate(lengths), numpy.concatenate(heads), numpy.concatenate(labels)


def training_starts(doc: Doc, gold: GoldParse, scores: numpy.ndarray) -> numpy.ndarray:
    """Choose which words start a sentence in training: as the Doc presets it, or else as in the gold
    tree, or sometimes as the parser predicts."""
    preset = preset_starts(doc)
    if numpy.random.uniform() >= PREDICTED_BOUNDARIES:
        preset = numpy.where(preset != 0, preset, gold.starts)
    return choose_starts(preset, scores)


def sentence_lengths(starts: numpy.ndarray) -> numpy.ndarray:
    """Turn marks where sentences start (n,) bool into the lengths of the sentences (n_sentences,) int32.
    """
    firsts = numpy.flatnonzero(starts)
    return numpy.diff(numpy.append(firsts, len(starts))).astype("i")


def local_heads(heads: numpy.ndarray, lengths: numpy.ndarray) -> numpy.ndarray:
    """Turn heads into indices within the sentence; heads in another sentence become unknown."""
    offsets = numpy.repeat(numpy.cumsum(lengths) - lengths, lengths)
    ends = offsets + numpy.repeat(lengths, lengths)
    inside = (heads >= offsets) & (heads < ends)
    local = numpy.where(inside, heads - offsets, UNKNOWN_HEAD)
    return numpy.where(heads < 0, heads, local).astype("i")


def write_parse(doc: Doc, heads: numpy.ndarray, deps: numpy.ndarray, starts: numpy.ndarray) -> None:
    """Write heads (n,), relative to the word, and label hashes (n,) of every word to the doc.

    White space hangs from the word before it, at the start of the doc from the first word, with a label
    of its own. Where there is no word, the first token is the root.

    spaCy derives the boundaries from the trees, but gives up on some deep non-projective ones; then
    they are written by themselves, which keeps the heads.
    """
    words = words_of(doc)
    if len(words) < len(doc):
        heads, deps, starts = _with_white_space(heads, deps, starts, words, len(doc))
    values = numpy.stack([heads.astype("int64").astype("uint64"), deps.astype("uint64")], axis=1)
    doc.from_array([HEAD, DEP], values)  # type: ignore[arg-type]
    if not numpy.array_equal(token_starts(doc) == 1, starts):
        marks = numpy.where(starts, 1, -1).astype("int64").astype("uint64")
        doc.from_array([SENT_START], marks)  # type: ignore[arg-type]


def _with_white_space(
    heads: numpy.ndarray,
    deps: numpy.ndarray,
    starts: numpy.ndarray,
    words: numpy.ndarray,
    n_tokens: int,
) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Turn the parse of the words, which are these tokens, into one of all tokens."""
    first = words[0] if len(words) else 0
    tokens = numpy.arange(n_tokens)
    word_before = numpy.searchsorted(words, tokens, side="right") - 1
    token_heads = numpy.where(word_before < 0, first, words[word_before] if len(words) else 0)
    token_heads[words] = words[heads + numpy.arange(len(words))]
    token_deps = numpy.full((n_tokens,), get_string_id(SPACE), dtype="uint64")
    token_deps[words] = deps
    if not len(words):
        token_deps[0] = get_string_id(ROOT)
    token_starts = numpy.zeros((n_tokens,), dtype=bool)
    token_starts[words] = starts
    token_starts[first] = False  # the sentence starts with the white space before the word
    token_starts[0] = True
    return token_heads - tokens, token_deps, token_starts


def lower_arcs(
    heads: numpy.ndarray, deps: numpy.ndarray, head_deps: numpy.ndarray
) -> numpy.ndarray:
    """Undo the lifting of arcs (Nivre & Nilsson 2005): a word that keeps the label of its head goes to
    the first word with that label below its head, by levels and from left to right.

    heads: (n,) relative heads of trees. deps: (n,) label hashes, not decorated. head_deps: (n,) the
    kept label hashes, 0 where an arc was not lifted. Returns the new relative heads.

    Words near the root go first: to be below the head of a lifted word, its own head may have to be
    lowered. A word whose head is not found stays.
    """
    absolute: list[int] = (heads + numpy.arange(len(heads))).tolist()
    roots, children = read_children(absolute)
    for word in list(by_levels(roots, children)):
        old = absolute[word]
        if not head_deps[word] or old == word:
            continue
        children[old].remove(word)
        below = by_levels(children[old], children)
        new = next((other for other in below if deps[other] == head_deps[word]), old)
        absolute[word] = new
        insort(children[new], word)
    return numpy.array(absolute, dtype=heads.dtype) - numpy.arange(len(heads), dtype=heads.dtype)


def read_children(heads: list[int]) -> tuple[list[int], list[list[int]]]:
    """Find the roots, which are their own heads, and the children of each word."""
    children: list[list[int]] = [[] for _ in heads]
    for word, head in enumerate(heads):
        if head != word:
            children[head].append(word)
    return [word for word, head in enumerate(heads) if head == word], children


def by_levels(words: list[int], children: list[list[int]]) -> Iterator[int]:
    """Walk over words and what is below them, breadth first."""
    while words:
        yield from words
        words = [child for word in words for child in children[word]]
