"""Where a parser errs, on the screen and on a page: the tables of `evaluation.breakdown`."""

from collections.abc import Mapping, Sequence
from typing import Any

from wasabi import msg

from ..drawing.breakdown_page import Section, render_breakdown
from ..drawing.page import PageTable
from ..evaluation.confusions import Row
from ..evaluation.names import (
    CONFUSIONS,
    CROSSING,
    CROSSING_SENTENCES,
    LABEL,
    LENGTH,
    SENTENCE_LENGTH,
    SETTING_NAMES,
    UPOS,
)
from .screen import percent, show_table

LABELS = {
    "gold": "Gold",
    "predicted": "Predicted",
    "labelled_right": "Right",
    "labelled_precision": "Precision",
    "labelled_recall": "Recall",
    "labelled_f": "F",
    "recall": "Right head",
}
ARCS = {
    "gold": "Gold",
    "predicted": "Predicted",
    "precision": "Precision",
    "recall": "Recall",
    "f": "F",
    "labelled_precision": "With label: P",
    "labelled_recall": "R",
    "labelled_f": "F",
}
WORDS = {"words": "Words", "uas": "UAS", "las": "LAS"}
SENTENCES = {"sentences": "Sentences", **WORDS, "ucm": "UCM", "lcm": "LCM"}
# The title of each table, the heading of its rows, and its columns
TABLES = {
    LABEL: ("Labels", "Label", LABELS),
    UPOS: ("Parts of speech", "UPOS", WORDS),
    LENGTH: ("Lengths of arcs", "Length", ARCS),
    CROSSING: ("Crossing arcs", "Arcs", ARCS),
    CROSSING_SENTENCES: ("Sentences with crossing arcs", "Gold tree", SENTENCES),
    SENTENCE_LENGTH: ("Lengths of sentences", "Length", SENTENCES),
}
CONFUSION_TITLES = {
    "labels": "Right head, wrong label",
    "heads": "Wrong head: its part of speech",
    "attachments": "Wrong head: the word, its head and its label",
}

# Of each setting the tables, by name
Breakdown = Mapping[str, Mapping[str, Any]]


def show_breakdown(breakdown: Breakdown) -> None:
    for setting, tables in breakdown.items():
        msg.divider(SETTING_NAMES[setting])
        for table in make_tables(tables):
            show_page_table(table)
        for name, title in CONFUSION_TITLES.items():
            show_page_table(confusion_table(title, tables[CONFUSIONS][name]))


def make_page(
    breakdown: Breakdown, scores: Mapping[str, Mapping[str, Any]], *, title: str
) -> str:
    """Return an HTML page. scores: of each setting, as `evaluate` gives them."""
    sections = []
    for setting, tables in breakdown.items():
        found = scores[setting]
        summary = (
            f"{found['n_words']:,} words, {found['n_sents']:,} sentences; UAS {percent(found['uas'])}, "
            f"LAS {percent(found['las'])}"
        )
        confusions = {title: tables[CONFUSIONS][name] for name, title in CONFUSION_TITLES.items()}
        sections.append(Section(SETTING_NAMES[setting], summary, make_tables(tables), confusions))
    return render_breakdown(sections, title=title)


def make_tables(tables: Mapping[str, Any]) -> list[PageTable]:
    """Return the tables that there are, without the confusions."""
    return [
        PageTable(
            title,
            [heading, *columns.values()],
            [[row["kind"], *(_cell(row[name]) for name in columns)] for row in tables[table]],
        )
        for table, (title, heading, columns) in TABLES.items()
        if table in tables
    ]


def confusion_table(
    title: str, confusions: Sequence[Row], sides: Sequence[str] = ("Gold", "Predicted")
) -> PageTable:
    """Return a table of the confusions of a kind. sides: what the gold tree and the predicted one are
    called."""
    rows = [[one["word"], one["gold"], one["predicted"], f"{one['count']:,}"] for one in confusions]
    header = ["Word", *sides, "Times"]
    if not any(one["word"] for one in confusions):
        header, rows = header[1:], [row[1:] for row in rows]
    return PageTable(title, header, rows, n_left=len(header) - 1)


def show_page_table(table: PageTable) -> None:
    """Show a table with its title, if it has any rows."""
    if table.rows:
        msg.text(table.title)
        show_table(table.rows, table.header, n_left=table.n_left)


def _cell(value: float | None) -> str:
    return f"{value:,}" if isinstance(value, int) else percent(value)
