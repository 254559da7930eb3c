"""Trainings of which the best pipeline is taken."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from spacy.cli.train import train

from .text import read_config, values_of


def train_best(
    config_path: Path, output: Path, *, use_gpu: int = -1, overrides: Mapping[str, Any] | None = None
) -> None:
    """Train as `spacy train` does, for the sake of `output/model-best`.

    A training that is shorter than `eval_frequency` is evaluated after its last step. spaCy would find
    the best pipeline before the first step, where nothing has been learned.

    Raises ValueError: NM202 as `read_config` does; what the training raises.
    """
    overrides = dict(overrides or {})
    training = values_of(read_config(config_path, overrides), config_path)["training"]
    steps, frequency = training["max_steps"], training.get("eval_frequency", 200)
    # By default that of spaCy, which tells what is no number
    if isinstance(steps, int) and isinstance(frequency, int) and 0 < steps < frequency:
        overrides["training.eval_frequency"] = steps
    train(config_path, output, use_gpu=use_gpu, overrides=overrides)
