"""The commands `python -m spacy nonmono ...`.

spaCy imports this module on each call of its command line, so nothing heavy is imported up here.
"""

import typer
from spacy.cli._util import app as spacy_app

from .benchmark import benchmark_cli
from .brown import brown_cli
from .calibration import calibration_cli
from .collocations import collocations_cli
from .compare import compare_cli
from .evaluate import evaluate_cli
from .oracle_report import oracle_report_cli
from .plot import plot_cli
from .render import render_cli
from .speed import speed_cli
from .speed_by_length import speed_by_length_cli
from .trace import trace_cli

app = typer.Typer(
    name="nonmono", help="Commands of spacy-nonmono.", no_args_is_help=True, add_completion=False
)
app.command("evaluate")(evaluate_cli)
app.command("calibration")(calibration_cli)
app.command("compare")(compare_cli)
app.command("speed")(speed_cli)
app.command("speed-by-length")(speed_by_length_cli)
app.command("render")(render_cli)
app.command("oracle-report")(oracle_report_cli)
app.command("trace")(trace_cli)
app.command("benchmark")(benchmark_cli)
app.command("plot")(plot_cli)
app.command("brown")(brown_cli)
app.command("collocations")(collocations_cli)
spacy_app.add_typer(app)
