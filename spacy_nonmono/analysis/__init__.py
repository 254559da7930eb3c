"""Trees and derivations to look at: what a parser gets wrong, and what it does step by step."""

from .trace_page import render_traces
from .traces import Arc, Step, Trace, trace
from .tree_page import render_trees

__all__ = ["Arc", "Step", "Trace", "render_traces", "render_trees", "trace"]
