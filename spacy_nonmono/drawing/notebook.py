"""Trees in a notebook, which shows what has `_repr_html_`."""

from typing import Any

from spacy.tokens import Doc, Span

from ..errors import Errors
from ..tokens.boundaries import sentence_spans
from .page import GOLD_MARKS, MARKS, make_legend, render
from .trees import check_words, draw_tree, find_errors, read_tree


class ShownTrees:
    """Trees that a notebook shows. html: a part of a page, with a style sheet of its own."""

    def __init__(self, html: str) -> None:
        self.html = html

    def _repr_html_(self) -> str:
        return self.html


def show_tree(tree: Doc | Span, *, gold: Doc | None = None) -> ShownTrees:
    """Draw the trees of the sentences of a Doc, or that of a Span, in a notebook.

    gold: a Doc with the words of the other one, or of the Span's. Its trees are drawn below the words,
        and errors are marked.

    Raises ValueError: NM116 for a Doc without trees, NM121 if `gold` has other words.
    """
    doc = tree.doc
    if not doc.has_annotation("DEP"):
        raise ValueError(Errors.NM116)
    if gold is not None:
        check_words(doc, gold)
    places = [(tree.start, tree.end)] if isinstance(tree, Span) else sentence_spans(doc)
    parts: list[Any] = [make_legend(MARKS | GOLD_MARKS)] * (gold is not None)
    for start, end in places:
        own = read_tree(doc, start, end)
        gold_tree = None if gold is None else read_tree(gold, start, end)
        words = [token.text for token in doc[start:end]]
        title = f"Tree of: {doc[start:end].text}"
        parts.append(draw_tree(words, own, gold_tree, find_errors(own, gold_tree), title=title))
    return ShownTrees(str(render("fragment.html", parts=parts)))
