"""Other components of the parser's pipeline: attribute rulers that name labels, what learns tags, and
what learns with PyTorch."""

import warnings
from collections.abc import Iterator
from typing import Any

from spacy.attrs import DEP
from spacy.language import Language
from spacy.pipeline import AttributeRuler
from thinc.api import Model, PyTorchShim

from ..errors import Warnings
from .labels import SPACE, LabelTable

N_SHOWN = 5
TAGGERS = ("tagger", "morphologizer")


def check_rulers(nlp: Language, table: LabelTable) -> None:
    """Warn (NM551) of each attribute ruler whose patterns name labels that the parser does not have: it
    was made for another parser. table: the labels of this one."""
    # The empty label is that of a word without a parse
    known = {dep for dep, _ in table.pairs} | {"", SPACE}
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
    """Find the labels that Matcher patterns name: `{"DEP": "obj"}`, `{"DEP": {"IN": ["obj", "obl"]}}`. A
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


def training_of(nlp: Language) -> dict[str, Any]:
    """Return the section `training` of a pipeline's config, with the values of its variables."""
    return nlp.config.interpolate()["training"]  # type: ignore[no-any-return]


def others_learn_tags(nlp: Language, parser: str) -> bool:
    """Find out whether a tagger or a morphologizer learns from the same tok2vec, or transformer, as the
    parser.

    parser: its name.
    """
    frozen = training_of(nlp).get("frozen_components", [])
    listening = {name for one in heard_by(nlp, parser) for name in one.listening_components}
    return any(nlp.get_pipe_meta(name).factory in TAGGERS for name in listening.difference(frozen))


def heard_by(nlp: Language, parser: str) -> list[Any]:
    """List the components to which the parser listens."""
    # Only what has listeners has a list of them
    return [pipe for _, pipe in nlp.components if parser in getattr(pipe, "listening_components", [])]


def pytorch_learns(nlp: Language) -> bool:
    """Find out whether a layer of PyTorch, such as a transformer, learns in this pipeline. Its weights
    are averaged as well, but thinc does not give the averages to it."""
    frozen = training_of(nlp).get("frozen_components", [])
    models = [getattr(pipe, "model", None) for name, pipe in nlp.components if name not in frozen]
    return any(has_pytorch(model) for model in models if isinstance(model, Model))


def listens_to_pytorch(nlp: Language, parser: str) -> bool:
    """Find out whether the vectors of the parser come from a component with layers of PyTorch, frozen
    or not: the learn rate of such a pipeline is one for a transformer."""
    return any(has_pytorch(component.model) for component in heard_by(nlp, parser))


def has_pytorch(model: Model) -> bool:
    """Find out whether a model has a layer of PyTorch."""
    return any(isinstance(shim, PyTorchShim) for node in model.walk() for shim in node.shims)
