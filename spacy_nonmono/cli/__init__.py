"""The commands `python -m spacy nonmono ...`.

spaCy imports this module on each call of its command line, so nothing heavy is imported up here.
"""

from typing import Any

import typer
from spacy.cli._util import app as spacy_app
from typer.core import TyperGroup
from wasabi import msg

from .adapt import adapt_cli
from .brown import brown_cli
from .calibration import calibration_cli
from .collocations import collocations_cli
from .compare import compare_cli
from .distill import distill_cli
from .evaluate import evaluate_cli
from .init_config import init_config_cli
from .parse import parse_cli
from .parse_spark import parse_spark_cli
from .render import render_cli
from .speed import speed_cli
from .speed_by_length import speed_by_length_cli


class Commands(TyperGroup):
    """Our own messages end a command without Python's traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Exception as error:
            if str(error).startswith("[NM"):
                msg.fail(str(error), exits=1)
            raise


app = typer.Typer(
    name="nonmono",
    cls=Commands,
    help="Commands of spacy-nonmono.",
    no_args_is_help=True,
    add_completion=False,
)
app.command("init-config")(init_config_cli)
app.command(
    "adapt", context_settings={"allow_extra_args": True, "ignore_unknown_options": True}
)(adapt_cli)
app.command(
    "distill", context_settings={"allow_extra_args": True, "ignore_unknown_options": True}
)(distill_cli)
app.command("parse")(parse_cli)
app.command("parse-spark")(parse_spark_cli)
app.command("evaluate")(evaluate_cli)
app.command("calibration")(calibration_cli)
app.command("compare")(compare_cli)
app.command("speed")(speed_cli)
app.command("speed-by-length")(speed_by_length_cli)
app.command("render")(render_cli)
app.command("brown")(brown_cli)
app.command("collocations")(collocations_cli)
spacy_app.add_typer(app)
