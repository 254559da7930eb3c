"""The component `ud_noun_chunks`: `doc.noun_chunks` for the labels of Universal Dependencies.

Definition. From the roots downwards, every word gets the phrase it is in, if any:
- It is in the phrase of its head if its label is one of those inside of phrases: a modifier on the left
  of the noun, with all that hangs on it; on the right the parts of a name, or a bare adjective.
- Otherwise it heads a phrase of its own if it is a noun, a proper noun or a pronoun, and its label is
  none of those that head no phrase. A conjunct counts with the label of the first conjunct.
- The chunk is the run of words of the phrase around its head, less punctuation and function words at
  the edges.

So a chunk holds words of its own phrase only, also where arcs cross, and chunks share no words. The
lists of labels are those that agree best with the chunks of spaCy's English pipeline: docs/labels.md.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy
from spacy.attrs import DEP, HEAD
from spacy.errors import Errors
from spacy.language import Language
from spacy.symbols import NOUN, PRON, PROPN
from spacy.tokens import Doc, Span
from spacy.vocab import Vocab

from .sentences import by_levels, read_children

# A label stands for its subtypes, too; foreign, mwe, name and neg are labels of UD's version 1.
NAME_PARTS = frozenset({"fixed", "flat", "foreign", "goeswith", "mwe", "name"})
MODIFIERS = frozenset({"advmod", "amod", "cc:preconj", "clf", "compound", "det", "neg", "nummod"})
POSSESSORS_AND_TITLES = frozenset({"nmod:desc", "nmod:poss"})
INSIDE = NAME_PARTS | MODIFIERS | POSSESSORS_AND_TITLES
FUNCTION_WORDS = frozenset({"aux", "case", "cc", "cop", "mark"})
# As with spaCy's English labels, expletives, vocatives and adverbial nouns ("last week") are no chunks.
NO_HEADS = (
    INSIDE
    | FUNCTION_WORDS
    | {"", "dep", "discourse", "expl", "punct", "reparandum", "vocative"}
    | {f"{label}:{subtype}" for label in ("nmod", "obl") for subtype in ("npmod", "tmod", "unmarked")}
)
NO_EDGES = FUNCTION_WORDS | {"punct"}

NO_PHRASE = -1


@Language.factory(
    "ud_noun_chunks",
    assigns=["doc.noun_chunks"],
    requires=["token.dep", "token.head", "token.pos"],
)
def make_ud_noun_chunks(nlp: Language, name: str) -> Callable[[Doc], Doc]:
    """Make the component; from now on Docs with the vocab of the pipeline have these chunks."""
    set_iterator(nlp.vocab)
    return set_noun_chunks


def set_noun_chunks(doc: Doc) -> Doc:
    """Let a Doc have these chunks that was made earlier, or with another vocab."""
    set_iterator(doc.vocab)
    doc.noun_chunks_iterator = noun_chunks  # type: ignore[attr-defined]
    return doc


def set_iterator(vocab: Vocab) -> None:
    """Let Docs of a vocab that are made from now on have these chunks."""
    # spaCy's stub says that the iterator gives Spans, but it gives tuples
    vocab.get_noun_chunks = noun_chunks  # type: ignore[assignment]


def noun_chunks(doclike: Doc | Span) -> Iterator[tuple[int, int, int]]:
    """Find the start, end and label of each chunk, in the order of the sentence; the time is linear in
    the words.

    Raises ValueError (of spaCy's) if the Doc has no parse (E029) or no parts of speech (E1019).
    """
    doc = doclike.doc
    if not doc.has_annotation("DEP"):
        raise ValueError(Errors.E029)
    if not doc.has_annotation("POS"):
        raise ValueError(Errors.E1019)
    label = doc.vocab.strings.add("NP")
    span = doclike[:]
    phrases = find_phrases(doc)
    # Whitespace is no word: it parts no phrase, wherever it is attached.
    is_space = [token.is_space for token in doc]
    is_edge = [not (token.is_space or token.dep_ in NO_EDGES) for token in doc]
    for head, phrase in enumerate(phrases):
        if phrase != head:
            continue
        start, end = head, head + 1
        while start > 0 and (phrases[start - 1] == head or is_space[start - 1]):
            start -= 1
        while end < len(doc) and (phrases[end] == head or is_space[end]):
            end += 1
        while start < head and not is_edge[start]:
            start += 1
        while end > head + 1 and not is_edge[end - 1]:
            end -= 1
        if span.start <= start and end <= span.end:
            yield start, end, label


class TreesOfDoc(NamedTuple):
    """The trees of a Doc; lists are indexed by the word."""

    labels: list[str]
    heads: list[int]  # of a root the word itself
    roots: list[int]
    children: list[list[int]]
    predicates: set[int]  # words with a copula


def trees_of(doc: Doc) -> TreesOfDoc:
    """Read the trees of a Doc."""
    columns: numpy.ndarray = doc.to_array([HEAD, DEP]).T
    relative_heads, deps = columns
    heads = (relative_heads.astype("int64") + numpy.arange(len(doc))).tolist()
    labels = [doc.vocab.strings[dep] for dep in deps.tolist()]
    roots, children = read_children(heads)
    predicates = {head for head, label in zip(heads, labels, strict=True) if label == "cop"}
    return TreesOfDoc(labels, heads, roots, children, predicates)


def find_phrases(doc: Doc) -> list[int]:
    """Find the head of the phrase that each word is in, or `NO_PHRASE`."""
    tree = trees_of(doc)
    phrases = [NO_PHRASE] * len(doc)
    labels = list(tree.labels)  # of a conjunct: that of the first conjunct
    for word in by_levels(tree.roots, tree.children):
        head = tree.heads[word]
        phrase = phrases[head]
        if phrase != NO_PHRASE and is_inside(tree, word, phrase):
            phrases[word] = phrase
            labels[word] = labels[phrase]
            continue
        if is_one_of(labels[word], {"conj"}):
            labels[word] = labels[head]
        # A tagger may take white space for a noun
        is_noun = doc[word].pos in (NOUN, PRON, PROPN) and not doc[word].is_space
        if is_noun and not is_one_of(labels[word], NO_HEADS):
            phrases[word] = word
    return phrases


def is_inside(tree: TreesOfDoc, word: int, phrase: int) -> bool:
    """Find out whether a word is in the phrase, given that its head is."""
    label = tree.labels[word]
    if label == "punct":
        return True
    on_head = tree.heads[word] == phrase
    if word < phrase:
        if label == "advmod" and phrase in tree.predicates:
            return not on_head  # it may belong to the whole clause
        return not on_head or is_one_of(label, INSIDE)
    if on_head:
        return is_one_of(label, NAME_PARTS) or (label == "amod" and not tree.children[word])
    return is_one_of(label, INSIDE)


def is_one_of(label: str, labels: frozenset[str] | set[str]) -> bool:
    """Find out whether the label, or the one of which it is a subtype, is one of labels."""
    return label in labels or label.partition(":")[0] in labels
