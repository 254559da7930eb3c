"""Trees to look at: what a parser gets wrong."""

from .tree_page import render_trees

__all__ = ["render_trees"]
