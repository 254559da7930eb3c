"""HTML pages around drawings of trees: no script, nothing from the network. What they look like is in
`templates`."""

from collections.abc import Iterable, Mapping
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


def render(template: str, **values: Any) -> str:
    """values: what the template names. Markup is left as it is, all else escaped."""
    return TEMPLATES.get_template(template).render(values)


def make_legend(marks: Mapping[str, str]) -> Markup:
    """What the marks of arcs mean. marks: by CSS class."""
    return Markup(render("legend.html", marks={"plain": "arc"} | dict(marks)))


def make_fragment(body: Iterable[str]) -> str:
    """Part of a page that has a style of its own, such as that of a notebook."""
    return render("fragment.html", body=Markup("\n".join(body)))
