"""Where a parser errs, as one HTML page: tables, and confusions with drawn examples."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..evaluation.confusions import Row
from .arcs import show_words
from .page import GOLD_MARKS, MARKS, PageTable, make_legend, render
from .trees import Tree, describe_arc, draw_tree, find_errors, word_tokens, write_sentence


class Section(NamedTuple):
    """What a page says of a setting. confusions: the rows of each kind, by title."""

    title: str
    summary: str
    tables: Sequence[PageTable]
    confusions: Mapping[str, Sequence[Row]]


def render_breakdown(sections: Sequence[Section], *, title: str) -> str:
    """Make an HTML page of the tables and confusions of some settings."""
    legend = make_legend(MARKS | GOLD_MARKS)
    page = render("breakdown.html", title=title, legend=legend, sections=sections, draw=_draw)
    return str(page)


def _draw(example: Row, name: str) -> dict[str, Any]:
    words, word = example["words"], example["word"]
    tree, gold = _read_tree(example["predicted"]), _read_tree(example["gold"])
    errors, shown = find_errors(tree, gold), show_words(words)
    note = f"{example['sent_id']}: “{shown[word]}”: "
    note += f"{describe_arc(shown, gold, word)}, predicted {describe_arc(shown, tree, word)}"
    title = f"The predicted tree, and below the words the gold tree of sentence {example['sent_id']}"
    return {
        "text": write_sentence(word_tokens(words, example["spaces"]), tree, errors, name=name),
        "note": note,
        "drawing": draw_tree(words, tree, gold, errors, title=title, name=name),
    }


def _read_tree(tree: Row) -> Tree:
    return Tree(tuple(tree["heads"]), tuple(tree["labels"]))
