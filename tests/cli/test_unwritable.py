"""A full disk or a read-only folder: one line that tells the file and the reason, and the old file."""

import errno
import os

import pytest

from spacy_nonmono.lab.table import TABLE

pytestmark = pytest.mark.usefixtures("own_extensions")


@pytest.fixture(params=[errno.ENOSPC, errno.EROFS], ids=["full", "read-only"])
def reason(request, monkeypatch):
    """Nothing can be written; gives what the system says of it."""
    error = OSError(request.param, os.strerror(request.param))

    def fail(file):
        raise error

    monkeypatch.setattr("os.fsync", fail)
    return error.strerror


def arguments(command, path, model, treebank, tmp_path):
    if command == "brown":
        (tmp_path / "text").write_text("a b c\n" * 5)
        return [tmp_path / "text", "--output", path, "--clusters", 2]
    if command == "collocations":
        return [treebank, "--output", path]
    if command == "oracle-report":
        return [treebank, "--only", "round-trip", "--output", path]
    if command == "speed":
        return [model, model, treebank, "--repeat", 1, "--output", path]
    return [model, treebank, "--output", path]


@pytest.mark.parametrize(
    "command",
    [
        *("brown", "calibration", "collocations", "evaluate", "oracle-report"),
        *("render", "speed", "trace"),
    ],
)
def test_commands(nonmono, reason, nonmono_path, treebank, tmp_path, command):
    path = tmp_path / "output" / ("old.html" if command == "render" else "old.png")
    path.parent.mkdir()
    path.write_text("old")
    result = nonmono(command, *arguments(command, path, nonmono_path, treebank, tmp_path))
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    text = " ".join(result.output.split())
    assert "[NM169]" in text and f"cannot be written: {reason}." in text
    assert path.read_text() == "old"
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize(
    "command",
    [
        *("brown", "calibration", "collocations", "evaluate", "oracle-report", "render", "speed"),
        *("stats", "trace"),
    ],
)
def test_nothing_that_is_read_is_overwritten(nonmono, nonmono_path, treebank, tmp_path, command):
    """Not by way of a link, either."""
    file, link = tmp_path / "a.conllu", tmp_path / "a.html"
    file.write_bytes(treebank.read_bytes())
    link.symlink_to(file)
    if command == "brown":
        options = [file, "--clusters", 2]
    elif command in ("collocations", "oracle-report", "stats"):
        options = [file]
    else:
        options = [nonmono_path, file]
    for path in (file, link):
        result = nonmono(command, *options, "--output", path)
        assert result.exit_code == 1 and "[NM185]" in result.output
        assert file.read_bytes() == treebank.read_bytes() and link.is_symlink()


def test_damaged_table(nonmono, tmp_path):
    """`breakdown` tells what is damaged."""
    for text in ("", "[]", "{\"cells\": 3}", "{\"cells\": {\"bank\": {\"a\": [\"gone\"]}}}"):
        (tmp_path / TABLE).write_text(text)
        result = nonmono("breakdown", tmp_path, "--output", tmp_path / "x.png")
        assert result.exit_code == 1 and isinstance(result.exception, SystemExit)
        assert "[NM170]" in result.output
    assert os.listdir(tmp_path) == [TABLE]
