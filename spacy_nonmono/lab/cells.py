"""A cell of a benchmark: one run on one treebank with one seed.

Its key is a hash of all that decides its result: the config with its overrides, the contents of the
three parts of the treebank, the code that it uses, spaCy's version, the seed, and which of
the two saved models is evaluated. Names are not in it, nor are files that the config names (vectors,
tables): with others behind the same path, take another output folder.

The code that a cell uses is found, not listed, so a change of anything else makes no cell stale. A
training imports by name what its config registers: factories, systems, architectures, readers and so on;
and a parser finds the oracles of its system and the learner of its model by name. Each name leads to a
module by its entry point. What these modules import, `sources` finds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import spacy
from spacy.util import load_model_from_config, walk_dict
from thinc.api import Config

from ..errors import Errors
from ..evaluation.fingerprints import fingerprint
from ..evaluation.sources import code_fingerprint
from ..pipeline.parser import NonmonoParser
from ..recipes.text import read_config
from ..treebank.multiword import split_words
from .run_cell import SPEED_LOGGER
from .treebanks import data_fingerprints

KEY_LENGTH = 16
RUNNER = f"{__package__}.run_cell"
GOLD_TAGS = {"corpora.train.gold_tags": True, "corpora.dev.gold_tags": True}


@dataclass(frozen=True)
class Run:
    """A parser of a benchmark: a name, a config, and settings that replace those of the config.

    overrides: settings by their full names, as in `{"training.max_steps": 500}`.
    """

    name: str
    config: Path
    overrides: Mapping[str, Any]


@dataclass(frozen=True)
class Cell:
    """One run on one treebank with one seed, and the key under which its result is kept."""

    treebank: Path
    run: Run
    seed: int
    model: str  # "best" or "last": the step that is evaluated
    gold_tags: bool  # does the parser see gold tags?
    config: str  # the text, with all overrides but seed and paths
    key: str


def make_cells(
    treebanks: Sequence[Path],
    runs: Sequence[Run],
    *,
    seeds: Sequence[int],
    common: Mapping[str, Any] | None = None,
    gold_tags: bool = False,
    model: str = "best",
) -> list[Cell]:
    """Make a cell for each run on each treebank with each seed.

    The cells of a treebank with the same seed follow each other, so that a table can be had early.

    common: overrides of all runs; a run's own come first.
    gold_tags: switch on `gold_tags` in the corpora of every run. A run that does so by itself is
        evaluated with gold tags, too.

    Raises FileNotFoundError (NM160) where a treebank lacks a part, ValueError (NM162) where two
    treebanks or two runs have the same name.
    """
    check_names("treebanks", [treebank.name for treebank in treebanks])
    check_names("runs", [run.name for run in runs])
    configs, codes = {}, {}
    for run in runs:
        overrides = {**(common or {}), **run.overrides, **(GOLD_TAGS if gold_tags else {})}
        configs[run.name] = read_config(run.config, overrides)
        split_words(configs[run.name])
        codes[run.name] = code_fingerprint(cell_modules(configs[run.name]))
    cells = []
    for treebank in treebanks:
        data = data_fingerprints(treebank)
        for seed in seeds:
            for run in runs:
                config = configs[run.name]
                text, corpora = config.to_str(interpolate=False), config.interpolate().get("corpora", {})
                decisive = {
                    "config": text,
                    "data": data,
                    "code": codes[run.name],
                    "spacy": spacy.__version__,
                    "seed": seed,
                    "model": model,
                }
                cells.append(
                    Cell(
                        treebank=treebank,
                        run=run,
                        seed=seed,
                        model=model,
                        gold_tags=bool(corpora.get("dev", {}).get("gold_tags")),
                        config=text,
                        key=fingerprint(decisive)[:KEY_LENGTH],
                    )
                )
    return cells


def check_names(kind: str, names: list[str]) -> None:
    """Raise ValueError (NM162) if two treebanks or two runs have the same name."""
    doubles = sorted({name for name in names if names.count(name) > 1})
    if doubles:
        raise ValueError(Errors.NM162.format(kind=kind, found=", ".join(doubles)))


def cell_modules(config: Config) -> list[str]:
    """Return the modules that a training with this config finds by name, and `run_cell`."""
    nlp = load_model_from_config(config, auto_fill=True)  # with what the config leaves to defaults
    named = [(keys[-1], value) for keys, value in walk_dict(nlp.config) if keys[-1].startswith("@")]
    names = {(f"{package}_{key[1:]}", value) for key, value in named for package in ("spacy", "thinc")}
    names |= {("spacy_factories", nlp.get_pipe_meta(name).factory) for name in nlp.component_names}
    names.add(("spacy_loggers", SPEED_LOGGER))
    for _, pipe in nlp._components:
        if isinstance(pipe, NonmonoParser):
            names.add(("spacy_nonmono_oracles", pipe.system.name))
            names.add(("spacy_nonmono_learners", pipe.model.name))
    every = entry_points()  # reads the files of all packages
    found = {point.module for group, name in names for point in every.select(group=group, name=name)}
    return sorted({RUNNER, *found})
