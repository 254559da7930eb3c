"""`python -m spacy nonmono stats`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from wasabi import msg

from ..files import write_json, write_text
from .arguments import TreebankFile
from .screen import check_exist, check_suffix, number, percent, show_table

if TYPE_CHECKING:
    from ..drawing.page import PageTable
    from ..treebank.summary import Summary

COUNTS = {
    "n_sentences": "Sentences",
    "n_words": "Words",
    "n_types": "Different words",
    "words_per_type": "Words per different word",
    "n_multiword": "Multiword tokens",
    "n_unknown": "Words without a head",
    "n_unlabelled": "Words with a head, but no label",
    "n_labels": "Labels",
    "mean_sentence": "Words per sentence",
    "longest_sentence": "Longest sentence",
    "mean_arc": "Mean length of an arc",
    "longest_arc": "Longest arc",
    "mean_depth": "Mean depth of a sentence",
    "deepest": "Deepest sentence",
    "n_crossing": "Crossing arcs",
    "crossing_share": "Crossing arcs, %",
    "n_nonprojective": "Sentences with crossing arcs",
    "nonprojective_share": "Sentences with crossing arcs, %",
}
JSON, HTML = SUFFIXES = ".json", ".html"


def stats_cli(
    treebank: TreebankFile,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File for the counts (.json, .html)")
    ] = None,
) -> None:
    """Count what is in a treebank or in parsed text.

    The command takes a treebank, or a folder of CoNLL-U that `parse` wrote. It counts sentences, words,
    labels, parts of speech and crossing arcs, and measures sentences, arcs and trees. The length of an
    arc is the distance of its two words. The depth of a sentence is the number of arcs from its root to
    the word that is furthest below it. Parts of speech are UPOS, or XPOS where there is no UPOS.
    """
    from ..treebank.reader import read_sentences
    from ..treebank.summary import summarize

    check_exist([treebank], output)
    if output is not None:
        check_suffix(output, SUFFIXES)
    summary = summarize(read_sentences(treebank))
    tables = make_tables(summary)
    for table in tables:
        show_table(table.rows, table.header)
    if output is None:
        return
    if output.suffix == JSON:
        write_json(output, {"file": str(treebank), **_values(summary)})
    else:
        from ..drawing.page import render

        title = f"What is in {treebank.name}"
        write_text(output, str(render("tables.html", tables=tables, title=title)))
    msg.good("Saved the counts", str(output))


def make_counts(parts: Sequence["Summary"]) -> list[list[str]]:
    """Return a row for each of COUNTS, with a cell for each part of a treebank."""
    return [[label, *(_cell(name, part) for part in parts)] for name, label in COUNTS.items()]


def make_tables(summary: "Summary") -> list["PageTable"]:
    from ..drawing.page import PageTable

    n_labels, n_tags = summary.labels.total(), summary.tags.total()
    labels = [
        [label, f"{n:,}", percent(n / n_labels), f"{crossing:,}", percent(crossing / n)]
        for label, n in summary.labels.most_common()
        for crossing in [summary.crossing[label]]
    ]
    tags = [[tag, f"{n:,}", percent(n / n_tags)] for tag, n in summary.tags.most_common()]
    found = [
        PageTable("Counts", ["", "Number"], make_counts([summary])),
        PageTable("Labels", ["Label", "Arcs", "%", "Crossing", "% of label"], labels),
        PageTable("Parts of speech", ["Part of speech", "Words", "%"], tags),
    ]
    return [table for table in found if table.rows]


def _values(summary: "Summary") -> dict[str, Any]:
    labels = {
        label: {"arcs": n, "crossing": summary.crossing[label]}
        for label, n in summary.labels.most_common()
    }
    counts = {name: getattr(summary, name) for name in COUNTS}
    return {**counts, "labels": labels, "tags": dict(summary.tags.most_common())}


def _cell(name: str, part: "Summary") -> str:
    value = getattr(part, name)
    if isinstance(value, int):
        return f"{value:,}"
    return percent(value) if name.endswith("_share") else number(value, "{:.2f}")
