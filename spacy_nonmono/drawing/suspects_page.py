"""Annotations that may be wrong, as an HTML page: the trees of the treebank, and below the words what a
parser finds in their place."""

from collections.abc import Mapping
from typing import Any

from ..evaluation.scores import read_parses
from ..treebank.sentences import Sentence
from .page import make_legend, render
from .trees import WRONG_LABEL, Tree, describe_arc, draw_tree, find_errors, tree_of, write_sentence

MARKS = {
    "wrong": "suspect head",
    "wrong-label": "suspect label",
    "missed": "head of the parser",
    "missed-label": "label of the parser",
}


def render_suspects(
    sentences: Mapping[int, tuple[Sentence, Sentence, Mapping[int, str]]], *, title: str
) -> str:
    """Make an HTML page.

    sentences: by their numbers, in the order of the page: a sentence of the treebank; the same with the
    tree of a parser; and a note on each suspect word, by the word, from 0 on.
    """
    page = render(
        "suspects.html",
        title=title,
        legend=make_legend(MARKS),
        sentences=[(number, one[0].sent_id, _draw(number, *one)) for number, one in sentences.items()],
    )
    return str(page)


def _draw(
    number: int, sentence: Sentence, parse: Sentence, notes: Mapping[int, str]
) -> dict[str, Any]:
    n_words = len(sentence.words)
    tree, found = (tree_of(read_parses([one]), 0, n_words) for one in (sentence, parse))
    # Of the parser's tree only what is suspect
    proposed = Tree(
        tuple(head if word in notes else None for word, head in enumerate(found.heads)), found.labels
    )
    errors = find_errors(tree, proposed)
    for word in notes:
        errors[word] = errors[word] or WRONG_LABEL  # with other arcs elsewhere
    forms, name = sentence.forms, f"tree-{number}"
    texts = []
    for word, note in sorted(notes.items()):
        arcs = [describe_arc(forms, one, word) for one in (tree, found)]
        other = f"; parser: {arcs[1]}" if arcs[0] != arcs[1] else ""
        texts.append(f"“{forms[word]}”: {arcs[0]}{other}" + (f"; {note}" if note else ""))
    title = f"The tree of sentence {number}; below the words what the parser finds"
    return {
        "text": write_sentence(sentence.surface_tokens(), tree, errors, name=name),
        "notes": texts,
        "drawing": draw_tree(forms, tree, proposed, errors, title=title, name=name),
    }
