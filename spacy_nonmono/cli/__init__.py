"""The commands `python -m spacy nonmono ...`.

spaCy imports this module on each call of its command line, so nothing heavy is imported up here.
"""

import re
import sys
import warnings
from typing import Annotated, Any

import typer
from spacy.cli._util import app as spacy_app
from typer.core import TyperGroup
from wasabi import Printer

from ..errors import format_warning, is_coded
from .adapt import adapt_cli
from .brown import brown_cli
from .calibration import calibration_cli
from .collocations import collocations_cli
from .debug_data import debug_data_cli
from .distill import distill_cli
from .evaluate import evaluate_cli
from .init_config import init_config_cli
from .model_card import model_card_cli
from .parse import parse_cli
from .render import render_cli
from .select import collect_cli, select_cli
from .speed import speed_cli
from .split import split_cli
from .stats import stats_cli
from .suspects import suspects_cli

TRAINING = "Train a parser"
PARSING = "Parse"
TREEBANKS = "Make a treebank"
MEASURING = "Measure"
LEXICAL = "Make tables of words"
NO_GPU = re.compile("Cannot use GPU|No GPU devices")  # what thinc says
OVERRIDES = {"allow_extra_args": True, "ignore_unknown_options": True}


class Commands(TyperGroup):
    """Errors with a code end a command without Python's traceback, and warnings with one are shown
    without the line of Python that warns. Help shows the commands in groups."""

    def invoke(self, ctx: Any) -> Any:
        before, warnings.formatwarning = warnings.formatwarning, format_warning
        try:
            return super().invoke(ctx)
        except Exception as error:
            if is_coded(str(error)) or NO_GPU.search(str(error)):
                # Standard output may be what a command writes
                print(Printer(no_print=True).fail(str(error)), file=sys.stderr)
                raise SystemExit(1) from error
            raise
        finally:
            warnings.formatwarning = before

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """typer knows the groups, but shows them only with rich, and spaCy's command line is without."""
        width = max(map(len, self.commands))
        space = formatter.width - width - 6
        groups: dict[Any, list[tuple[str, str]]] = {}
        for name, command in self.commands.items():
            group: Any = getattr(command, "rich_help_panel", None)
            row = name.ljust(width), command.get_short_help_str(space)
            groups.setdefault(group, []).append(row)
        for group, rows in groups.items():
            with formatter.section(group):
                formatter.write_dl(rows)


def _show_version(is_asked: bool) -> None:
    if is_asked:
        from ..about import __version__

        typer.echo(f"spacy-nonmono {__version__}")
        raise typer.Exit


app = typer.Typer(
    name="nonmono",
    cls=Commands,
    help="Train, use and measure the parser of spacy-nonmono.\n\n"
    "A treebank is a file of sentences with trees, in CoNLL-U or CoNLL-X. Its trees and tags are "
    "called gold. The laboratory is for people who study parsers.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version")
    ] = False,
) -> None:
    pass


app.command("init-config", rich_help_panel=TRAINING)(init_config_cli)
app.command("debug-data", rich_help_panel=TRAINING)(debug_data_cli)
app.command("adapt", rich_help_panel=TRAINING, context_settings=OVERRIDES)(adapt_cli)
app.command("distill", rich_help_panel=TRAINING, context_settings=OVERRIDES)(distill_cli)
app.command("model-card", rich_help_panel=TRAINING)(model_card_cli)
app.command("parse", rich_help_panel=PARSING)(parse_cli)
app.command("render", rich_help_panel=PARSING)(render_cli)
app.command("stats", rich_help_panel=TREEBANKS)(stats_cli)
app.command("split", rich_help_panel=TREEBANKS)(split_cli)
app.command("select", rich_help_panel=TREEBANKS)(select_cli)
app.command("collect", rich_help_panel=TREEBANKS)(collect_cli)
app.command("suspects", rich_help_panel=TREEBANKS, context_settings=OVERRIDES)(suspects_cli)
app.command("evaluate", rich_help_panel=MEASURING)(evaluate_cli)
app.command("calibration", rich_help_panel=MEASURING)(calibration_cli)
app.command("speed", rich_help_panel=MEASURING)(speed_cli)
app.command("brown", rich_help_panel=LEXICAL)(brown_cli)
app.command("collocations", rich_help_panel=LEXICAL)(collocations_cli)
spacy_app.add_typer(app)
