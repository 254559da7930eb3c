"""The modules on which a cell's result depends: those that its training imports, and those that train
and score it. They are found, not listed, so a change of anything else makes no cell stale.

A training imports by name what its config registers: factories, systems, architectures, readers and so
on; and a parser finds the oracles of its system and the learner of its model by name. Each name leads to
a module by its entry point. What these modules import, `sources` finds.
"""

from collections.abc import Iterator
from importlib.metadata import entry_points
from typing import Any

from spacy.util import load_model_from_config
from thinc.api import Config

from ..pipeline.parser import NonmonoParser
from .run_cell import SPEED_LOGGER

RUNNER = f"{__package__}.run_cell"


def cell_modules(config: Config) -> list[str]:
    """Return the modules that a training with this config finds by name, and `run_cell`."""
    nlp = load_model_from_config(config, auto_fill=True)  # with what the config leaves to defaults
    names = set(_registered(nlp.config))
    names |= {("spacy_factories", nlp.get_pipe_meta(name).factory) for name in nlp.component_names}
    names.add(("spacy_loggers", SPEED_LOGGER))
    for _, pipe in nlp._components:
        if isinstance(pipe, NonmonoParser):
            names.add(("spacy_nonmono_oracles", pipe.system.name))
            names.add(("spacy_nonmono_learners", pipe.model.name))
    found = {point.module for group, name in names for point in entry_points(group=group, name=name)}
    return sorted({RUNNER, *found})


def _registered(values: Any) -> Iterator[tuple[str, str]]:
    """Yield a group of entry points and a name for each `@registry = "name"` of a config."""
    if not isinstance(values, dict):
        return
    for key, value in values.items():
        if key.startswith("@"):
            yield f"spacy_{key[1:]}", value
            yield f"thinc_{key[1:]}", value
        else:
            yield from _registered(value)
