"""Trees to look at, and what a parser gets wrong."""

from .notebook import show_tree
from .parsed import parse_treebank, read_trees
from .suspects_page import render_suspects
from .tree_page import render_trees

__all__ = ["parse_treebank", "read_trees", "render_suspects", "render_trees", "show_tree"]
