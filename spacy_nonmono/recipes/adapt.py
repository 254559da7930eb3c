"""The parser in the place of a trained pipeline's parser, and what that changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import srsly
from spacy.cli.train import train
from spacy.language import Language

from ..evaluation.evaluate import evaluate
from ..evaluation.scores import Scores
from ..files import write_json, write_text
from ..parsers import load_pipeline
from ..treebank.corpus import create_conllu_corpus
from ..treebank.formats import DEV, TEST, TRAIN, find_part
from ..treebank.multiword import learned_words
from .base import adapt_config
from .changes import Changes, find_changes
from .text import config_text

# What a package says of itself and its makers
KEPT_META = ("author", "email", "url", "license", "sources", "description")


@dataclass
class Adapted:
    """path: the new pipeline. scores: {"old": ..., "new": ...} as `evaluate` gives them; None without
    a test part."""

    path: Path
    scores: dict[str, dict[str, Scores]] | None
    changes: Changes | None


def adapt(
    base: str,
    treebank: Path,
    output: Path,
    *,
    system: str | None = None,
    tune: bool = False,
    use_gpu: int = -1,
    overrides: Mapping[str, Any] | None = None,
) -> Adapted:
    """Train the parser for a pipeline and compare the pipelines on the test part of the treebank.

    Writes `output/config.cfg`, and the pipeline as `output/model-best`.

    base: a pipeline, a package or a folder. treebank: a folder with train.conllu and dev.conllu,
        or with the same in CoNLL-X.
    overrides: of the config, as those of `spacy train`.
    """
    config, name = adapt_config(base, system=system, tune=tune)
    config["paths"].update(
        train=str(find_part(treebank, TRAIN)), dev=str(find_part(treebank, DEV))
    )
    path = output / "config.cfg"
    header = ["To train with this config:", f"  python -m spacy train {path} --output {output}"]
    write_text(path, config_text(config, header, parser=name))
    train(path, output, use_gpu=use_gpu, overrides=dict(overrides or {}))
    old, new = load_pipeline(base), output / "model-best"
    describe(new, old)
    test = find_part(treebank, TEST)
    if not test.exists():
        return Adapted(new, None, None)
    pipelines = {"old": old, "new": load_pipeline(new)}
    multiword = learned_words(pipelines["new"])
    scores = {key: evaluate(nlp, test, multiword=multiword) for key, nlp in pipelines.items()}
    texts = [example.text for example in create_conllu_corpus(test, multiword=multiword)(old)]
    return Adapted(new, scores, find_changes(old, pipelines["new"], texts))


def describe(path: Path, old: Language) -> None:
    """Give a saved pipeline the old one's authors, license and name, with `_nonmono` behind it."""
    meta: dict[str, Any] = srsly.read_json(path / "meta.json")
    meta.update({key: old.meta[key] for key in KEPT_META if old.meta.get(key)})
    meta.update(name=f"{old.meta['name']}_nonmono", version=old.meta["version"])
    write_json(path / "meta.json", meta)
