"""`python -m spacy nonmono model-card`."""

import shutil

import srsly

from spacy_nonmono.evaluation.names import RAW_TEXT

ABOUT = ["--name", "made_up", "--data", "UD Made-Up", "--url", "https://example.org"]


def test_card_is_written(nonmono, nonmono_path, tmp_path):
    pipeline, scores = shutil.copytree(nonmono_path, tmp_path / "pipeline"), tmp_path / "raw.json"
    srsly.write_json(scores, {RAW_TEXT: {"n_words": 9, "n_sents": 2, "words_per_second": 10.0}})
    result = nonmono("model-card", pipeline, scores, *ABOUT, "--license", "CC0 1.0")
    assert result.exit_code == 0, result.output
    assert "| License | CC0 1.0, that of the treebank |" in (pipeline / "README.md").read_text("utf-8")


def test_a_license_that_cannot_be_written(nonmono, nonmono_path, tmp_path):
    pipeline, scores = shutil.copytree(nonmono_path, tmp_path / "pipeline"), tmp_path / "raw.json"
    srsly.write_json(scores, {RAW_TEXT: {"n_words": 9, "n_sents": 2, "words_per_second": 10.0}})
    (pipeline / "LICENSE").mkdir()
    about = [*ABOUT, "--license", "CC0", "--license-file", scores]
    result = nonmono("model-card", pipeline, scores, *about)
    assert result.exit_code == 1 and "[NM169]" in result.output


def test_no_package_gets_a_license_by_default(nonmono, tmp_path):
    result = nonmono("model-card", tmp_path, tmp_path, *ABOUT, "--license", "")
    assert result.exit_code == 2 and "--license" in result.output


def test_name_is_one_that_python_imports(nonmono, tmp_path):
    for name in ("My Name", "a/b", "a-b"):
        result = nonmono("model-card", tmp_path, tmp_path, *ABOUT, "--license", "CC0", "--name", name)
        assert result.exit_code == 2 and "--name" in result.output


def test_version_is_one_that_packages_have(nonmono, tmp_path):
    for version in ("", "one", "1 beta"):
        about = [*ABOUT, "--license", "CC0", "--version", version]
        result = nonmono("model-card", tmp_path, tmp_path, *about)
        assert result.exit_code == 2 and "--version" in result.output
