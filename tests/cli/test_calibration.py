"""Calibration from the command line."""

import errno
import shutil
from pathlib import Path

import numpy as np
import pytest
import spacy
import srsly

from spacy_nonmono.pipeline.parser import NonmonoParser

pytestmark = pytest.mark.usefixtures("own_extensions")


@pytest.mark.parametrize("setting", ["gold", "documents"])
def test_table_and_figure(nonmono, nonmono_path, treebank, tmp_path, setting):
    pytest.importorskip("matplotlib")
    output = tmp_path / "new" / "calibration.png"
    arguments = ["--setting", setting, "--output", output, "--bins", 4]
    result = nonmono("calibration", nonmono_path, treebank, *arguments)
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    bins = [line.split()[:2] for line in lines if line[:2] in ("0-", "0.")]
    assert [name for name, _ in bins] == ["0-0.25", "0.25-0.5", "0.5-0.75", "0.75-1"]
    assert sum(int(n_words) for _, n_words in bins) == 54
    assert "Expected calibration error: 0." in result.output
    assert output.stat().st_size > 0


def test_fit(nonmono, nonmono_path, treebank, tmp_path):
    """The scores are fitted, the folder has them, and nothing else changes."""
    path = tmp_path / "fitted"
    shutil.copytree(nonmono_path, path)
    plain, fitted = (
        nonmono("calibration", path, treebank, *arguments).output.splitlines()
        for arguments in ([], ["--fit"])
    )
    assert plain != fitted and any("Saved the parser" in line for line in fitted)
    old, new = (spacy.load(folder).get_pipe("nonmono_parser") for folder in (nonmono_path, path))
    assert old.scaling != new.scaling and new.scaling.slope != 1
    found = new.scaling.scale(np.array([0.5, 0.9]))
    said = f"they change from 0.50 to {found[0]:.2f}, and from 0.90 to {found[1]:.2f}"
    assert said in " ".join(fitted) and "Scaling(" not in " ".join(fitted)
    assert old.model.to_bytes() == new.model.to_bytes() and old.labels == new.labels
    files = [{file.relative_to(folder) for file in folder.rglob("*")} for folder in (nonmono_path, path)]
    assert files[0] == files[1]
    again = nonmono("calibration", path, treebank, "--fit").output.splitlines()
    assert again == fitted


def test_fit_on_a_full_disk(nonmono, nonmono_path, treebank, tmp_path, monkeypatch):
    path = tmp_path / "fitted"
    shutil.copytree(nonmono_path, path)

    def fail(parser, folder, **arguments):
        Path(folder, "model").write_bytes(b"a part")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(NonmonoParser, "to_disk", fail)
    result = nonmono("calibration", path, treebank, "--fit")
    assert result.exit_code == 1 and "[NM169]" in result.output
    found, expected = (
        {file.name: file.read_bytes() for file in (folder / "nonmono_parser").iterdir()}
        for folder in (path, nonmono_path)
    )
    assert found == expected


@pytest.mark.filterwarnings(r"ignore:\[NM586\]")
def test_nothing_to_fit_to(nonmono, nonmono_path, tmp_path):
    """An earlier fit stays, and the error is no number."""
    path, file = tmp_path / "fitted", tmp_path / "bare.conllu"
    shutil.copytree(nonmono_path, path)
    file.write_text("1\tHello\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    before = (path / "nonmono_parser" / "cfg").read_bytes()
    assert "[NM106]" in nonmono("calibration", path, file, "--fit").output
    assert (path / "nonmono_parser" / "cfg").read_bytes() == before
    nonmono("calibration", path, file, "--output", tmp_path / "error.json")
    assert srsly.read_json(tmp_path / "error.json")["error"] is None


def test_error_in_json(nonmono, nonmono_path, treebank, tmp_path):
    output = tmp_path / "error.json"
    result = nonmono("calibration", nonmono_path, treebank, "--output", output)
    found = srsly.read_json(output)
    assert f"Expected calibration error: {found['error']:.3f}" in result.output
    assert found["setting"] == "gold_sentences" and not found["fitted"] and found["made"]["code"]


def test_image_is_checked_before_anything_is_parsed(nonmono, treebank, tmp_path):
    pytest.importorskip("matplotlib")
    for command in (["calibration"], ["speed", "--lengths", "5"]):
        result = nonmono(*command, tmp_path / "gone", treebank, "--output", tmp_path / "x.owl")
        assert result.exit_code == 1 and "[NM216]" in result.output and "png" in result.output


def test_errors(nonmono, nonmono_path, parser_path, treebank, tmp_path):
    result = nonmono("calibration", nonmono_path, tmp_path / "gone.conllu")
    assert result.exit_code == 1 and "gone.conllu" in result.output
    result = nonmono("calibration", parser_path, treebank)
    assert "[NM110]" in result.output
    result = nonmono("calibration", "en_core_web_sm", treebank, "--fit")
    assert result.exit_code == 1 and "folder" in result.output
    assert nonmono("calibration", nonmono_path, treebank, "--bins", 0).exit_code == 2
