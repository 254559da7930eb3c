"""Gold trees in the form that training reads, from spaCy's examples."""

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy
from spacy.attrs import DEP, HEAD, MORPH, ORTH, POS, TAG
from spacy.pipeline._parser_internals import nonproj
from spacy.strings import StringStore, get_string_id
from spacy.tokens import Doc
from spacy.training import Example

from ..shapes import UNKNOWN_HEAD, UNKNOWN_LABEL
from ..tokens.boundaries import token_starts, within_arcs
from ..tokens.heads import main_word, words_on_cycles
from ..tokens.projectivity import crossing_arcs
from ..tokens.white_space import KEPT, words_of
from ..training.progress import Progress

ROOT = -1
# Labels of what has no head
NO_ARC = {0, *map(get_string_id, ("ROOT", "root"))}


class GoldParse(NamedTuple):
    """The gold tree of one doc, and its tags, for the words of the predicted doc; white space is none.

    heads: (n,) int32, number of the word, -1 root, -2 not annotated. labels: (n,) int32, id of the
    label, -1 not annotated. starts: (n,) int32, 1 starts a sentence, -1 does not, 0 unknown.
    tags: as `read_tags` gives them; None if nobody learns from them.
    """

    heads: numpy.ndarray
    labels: numpy.ndarray
    starts: numpy.ndarray
    tags: numpy.ndarray | None = None


def read_gold(
    example: Example, label_ids: dict[int, int], *, lift: bool = False, tags: bool = False
) -> GoldParse:
    """Read the gold tree of an example; what is not annotated or does not align is unknown.

    label_ids: hash of a label -> its id. lift: whether to make the tree projective, see `lift_arcs`;
    a lifted arc whose label has no id takes the label that it had.
    """
    heads, deps, starts = read_annotation(example)
    labels = [label_ids.get(int(dep), -1) for dep in deps]
    if lift:
        strings = example.reference.vocab.strings
        heads, decorated = lift_arcs(heads, deps, starts, strings)
        for word, label in decorated.items():
            labels[word] = label_ids.get(strings.as_int(label), labels[word])
    found = read_tags(example) if tags else None
    return GoldParse(heads, numpy.array(labels, dtype="i"), starts, found)


def read_tags(example: Example) -> numpy.ndarray:
    """Read hashes (2, n) uint64: that of the tag of each word, and that of its part of speech with its
    morphology. 0 stands for what is not annotated."""
    if same_words(example):
        tags, parts, morphs = example.reference.to_array([TAG, POS, MORPH]).reshape(-1, 3).T
    else:
        tags, parts, morphs = (
            numpy.array([value or 0 for value in example.get_aligned(name)], dtype="uint64")
            for name in ("TAG", "POS", "MORPH")
        )
    values = numpy.array([tags, numpy.where(parts > 0, parts + morphs, 0)])
    return values[:, words_of(example.predicted)]


def survey(examples: Iterable[Example], *, lift: bool) -> tuple[list[str], Progress]:
    """Collect every label of the examples, in alphabetical order, and count their words and arcs. lift:
    the labels of lifted arcs as well."""
    found: set[str] = set()
    n_words = n_arcs = n_crossing = 0
    for example in examples:
        heads, _ = read_heads(example.reference)
        known = [None if head == UNKNOWN_HEAD else head for head in heads.tolist()]
        n_words += len(example.x)
        n_arcs += int((heads >= 0).sum())
        n_crossing += len(crossing_arcs(known))
        found.update(
            token.dep_
            for token in map(example.reference.__getitem__, words_of(example.reference).tolist())
            if token.dep and token.head.i != token.i
        )
        if lift:
            strings = example.reference.vocab.strings
            found.update(lift_arcs(*read_annotation(example), strings)[1].values())
    labels = sorted(label for label in found if UNKNOWN_LABEL not in label.split(nonproj.DELIMITER))
    return labels, Progress(0, 0, n_words, n_arcs, n_crossing)


def read_annotation(example: Example) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Read the heads (n,) and starts (n,) of an example's words, as in `GoldParse`, and the hashes of
    their labels (n,) uint64."""
    reference = example.reference
    if same_words(example):
        heads, deps = read_heads(reference)
        starts = known_starts(reference, heads)
    else:
        heads, deps, starts = read_aligned(example)
    if lacks_heads(reference):
        heads[:] = UNKNOWN_HEAD
    words = words_of(example.predicted)
    if len(words) < len(heads):
        heads, deps, starts = word_heads(heads, words), deps[words], word_starts(starts, words)
    return heads, deps, starts.astype("i")


def read_heads(doc: Doc) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Read the head of each token of a gold Doc (n,), as in `GoldParse` but among all tokens, and the
    hash of its label (n,) uint64. A token without a label has no known head, nor one on a cycle."""
    offsets, deps = doc.to_array([HEAD, DEP]).reshape(-1, 2).T
    heads = numpy.where(offsets == 0, ROOT, offsets.astype("int64") + numpy.arange(len(doc)))
    heads = numpy.where(deps == 0, UNKNOWN_HEAD, heads).astype("i")
    if KEPT not in doc.user_data:  # the reader of a file has looked
        heads[list(words_on_cycles(heads.tolist()))] = UNKNOWN_HEAD
    return heads, deps


def known_starts(doc: Doc, heads: numpy.ndarray) -> numpy.ndarray:
    """Read where sentences start, as `token_starts` does, as far as somebody knows. Where heads are
    unknown, spaCy makes it up: it starts a sentence at the first word below each root, and nowhere else.
    So no sentence starts within a known arc, and one starts between two words whose arcs lead to known
    roots; of the rest nothing is known. Where there are labels alone, it sees a root in each word.

    heads: as `read_heads` gives them.
    """
    starts, words = token_starts(doc), words_of(doc)
    if KEPT in doc.user_data:  # those of a file
        return starts
    if lacks_heads(doc):
        return numpy.zeros_like(starts)
    heads = word_heads(heads, words)
    unknown = heads == UNKNOWN_HEAD
    if unknown.all() or not unknown.any():
        return starts
    tops = numpy.where(heads >= 0, heads, numpy.arange(len(heads)))
    for _ in range(len(heads).bit_length()):
        tops = tops[tops]
    is_rooted = heads[tops] == ROOT
    is_between = is_rooted & numpy.append(False, is_rooted[:-1])
    is_start = is_between & (word_starts(starts, words) > 0)
    found = numpy.zeros_like(starts)
    found[words] = numpy.where(within_arcs(heads), -1, is_start)
    return found


def lacks_heads(doc: Doc) -> bool:
    """Find out whether a Doc has labels alone: spaCy takes a Doc without heads for one of roots."""
    offsets, deps = doc.to_array([HEAD, DEP]).reshape(-1, 2).T
    return len(doc) > 1 and not offsets.any() and bool(set(deps.tolist()) - NO_ARC)


def word_heads(heads: numpy.ndarray, words: numpy.ndarray) -> numpy.ndarray:
    """Take the heads of the words, as numbers of words, from those of all tokens."""
    numbers = numpy.full((len(heads),), UNKNOWN_HEAD, dtype="i")
    numbers[words] = numpy.arange(len(words))
    found = past_white_space(heads, words)[words]
    return numpy.where(found >= 0, numbers[numpy.maximum(found, 0)], found).astype("i")


def past_white_space(heads: numpy.ndarray, words: numpy.ndarray) -> numpy.ndarray:
    """Change the heads of all tokens so that no word depends on white space: it takes the head of that.
    Of the words below a root of white space the first becomes the root, and the head of the others.

    words: which tokens are words.
    """
    is_space = numpy.ones((len(heads),), dtype=bool)
    is_space[words] = False
    found = heads.copy()
    heirs: dict[int, int] = {}  # of roots
    above_words = heads[words]
    for word in words[(above_words >= 0) & is_space[numpy.maximum(above_words, 0)]].tolist():
        above, below = int(heads[word]), word
        for _ in range(len(heads)):
            if above < 0 or not is_space[above]:
                break
            above, below = int(heads[above]), above
        if above == ROOT:
            heir = heirs.setdefault(below, word)
            above = ROOT if heir == word else heir
        found[word] = UNKNOWN_HEAD if above >= 0 and is_space[above] else above
    return found


def word_starts(starts: numpy.ndarray, words: numpy.ndarray) -> numpy.ndarray:
    """Take the sentence starts of the words, as in `GoldParse`, from those of all tokens. A start on
    white space is one of the word behind it."""
    if len(words) == len(starts):
        return starts
    found = starts[words]
    is_start = starts == 1
    is_start[words] = False
    behind = numpy.searchsorted(words, numpy.flatnonzero(is_start))
    found[behind[behind < len(words)]] = 1
    return found


def same_words(example: Example) -> bool:
    """Find out whether the predicted Doc and the gold one have the same tokens."""
    predicted, reference = example.predicted, example.reference
    return len(predicted) == len(reference) and numpy.array_equal(
        predicted.to_array([ORTH]), reference.to_array([ORTH])
    )


def read_aligned(example: Example) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Read heads, label hashes and sentence starts by alignment, where tokens differ.

    A token of several whole words has the head and the label of one of them (`main_word`), and is the
    head of what depends on any of them. (`Example.get_aligned_parse` knows nothing of it.) All parts of
    a word have its head and its label; which of them is the head of others is unknown. So are heads
    that would lead back to their token, as in `heads.contract`.
    """
    token_heads, gold_deps = read_heads(example.reference)
    gold_heads = past_white_space(token_heads, words_of(example.reference)).tolist()
    gold_words_of = [row.tolist() for row in example.alignment.x2y]
    tokens_of = [row.tolist() for row in example.alignment.y2x]
    heads = numpy.full((len(example.predicted),), UNKNOWN_HEAD, dtype="i")
    deps = numpy.zeros((len(heads),), dtype="uint64")
    for token, words in enumerate(gold_words_of):
        if not words or (len(words) > 1 and any(len(tokens_of[word]) > 1 for word in words)):
            continue
        word = main_word(gold_heads, words)
        deps[token] = gold_deps[word]
        head = gold_heads[word]
        if head == ROOT and len(tokens_of[word]) == 1:
            heads[token] = ROOT
        elif head >= 0 and len(tokens_of[head]) == 1:
            heads[token] = tokens_of[head][0]
    heads[list(words_on_cycles(heads.tolist()))] = UNKNOWN_HEAD
    return heads, deps, read_aligned_starts(example, token_heads)


def read_aligned_starts(example: Example, token_heads: numpy.ndarray) -> numpy.ndarray:
    """Read where sentences start, as in `GoldParse`, where tokens differ. A token starts none that
    begins within a gold word, or with a gold word that starts none. One without a gold word is as the
    one behind it, but starts nothing. (`Example.get_aligned_sent_starts` does not tell "no" from
    "unknown".)

    token_heads: of the gold tokens, as `read_heads` gives them.
    """
    gold, own = known_starts(example.reference, token_heads), words_of(example.reference)
    gold[own] = word_starts(gold, own)
    gold_words_of, tokens_of = example.alignment.x2y, example.alignment.y2x
    starts = numpy.zeros(len(example.predicted), dtype="i")
    behind = 0
    for token in reversed(range(len(starts))):
        words = gold_words_of[token]
        if not len(words):
            behind = min(behind, 0)
        elif tokens_of[int(words[0])][0] == token:
            behind = int(gold[words[0]])
        else:
            behind = -1
        starts[token] = behind
    return starts


def lift_arcs(
    heads: numpy.ndarray, deps: numpy.ndarray, starts: numpy.ndarray, strings: StringStore
) -> tuple[numpy.ndarray, dict[int, str]]:
    """Make trees projective (Nivre & Nilsson 2005): an arc that crosses is lifted to the head of its
    head until it does not, shortest arc first; its label keeps that of the head, as `dep||headdep`.

    heads, deps, starts: as `read_annotation` gives them. A sentence that is no tree with one root, or
    of which a head is unknown, stays as it is.

    Returns the heads, and the label of each word whose arc was lifted.
    """
    lifted = heads.copy()
    decorated: dict[int, str] = {}
    firsts = numpy.flatnonzero(starts > 0)
    bounds = [0, *firsts[firsts > 0].tolist(), len(heads)]
    for start, end in pairwise(bounds):
        local = local_tree(heads[start:end], start)
        if local is None or not nonproj.is_nonproj_tree(local):
            continue
        labels = [strings[dep] for dep in deps[start:end].tolist()]
        new_heads, new_labels = nonproj.projectivize(local, labels)
        for i, head in enumerate(new_heads):
            if head != local[i]:
                lifted[start + i] = start + head
                decorated[start + i] = new_labels[i]
    return lifted, decorated


def local_tree(heads: numpy.ndarray, start: int) -> list[int] | None:
    """Take the heads within a sentence, as spaCy wants them: the root is its own head. None if the
    sentence is not one tree with one root."""
    inside = (heads >= start) & (heads < start + len(heads))
    if (heads == ROOT).sum() != 1 or not (inside | (heads == ROOT)).all():
        return None
    own = numpy.arange(len(heads))
    local: list[int] = numpy.where(inside, heads - start, own).tolist()
    return None if nonproj.contains_cycle(local) else local
