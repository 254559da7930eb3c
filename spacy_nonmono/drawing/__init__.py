"""Trees to look at: what a parser gets wrong."""

from .notebook import show_tree
from .parsed import parse_treebank
from .tree_page import render_trees

__all__ = ["parse_treebank", "render_trees", "show_tree"]
