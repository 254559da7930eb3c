"""What `spacy nonmono --help` says."""

import os
import re
import subprocess
import sys

import pytest

from spacy_nonmono.lab.commands import app

GROUPS = ["Train a parser", "Parse", "Make a treebank", "Measure", "Make tables of words", "Laboratory"]


def test_no_summary_is_cut(nonmono, monkeypatch):
    """A first sentence that does not fit beside the names of the commands would end in dots."""
    monkeypatch.setenv("COLUMNS", "80")
    summaries = nonmono("--help").output
    assert "..." not in summaries.partition("[ARGS]...")[2] and "…" not in summaries
    for command in app.registered_commands:
        first = command.callback.__doc__.split("\n")[0]
        assert first.endswith("."), command.name
        assert re.search(rf"^  {command.name} +{re.escape(first)}$", summaries, re.MULTILINE)


@pytest.mark.parametrize("rich", ["0", "1"])
def test_commands_are_in_groups(rich):
    """Through spaCy's command line, which is without rich, and by itself; with and without rich."""
    env = {**os.environ, "TYPER_USE_RICH": rich, "COLUMNS": "80"}
    own = "from spacy_nonmono.lab.commands import app; app()"
    for call in (["-m", "spacy", "nonmono"], ["-c", own]):
        arguments = [sys.executable, *call, "--help"]
        shown = subprocess.run(arguments, env=env, capture_output=True, text=True, check=True).stdout
        assert re.findall(r"^(\w.*):$", shown, re.MULTILINE) == ["Options", *GROUPS]
        assert all(len(line) <= 80 for line in shown.splitlines())
        assert shown.index("Laboratory:") < shown.index("  benchmark ")
