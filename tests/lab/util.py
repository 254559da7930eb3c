"""Gold trees, pipelines whose parser makes the moves that it is told, and a reader of pages."""

from html.parser import HTMLParser
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc

from spacy_nonmono import get_oracle, get_system
from spacy_nonmono.lab.traces import trace
from spacy_nonmono.pipeline.parses import Derivation, Move

VOID = {"meta", "br"}
VOCAB = spacy.blank("xx").vocab


class FakeParser:
    """A component that makes the moves that it is told, a list a sentence.

    Where several words are left without a head it attaches them to the first of these.
    """

    def __init__(self, system, derivations, oracle=None):
        self.system = get_system(system)
        self.oracle = get_oracle(oracle, self.system)
        self.sentences = [[Move(*move) for move in moves] for moves in derivations]
        self.seen: list[Doc] = []

    def derivations(self, docs):
        self.seen += docs
        (doc,) = docs
        starts = [token.i for token in doc if token.i == 0 or token.is_sent_start]
        ends = [*starts[1:], len(doc)]
        rows = zip(starts, ends, self.sentences, strict=True)
        return [[Derivation(start, end - start, moves) for start, end, moves in rows]]

    def __call__(self, doc):
        heads, deps = [], []
        for (derivation,) in zip(*self.derivations([doc]), strict=True):
            state = self.system.initial_state(derivation.n_words)
            for move in derivation.moves:
                action = (move.move, move.focus) if self.system.kind == "list" else move.move
                self.system.apply(state, action, label=move.label)
            root = state.heads.index(-1)
            for word, (head, label) in enumerate(zip(state.heads, state.labels, strict=True)):
                attached = root if head < 0 else head
                heads.append(derivation.start + attached)
                deps.append("ROOT" if attached == word else label or "rest")
        return Doc(doc.vocab, words=[token.text for token in doc], heads=heads, deps=deps)


def pipeline(parser: Any) -> Language:
    nlp = Language(VOCAB)
    nlp.add_pipe("sentencizer")
    nlp._components.append(("nonmono_parser", parser))
    return nlp


def moves(*names):
    """Moves such as "left_arc:det", in list systems "left_arc@2:det"; all of the score 0.5."""
    found = []
    for name in names:
        place, _, label = name.partition(":")
        move, _, position = place.partition("@")
        found.append((move, int(position or 0), label, 0.5))
    return found


def run(system, names, n_words, gold=None, oracle=None):
    words = [f"w{i}" for i in range(n_words)]
    parser = FakeParser(system, [moves(*names)], oracle)
    (one,) = trace(pipeline(parser), Doc(VOCAB, words=words), gold)
    return one


def make_doc(heads, *, words=None, unknown=()):
    """A Doc of heads (-1 is a root) whose words are w0, w1, ... with the labels d0, d1, ..."""
    deps = ["ROOT" if head < 0 else f"d{i}" for i, head in enumerate(heads)]
    for i in unknown:
        deps[i] = ""
    return Doc(
        VOCAB,
        words=words or [f"w{i}" for i in range(len(heads))],
        heads=[i if head < 0 else head for i, head in enumerate(heads)],
        deps=deps,
    )


def projective_heads(choose, n_words):
    """A projective tree with one root."""
    heads = [-1] * n_words

    def attach(start, end, head):
        """Make the words of a span descendants of the word next to it."""
        if start < end:
            root = choose.randrange(start, end)
            heads[root] = head
            attach(start, root, root)
            attach(root + 1, end, root)

    attach(0, n_words, -1)
    return heads


class Reader(HTMLParser):
    """Checks that every element is closed; keeps the texts and the elements."""

    def __init__(self):
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.classes: list[str] = []
        self.text = ""

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)
        self.tags.append(tag)
        self.classes.append(dict(attrs).get("class") or "")

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.classes.append(dict(attrs).get("class") or "")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.text += data + "\n"


def read(page):
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader
