"""`python -m spacy nonmono jackknife`."""

import pytest

from spacy_nonmono.lab import jackknife as module
from spacy_nonmono.recipes import folds
from tests.lab.made_up import make_treebank


@pytest.fixture
def untrained(monkeypatch):
    """Taggers that give the words the tags that they have."""
    monkeypatch.setattr(folds, "train_last", lambda config, folder, dev, use_gpu: folder)
    monkeypatch.setattr(module, "tag_sentences", lambda tagger, sentences: sentences)


@pytest.mark.usefixtures("untrained")
def test_several_treebanks(nonmono, tmp_path):
    folders = [make_treebank(tmp_path / name) for name in ("one", "two")]
    output = tmp_path / "tagged"
    result = nonmono("jackknife", *folders, "--folds", 2, "--output", output)
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in output.iterdir()) == ["one", "two"]
    assert result.output.count("100.00%") >= 6 and "dev-and-test" in result.output


def test_two_of_the_same_name(nonmono, tmp_path):
    folders = [make_treebank(tmp_path / name / "bank") for name in ("one", "two")]
    result = nonmono("jackknife", *folders, "--output", tmp_path / "tagged")
    assert result.exit_code == 1
    assert "NM162" in result.output
