"""Which component of a pipeline is its parser."""

from collections.abc import Mapping
from typing import Any

from spacy.language import Language
from spacy.pipeline import DependencyParser

from .errors import Errors

PARSER = "nonmono_parser"
SPACY_PARSER = "parser"


def find_parser(pipeline: Language | Mapping[str, Any], *, or_spacys: bool = False) -> str:
    """The name of the first `nonmono_parser`, under whatever factory; or_spacys: or of spaCy's parser.

    pipeline: one that is loaded, of which only components that run count, or a config.

    Raises ValueError (NM110) if there is none.
    """
    if isinstance(pipeline, Language):
        is_parser = {name: _parses(pipe, or_spacys) for name, pipe in pipeline.pipeline}
    else:
        factories = (PARSER, SPACY_PARSER) if or_spacys else (PARSER,)
        sections = pipeline["components"]
        is_parser = {name: sections[name].get("factory") in factories for name in sections}
    for name, is_one in is_parser.items():
        if is_one:
            return name
    expected = f"{PARSER} or {SPACY_PARSER}" if or_spacys else PARSER
    raise ValueError(
        Errors.NM110.format(components=", ".join(is_parser) or "none", expected=expected)
    )


def _parses(component: Any, or_spacys: bool) -> bool:
    return hasattr(component, "derivations") or (or_spacys and isinstance(component, DependencyParser))
