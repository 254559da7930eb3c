"""Commands of spaCy, run in this process."""

from click.testing import Result
from spacy.cli._util import app
from typer.testing import CliRunner

import spacy_nonmono.lab.commands  # attaches all commands  # noqa: F401


def nonmono(*arguments: object) -> Result:
    """Run `spacy nonmono` with arguments."""
    return CliRunner().invoke(app, ["nonmono", *map(str, arguments)])


def spacy_command(*arguments: object) -> str:
    """Run a command of spaCy's that is to end well; what it prints."""
    done = CliRunner().invoke(app, [*map(str, arguments)])
    assert done.exit_code == 0, done.output
    return done.output
