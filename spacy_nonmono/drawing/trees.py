"""A tree as a drawing in which the words whose head or label differs from the gold tree are marked."""

from collections.abc import Container, Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple

from markupsafe import Markup, escape
from spacy.tokens import Doc

from ..errors import Errors, count
from ..evaluation.scores import ROOT_HEAD, Parses, tree_between
from ..shapes import UNKNOWN_LABEL
from ..treebank.docs import ROOT_LABEL
from ..treebank.sentences import ROOT_LABELS, SurfaceToken
from .arcs import Drawing, DrawnArc, is_right_to_left, show_words

WRONG_HEAD = "wrong"
WRONG_LABEL = "wrong-label"
# The opacity of an arc of confidence 0
FAINTEST = 0.2
# The marks of gold arcs, by those of the predicted ones
MISSED = {"": "plain", WRONG_HEAD: "missed", WRONG_LABEL: "missed-label"}


class Tree(NamedTuple):
    """The tree of a sentence. heads: its words from 0 on, -1 for roots, None where they are unknown.
    labels: "" or None where they are unknown; those of roots may be left out.
    """

    heads: tuple[int | None, ...]
    labels: tuple[str | None, ...]


def tree_of(parses: Parses, start: int, end: int) -> Tree:
    """Take the tree of the words from `start` to `end` (exclusive). Heads outside of them are
    unknown.
    """
    return make_tree(*tree_between(parses, start, end))


def make_tree(heads: Sequence[int | None], labels: Sequence[str | None]) -> Tree:
    """Make a tree of what `tree_between` returns. The labels of UD and of spaCy for a root are the same
    one here."""
    same = (
        ROOT_LABEL if head == ROOT_HEAD and label in ROOT_LABELS else label
        for head, label in zip(heads, labels, strict=True)
    )
    return Tree(tuple(heads), tuple(same))


def read_tree(doc: Doc, start: int, end: int) -> Tree:
    """Read the tree of a sentence of a Doc. Heads outside of the sentence, and those of words without a
    label, are unknown.
    """
    heads: list[int | None] = []
    labels: list[str | None] = []
    for token in doc[start:end]:
        is_root = token.head.i == token.i
        is_known = bool(token.dep) and start <= token.head.i < end
        heads.append(None if not is_known else -1 if is_root else token.head.i - start)
        has_label = is_known and not is_root and token.dep_ != UNKNOWN_LABEL
        labels.append(token.dep_ if has_label else None)
    return Tree(tuple(heads), tuple(labels))


def check_words(doc: Doc, gold: Doc) -> None:
    """Check that two Docs have the same words. Raises ValueError (NM121) if they have not."""
    sides = ([token.text for token in side] for side in (gold, doc))
    for i, (found, expected) in enumerate(zip_longest(*sides)):
        if found != expected:
            place = {"n_gold": len(gold), "n_words": len(doc), "i": i}
            raise ValueError(Errors.NM121.format(**place, found=repr(found), expected=repr(expected)))


def find_errors(tree: Tree, gold: Tree | None, skipped: Container[int] = ()) -> list[str | None]:
    """Mark each word of a tree: with WRONG_HEAD, with WRONG_LABEL, or with "" if nothing is known to be
    wrong. A word that does not count has None: its gold head is unknown, or it is to be skipped.
    """
    if gold is None:
        return [None] * len(tree.heads)
    errors: list[str | None] = []
    words = zip(*tree, *gold, strict=True)
    for word, (head, label, gold_head, gold_label) in enumerate(words):
        if gold_head is None or word in skipped:
            errors.append(None)
        elif head != gold_head:
            errors.append(WRONG_HEAD)
        else:
            errors.append(WRONG_LABEL if gold_label is not None and label != gold_label else "")
    return errors


def count_right(errors: Sequence[str | None], how: str = "right") -> str:
    """Say how many of the words that count are right. errors: as `find_errors` gives them. how: what to
    call it, such as `same`."""
    n_words = len(errors) - errors.count(None)
    return f"{errors.count('')} of {count(n_words, 'word')} with the {how} head and label"


def word_tokens(words: Sequence[str], spaces: Sequence[bool]) -> list[SurfaceToken]:
    """Turn words into tokens of a text. spaces: of each word, whether a blank follows."""
    pairs = zip(words, spaces, strict=True)
    return [SurfaceToken(i, i + 1, word, False, space) for i, (word, space) in enumerate(pairs)]


def write_sentence(
    tokens: Iterable[SurfaceToken], tree: Tree, errors: Sequence[str | None], *, name: str
) -> Markup:
    """Write a sentence as HTML. Tokens with wrong words are links to their arcs in the drawing of
    this name; a word whose head is not in the sentence has none.
    """
    tokens = list(tokens)
    forms = [token.form for token in tokens]
    parts = []
    for token, form in zip(tokens, show_words(forms), strict=True):
        wrong = [word for word in range(token.start, token.end) if errors[word]]
        text: str = escape(form)
        if wrong:
            # Of several words one with a wrong head, if there is any
            word = min(wrong, key=lambda word: errors[word] != WRONG_HEAD)
            target = "" if tree.heads[word] is None else f' href="#{name}-{word + 1}"'
            text = f'<a class="{errors[word]}"{target}>{text}</a>'
        parts.append(text + " " * token.has_space)
    direction = "rtl" if is_right_to_left(forms) else "ltr"
    return Markup(f'<p class="text" dir="{direction}">{"".join(parts).strip()}</p>')


def draw_tree(
    words: Sequence[str],
    tree: Tree,
    gold: Tree | None,
    errors: Sequence[str | None],
    *,
    title: str,
    name: str = "",
    dropped: Sequence[tuple[int, int, str]] = (),
    rows: Sequence[Sequence[str]] = (),
    confidence: Sequence[float | None] = (),
) -> Drawing:
    """Draw a tree above its words, and the gold tree below them if there is one.

    errors: as `find_errors` gives them.
    name: an id for the drawing, so that links can lead to its wrong arcs.
    dropped: arcs to draw besides those of the tree: head, dependent and label.
    rows: as `Drawing` takes them.
    confidence: of the arcs of the tree: the lower, the fainter is the arc.
    """
    arcs = []
    opacities = [1.0 if score is None else FAINTEST + (1 - FAINTEST) * score for score in confidence]
    for word, (head, label, error) in enumerate(zip(*tree, errors, strict=True)):
        if head is not None:
            link = f"{name}-{word + 1}" if name and error else ""
            kind, opacity = error or "plain", opacities[word] if opacities else 1.0
            arcs.append(DrawnArc(head, word, arc_label(head, label), kind, name=link, opacity=opacity))
    arcs += [DrawnArc(*arc, kind="dropped") for arc in dropped]
    if gold is not None:
        for word, (head, label, error) in enumerate(zip(*gold, errors, strict=True)):
            if head is not None:
                kind = MISSED[error or ""]
                arcs.append(DrawnArc(head, word, arc_label(head, label), kind, below=True))
    return Drawing(words, arcs, title=title, name=name, rows=rows)


def arc_label(head: int | None, label: str | None) -> str:
    """Return the label that an arc has in a drawing: that of a root is ROOT if it is left out, any other
    "" if it is unknown.
    """
    return label or ("" if head != ROOT_HEAD else ROOT_LABEL)


def describe_arc(words: Sequence[str], tree: Tree, word: int) -> str:
    """Say which arc a word has: `obj of “sees”`."""
    head = tree.heads[word]
    if head is None:
        return "no head"
    label = arc_label(head, tree.labels[word])
    return label if head == ROOT_HEAD else f"{label or '_'} of “{words[head]}”"
