"""Derivations to look at: what a parser does step by step, and where it repairs itself."""

from .page import render_traces
from .traces import Arc, Step, Trace, trace

__all__ = ["Arc", "Step", "Trace", "render_traces", "trace"]
