"""The commands of the laboratory, a group of their own among `python -m spacy nonmono ...`."""

from ...cli import app
from .benchmark import benchmark_cli
from .breakdown import breakdown_cli
from .jackknife import jackknife_cli
from .oracle_report import oracle_report_cli
from .trace import trace_cli

__all__ = ["app"]

PANEL = "Laboratory"

app.command("benchmark", rich_help_panel=PANEL)(benchmark_cli)
app.command("breakdown", rich_help_panel=PANEL)(breakdown_cli)
app.command("trace", rich_help_panel=PANEL)(trace_cli)
app.command("oracle-report", rich_help_panel=PANEL)(oracle_report_cli)
app.command("jackknife", rich_help_panel=PANEL)(jackknife_cli)
