"""What `spacy nonmono --help` says."""

from spacy_nonmono.lab.commands import app


def test_no_summary_is_cut(nonmono, monkeypatch):
    """A first sentence that does not fit beside the names of the commands would end in dots."""
    monkeypatch.setenv("COLUMNS", "80")
    text = nonmono("--help").output
    summaries = text.partition("Commands")[2]
    assert "..." not in summaries and "…" not in summaries
    for command in app.registered_commands:
        first = command.callback.__doc__.split("\n")[0]
        assert first.endswith("."), command.name
        assert first.removesuffix(".") in summaries
