"""A tree as a drawing in which the words whose head or label differs from the gold tree are marked."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from spacy.tokens import Doc

from ..treebank.corpus import ROOT_LABEL
from .arcs import DrawnArc, draw_arcs, is_right_to_left

WRONG_HEAD = "wrong"
WRONG_LABEL = "wrong-label"
# The marks of gold arcs, by those of the predicted ones
MISSED = {"": "plain", WRONG_HEAD: "missed", WRONG_LABEL: "missed-label"}


class Tree(NamedTuple):
    """heads: 0-based words of the sentence, -1 for roots, None where unknown.
    labels: "" or None for roots and where unknown."""

    heads: tuple[int | None, ...]
    labels: tuple[str | None, ...]


def read_tree(doc: Doc, start: int, end: int) -> Tree:
    """The tree of a sentence. Heads outside of the sentence, and of words without a label, are
    unknown."""
    heads: list[int | None] = []
    labels: list[str | None] = []
    for token in doc[start:end]:
        is_root = token.head.i == token.i
        is_known = bool(token.dep) and start <= token.head.i < end
        heads.append(None if not is_known else -1 if is_root else token.head.i - start)
        labels.append(token.dep_ if is_known and not is_root else None)
    return Tree(tuple(heads), tuple(labels))


def find_errors(tree: Tree, gold: Tree | None) -> list[str]:
    """One mark per word: WRONG_HEAD, WRONG_LABEL, or "" for nothing that is known to be wrong."""
    if gold is None:
        return [""] * len(tree.heads)
    errors = []
    for head, label, gold_head, gold_label in zip(*tree, *gold, strict=True):
        if gold_head is None:
            errors.append("")
        elif head != gold_head:
            errors.append(WRONG_HEAD)
        else:
            errors.append(WRONG_LABEL if gold_label is not None and label != gold_label else "")
    return errors


def count_right(tree: Tree, gold: Tree) -> str:
    errors = find_errors(tree, gold)
    known = [error for head, error in zip(gold.heads, errors, strict=True) if head is not None]
    return f"{known.count('')} of {count(len(known), 'word')} with the right head and label"


def count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def show_words(words: Sequence[str]) -> list[str]:
    """Words that can be seen: whitespace is a token in spaCy."""
    return [word if word.strip() else "␣" for word in words]


def write_sentence(words: Sequence[str], tree: Tree, gold: Tree | None, *, name: str) -> str:
    """The sentence as HTML. Wrong words are links to their arcs in the drawing of this name."""
    parts = []
    for i, (word, error) in enumerate(zip(show_words(words), find_errors(tree, gold), strict=True)):
        # A head outside of the sentence has no arc to go to
        target = "" if tree.heads[i] is None else f' href="#{name}-{i + 1}"'
        parts.append(f'<a class="{error}"{target}>{escape(word)}</a>' if error else escape(word))
    return f'<p class="text" dir="{"rtl" if is_right_to_left(words) else "ltr"}">{" ".join(parts)}</p>'


def draw_tree(
    words: Sequence[str],
    tree: Tree,
    gold: Tree | None,
    *,
    title: str,
    name: str,
    with_gold: bool = True,
    dropped: Sequence[tuple[int, int, str]] = (),
) -> str:
    """The tree above the words, and the gold tree below them if there is one.

    with_gold: False to leave the gold tree out; what is wrong is marked all the same.
    dropped: arcs to draw besides those of the tree: head, dependent and label.
    """
    errors = find_errors(tree, gold)
    arcs = []
    for word, (head, label, error) in enumerate(zip(*tree, errors, strict=True)):
        if head is not None:
            link = f"{name}-{word + 1}" if error else ""
            arcs.append(DrawnArc(head, word, _label(head, label), error or "plain", name=link))
    arcs += [DrawnArc(*arc, kind="dropped") for arc in dropped]
    if gold is not None and with_gold:
        for word, (head, label, error) in enumerate(zip(*gold, errors, strict=True)):
            if head is not None:
                arcs.append(DrawnArc(head, word, _label(head, label), MISSED[error], below=True))
    right_to_left = is_right_to_left(words)
    return draw_arcs(show_words(words), arcs, title=title, name=name, right_to_left=right_to_left)


def _label(head: int, label: str | None) -> str:
    return (label or "") if head >= 0 else ROOT_LABEL
