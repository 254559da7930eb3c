"""What is installed, by name: trained pipelines, the parser of a pipeline, and packages of extras."""

import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from spacy.language import Language
from spacy.pipeline import DependencyParser
from spacy.util import load_model

from .errors import Errors

PARSER = "nonmono_parser"
SPACY_PARSER = "parser"
# A label that it always has
SPACY_LABEL = "dep"
PARSERS = (PARSER, SPACY_PARSER, "beam_parser")
# What `spacy train` writes into its folder
MODEL_BEST, MODEL_LAST = "model-best", "model-last"
# spaCy's errors where there is no pipeline, and the one where a component cannot be made
NO_PIPELINE = ("[E050]", "[E052]", "[E053]")
NO_FACTORY = re.compile(r"\[E002\] Can't find factory for '([^']*)'")
# Packages that only some commands need, and the extra that they are in: `spacy-nonmono[lab]`
EXTRAS = {
    "matplotlib": "lab",
    "scipy": "lab",
    "pyarrow": "corpora",
    "zstandard": "corpora",
    "pyspark": "spark",
}


def load_pipeline(name: str | Path) -> Language:
    """Return a trained pipeline: a folder, or a package that is installed.

    Raises OSError (NM198) if there is none, ValueError (NM200) if a component of it cannot be made.
    """
    try:
        return load_model(name)
    except OSError as error:
        if str(error).startswith(NO_PIPELINE):
            raise no_pipeline(name) from None
        raise
    except ValueError as error:
        if match := NO_FACTORY.match(str(error)):
            raise ValueError(Errors.NM200.format(found=name, factory=match[1])) from None
        raise


def no_pipeline(name: str | Path) -> OSError:
    """Return the error (NM198) for a name that is no pipeline. It names the pipeline that may be
    meant."""
    best = Path(name) / MODEL_BEST
    such_as = f", such as {best}" if best.is_dir() else ""
    return OSError(Errors.NM198.format(found=name, such_as=such_as))


def find_parser(pipeline: Language | Mapping[str, Any], *, or_spacys: bool = False) -> str:
    """Return the name of the first parser that `find_parsers` finds; it raises the same."""
    return find_parsers(pipeline, or_spacys=or_spacys)[0]


def find_parsers(pipeline: Language | Mapping[str, Any], *, or_spacys: bool = False) -> list[str]:
    """Return the names of every `nonmono_parser`, under whatever factory; or_spacys: and of spaCy's
    parsers.

    pipeline: one that is loaded, of which only components that run count, or a config.

    Raises ValueError (NM110) if there is none.
    """
    if isinstance(pipeline, Language):
        is_parser = {name: _parses(pipe, or_spacys) for name, pipe in pipeline.pipeline}
    else:
        factories = PARSERS if or_spacys else (PARSER,)
        sections = pipeline["components"]
        is_parser = {name: sections[name].get("factory") in factories for name in sections}
    found = [name for name, is_one in is_parser.items() if is_one]
    if not found:
        expected = f"{PARSER} or {SPACY_PARSER}" if or_spacys else PARSER
        raise ValueError(
            Errors.NM110.format(components=", ".join(is_parser) or "none", expected=expected)
        )
    return found


def _parses(component: Any, or_spacys: bool) -> bool:
    return hasattr(component, "derivations") or (or_spacys and isinstance(component, DependencyParser))


def sets_no_heads(nlp: Language) -> ValueError:
    """Return the error (NM103) of a pipeline that leaves Docs without trees."""
    return ValueError(Errors.NM103.format(components=", ".join(nlp.pipe_names) or "none"))


def import_extra(name: str) -> ModuleType:
    """Import a module of an extra. Raises ImportError (NM166) where it is not installed."""
    try:
        return import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        text = Errors.NM166.format(package=package, error=error, extra=EXTRAS[package])
        raise ImportError(text) from error
