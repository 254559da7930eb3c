"""What `python -m spacy nonmono evaluate --agreement` shows: two files of trees, neither of which is
gold."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wasabi import msg

from ..drawing.breakdown_page import Section, Wording, render_breakdown
from ..drawing.page import PageTable, marks_of_files
from ..evaluation.annotators import (
    ARCS,
    HEADS,
    LABELS,
    N_NO_HEAD,
    N_NO_LABEL,
    N_WORDS,
    measure_agreement,
    read_annotators,
)
from ..evaluation.confusions import find_confusions
from ..evaluation.names import LABEL, UPOS
from ..evaluation.words import NO_TAG, WordTable
from ..files import write_json, write_text
from .breakdowns import confusion_table, show_page_table
from .screen import number, percent

MEASURES = {HEADS: "Heads (UAS)", LABELS: "Labels", ARCS: "Heads and labels (LAS)"}
AGREED = "Agreed: words of this kind in both files, with the same head and label."
TITLES = {
    "labels": "Same head, different labels",
    "heads": "Different heads: their parts of speech",
    "attachments": "Different heads: the word, its heads and its labels",
}


def show_agreement(files: Mapping[str, str], output: Path | None, page: Path | None) -> None:
    """Show how far two files agree, and save it. files: the name of each path."""
    parsed = read_annotators(*files)
    found = measure_agreement(parsed)
    confusions = find_confusions(WordTable(parsed))
    names = list(files.values())
    tables = _make_tables(found, names)
    for table in tables:
        show_page_table(table)
    msg.text(AGREED)
    for name, title in TITLES.items():
        show_page_table(confusion_table(title, confusions[name], names))
    msg.text(_summary(found))
    if output is not None:
        write_json(output, {"files": list(files), **found})
        msg.good("Saved the agreement", str(output))
    if page is not None:
        title = f"Where {names[0]} and {names[1]} agree"
        shown = {title: confusions[name] for name, title in TITLES.items()}
        section = Section("Two files", f"{_summary(found)} {AGREED}", tables, shown)
        write_text(page, render_breakdown([section], title=title, wording=_wording(*names)))
        msg.good("Saved the page", str(page))


def _make_tables(found: Mapping[str, Any], names: Sequence[str]) -> list[PageTable]:
    measures = [
        [label, percent(found[name]["agreed"]), number(found[name]["kappa"], "{:.3f}")]
        for name, label in MEASURES.items()
    ]
    tables = [PageTable("Agreement", ["", "Agreed, %", "Kappa"], measures)]
    for kind, title, heading in ((LABEL, "Labels", "Label"), (UPOS, "Parts of speech", "UPOS")):
        rows = [
            [
                row["kind"],
                *(f"{row[name]:,}" for name in ("a", "b", "agreed")),
                percent(row["f"]),
            ]
            for row in found[kind]
        ]
        if any(row[0] != NO_TAG for row in rows):
            tables.append(PageTable(title, [heading, *names, "Agreed", "F"], rows))
    return tables


def _summary(found: Mapping[str, Any]) -> str:
    text = f"{found[N_WORDS]:,} words have a head in both files."
    if found[N_NO_HEAD]:
        text += f" {found[N_NO_HEAD]:,} have none in one of them or both, and are left out."
    if found[N_NO_LABEL]:
        text += f" {found[N_NO_LABEL]:,} have no label, and are left out where labels count."
    return text


def _wording(a: str, b: str) -> Wording:
    return Wording(
        marks=marks_of_files(b, a),
        note=f"What {a} has comes first, then what {b} has. The tree of {b} is above the words, that of "
        f"{a} below them.",
        between="/",
        gold=f"in {a} ",
        predicted=f"in {b} ",
        title=f"The tree of {b}, and below the words that of {a}",
    )
