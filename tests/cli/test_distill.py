"""Distillation from the command line."""

import pytest
import spacy

from spacy_nonmono.recipes.config import make_config

STEPS = ["--training.max_steps", 2, "--training.eval_frequency", 1]
SMALL = [
    *("--components.tok2vec.model.encode.width", 8),
    *("--components.nonmono_parser.model.hidden_width", 8),
]


@pytest.fixture
def folder(tmp_path, treebank):
    for part in ("train", "dev"):
        (tmp_path / f"{part}.conllu").write_text(treebank.read_text())
    (tmp_path / "text.txt").write_text("cats bark .\n")
    make_config(lang="xx").to_disk(tmp_path / "config.cfg")
    return tmp_path


def test_distill(nonmono, folder):
    config, text, output = folder / "config.cfg", folder / "text.txt", folder / "new" / "out"
    arguments = ["--output", output, "--teachers", 2, "--agreement", 1, *STEPS, *SMALL]
    result = nonmono("distill", config, folder, text, *arguments)
    assert result.exit_code == 0, result.output
    assert "3 words of raw text" in result.output and "0 sentences" in result.output
    assert spacy.load(output / "student" / "model-best")("cats bark .").has_annotation("DEP")
    again = nonmono("distill", config, folder, text, *arguments)
    assert again.exit_code == 0 and "3 words of raw text" in again.output


def test_errors(nonmono, folder):
    config, text = folder / "config.cfg", folder / "text.txt"
    result = nonmono("distill", folder / "gone.cfg", folder, text, "-o", folder / "out")
    assert result.exit_code == 1 and "gone.cfg" in result.output
    arguments = ["--teachers", 2, "-o", folder / "out", *STEPS, *SMALL]
    result = nonmono("distill", config, folder, folder / "gone.txt", *arguments)
    assert result.exit_code == 1 and "[NM194]" in result.output
