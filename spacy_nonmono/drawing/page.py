"""HTML pages around drawings of trees: no script, nothing from the network. What they look like is in
`templates`."""

from collections.abc import Mapping
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

MARKS = {"wrong": "wrong head", "wrong-label": "right head, wrong label"}
GOLD_MARKS = {"missed": "gold arc that is missed", "missed-label": "gold label that is missed"}

TEMPLATES = Environment(
    loader=PackageLoader("spacy_nonmono.drawing"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)
TEMPLATES.filters["px"] = "{:.1f}".format


def render(template: str, **values: Any) -> Markup:
    """Fill in a template. values: what it names. Markup is left as it is, all else is escaped."""
    return Markup(TEMPLATES.get_template(template).render(values))


def make_legend(marks: Mapping[str, str]) -> Markup:
    """Say what the marks of arcs mean, with a small arc for each. marks: by CSS class."""
    return render("legend.html", marks={"plain": "arc"} | dict(marks))
