"""HTML pages around drawings of trees, and of tables: no script, nothing from the network. What they
look like is in `templates`."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

MARKS = {"wrong": "wrong head", "wrong-label": "right head, wrong label"}
GOLD_MARKS = {"missed": "gold arc that is missed", "missed-label": "gold label that is missed"}

# What no XML may hold; names of files may have half a character
UNSHOWN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def _shown(value: Any) -> Any:
    is_shown = not isinstance(value, str) or not UNSHOWN.search(value)
    return value if is_shown else type(value)(UNSHOWN.sub("\ufffd", value))


TEMPLATES = Environment(
    loader=PackageLoader("spacy_nonmono.drawing"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
    finalize=_shown,
)
# Both looks of a page; COLOURS are the names of the colours in its style sheet
LIGHT = {
    "paper": "#fff", "ink": "#1c1c1c", "faint": "#5c5c5c", "line": "#6b6b6b", "rule": "#d4d4d4",
    "wrong": "#c62828", "missed": "#1558b0", "added": "#1b7a3d", "dropped": "#96520a",
    "repair": "#fdf3e4", "costly": "#fdeaea",
}  # fmt: skip
DARK = {
    "paper": "#16181c", "ink": "#e6e6e6", "faint": "#a6a6a6", "line": "#9a9a9a", "rule": "#45484e",
    "wrong": "#ff8f87", "missed": "#8ab8ff", "added": "#7fd693", "dropped": "#f0b061",
    "repair": "#2b2416", "costly": "#33191a",
}  # fmt: skip
COLOURS = {name: f"var(--{name})" for name in LIGHT}
TEMPLATES.globals.update(LIGHT=LIGHT, DARK=DARK, COLOURS=COLOURS)
TEMPLATES.filters["px"] = "{:.1f}".format


class PageTable(NamedTuple):
    """A table of a page. rows: the texts as they are shown. n_left: the number of columns of text,
    which are those on the left; the others are numbers.
    """

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    n_left: int = 1


def render(template: str, **values: Any) -> Markup:
    """Fill in a template. values: what it names. Markup is left as it is, all else is escaped."""
    return Markup(TEMPLATES.get_template(template).render(values))


def marks_of_files(above: str, below: str) -> dict[str, str]:
    """Return what the marks mean where trees of two files are compared, neither of which is gold."""
    return {
        "wrong": f"head in {above}, another one in {below}",
        "wrong-label": f"label in {above}, another one in {below}",
        "missed": f"head in {below}",
        "missed-label": f"label in {below}",
    }


def make_legend(marks: Mapping[str, str]) -> Markup:
    """Say what the marks of arcs mean, with a small arc for each. marks: by CSS class."""
    return render("legend.html", marks={"plain": "arc"} | dict(marks))
