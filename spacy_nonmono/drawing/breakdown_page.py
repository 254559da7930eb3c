"""Where a parser errs, as one HTML page: tables, and confusions with drawn examples."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from ..evaluation.confusions import Row
from .arcs import show_words
from .page import GOLD_MARKS, MARKS, PageTable, make_legend, render
from .trees import describe_arc, draw_tree, find_errors, make_tree, word_tokens, write_sentence


class Section(NamedTuple):
    """What a page says of a setting. confusions: the rows of each kind, by title."""

    title: str
    summary: str
    tables: Sequence[PageTable]
    confusions: Mapping[str, Sequence[Row]]


class Wording(NamedTuple):
    """What a page calls the two trees. marks: what those of arcs mean. note: which tree is where.
    between: what is between a gold kind and the one that was predicted. gold, predicted: what is in
    front of such an arc. title: of a drawing.
    """

    marks: Mapping[str, str]
    note: str
    between: str
    gold: str
    predicted: str
    title: str


GOLD_AND_PREDICTED = Wording(
    marks=MARKS | GOLD_MARKS,
    note="The predicted tree is above the words, the gold tree below them.",
    between="taken for",
    gold="",
    predicted="predicted ",
    title="The predicted tree, and below the words the gold tree",
)


def render_breakdown(
    sections: Sequence[Section], *, title: str, wording: Wording = GOLD_AND_PREDICTED
) -> str:
    """Make an HTML page of the tables and confusions of some settings."""
    legend, draw = make_legend(wording.marks), partial(_draw, wording)
    values = {"title": title, "legend": legend, "sections": sections, "wording": wording}
    return str(render("breakdown.html", **values, draw=draw))


def _draw(wording: Wording, example: Row, name: str) -> dict[str, Any]:
    words, word = example["words"], example["word"]
    tree, gold = (make_tree(**example[side]) for side in ("predicted", "gold"))
    errors, shown = find_errors(tree, gold), show_words(words)
    note = f"{example['sent_id']}: “{shown[word]}”: "
    arcs = [describe_arc(shown, one, word) for one in (gold, tree)]
    note += f"{wording.gold}{arcs[0]}, {wording.predicted}{arcs[1]}"
    title = f"{wording.title} of sentence {example['sent_id']}"
    return {
        "text": write_sentence(word_tokens(words, example["spaces"]), tree, errors, name=name),
        "note": note,
        "drawing": draw_tree(words, tree, gold, errors, title=title, name=name),
    }
