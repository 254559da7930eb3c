"""Trainings of which the best pipeline is taken."""

from pathlib import Path

import pytest
import spacy

from spacy_nonmono.recipes.config import make_config
from spacy_nonmono.recipes.train import train_best

SAMPLE = Path(__file__).parents[2] / "assets" / "sample"


@pytest.mark.parametrize("steps,found", [(3, 3), (4, 4), (9, 4), (0, 4)])
def test_short_training(tmp_path, steps, found):
    """It is evaluated at its end, so that `model-best` has learned something. 0: no last step."""
    settings = {
        "paths.train": str(SAMPLE / "train.conllu"),
        "paths.dev": str(SAMPLE / "dev.conllu"),
        "components.tok2vec.model.encode.width": 16,
        "components.nonmono_parser.model.hidden_width": 16,
        "training.max_steps": steps,
        "training.patience": 8,
        "training.eval_frequency": 4,
    }
    path = tmp_path / "config.cfg"
    make_config().to_disk(path)
    train_best(path, tmp_path, overrides=settings)
    assert spacy.load(tmp_path / "model-best").config["training"]["eval_frequency"] == found


def test_what_spacy_fills_in_and_refuses(tmp_path):
    config = make_config()
    del config["training"]["eval_frequency"]
    config.to_disk(tmp_path / "config.cfg")
    with pytest.raises(SystemExit):  # of spaCy, which has told the reason
        train_best(tmp_path / "config.cfg", tmp_path, overrides={"training.max_steps": "many"})
