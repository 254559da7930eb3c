"""Attribute rulers whose patterns name labels that the parser does not have: those of another parser."""

import warnings
from collections.abc import Iterator
from typing import Any

from spacy.attrs import DEP
from spacy.language import Language
from spacy.pipeline import AttributeRuler

from ..errors import Warnings
from .labels import LabelTable

N_SHOWN = 5


def check_rulers(nlp: Language, table: LabelTable) -> None:
    """Warn (NM551) once per attribute ruler. table: the labels of the parser."""
    known = {dep for dep, _ in table.pairs} | {""}  # the empty label is that of a word without a parse
    # Frozen components are disabled at initialization, so those of `nlp.pipeline` are not enough.
    for name, pipe in nlp.components:
        if not isinstance(pipe, AttributeRuler):
            continue
        named = [set(pattern_labels(entry["patterns"])) - known for entry in pipe.patterns]
        unknown = sorted(set().union(*named))
        if unknown:
            shown = ", ".join(unknown[:N_SHOWN]) + (", ..." if len(unknown) > N_SHOWN else "")
            n_patterns = sum(map(bool, named))
            message = Warnings.NM551.format(name=name, n_patterns=n_patterns, labels=shown)
            warnings.warn(message, stacklevel=3)


def pattern_labels(patterns: Any) -> Iterator[str]:
    """The labels that Matcher patterns name: `{"DEP": "obj"}`, `{"DEP": {"IN": ["obj", "obl"]}}`. A
    regular expression names none."""
    for pattern in patterns:
        for token in pattern:
            for key, value in token.items():
                if key != DEP and str(key).upper() != "DEP":
                    continue
                if isinstance(value, str):
                    yield value
                elif isinstance(value, dict):
                    for operator in ("IN", "NOT_IN"):
                        yield from value.get(operator, ())
