"""Slow, obvious twins of the transition systems and of every definition that the oracles use.

Nothing here imports `spacy_nonmono`: the twins follow the definitions word for word, so that
agreement with the compiled code proves something. Clear before fast; sentences of up to five words
are enumerated completely.

Conventions. Words are 0-based, ROOT is -1. A head of -1 means "no head": a root or not attached. A
configuration is a named tuple of tuples, hence hashable. A gold tree is a tuple of heads, -1 for a
root and None for an unknown head. Gold labels are a tuple of strings, None for an unknown label.
Arcs from ROOT carry no label, in any system: the gold label of a root is never read.

A move is a name; in the list systems a pair of a name and a position, the index in the list of the
left one of the two neighbours. In `left_arc` the dependent is on the left, in every system.

Where a definition speaks of arcs, an arc is a triple (head, dependent, label); a gold arc of
unknown label is any of them.
"""

# ruff: noqa: F401

from .bounds import covington_bound, covington_bound_values, covington_loss, find_cycles, headed_roots
from .costs import argmin, cost_table, costs, n_unreachable, preferences
from .covington import CovingtonConfig, Masked
from .graph import (
    N_CONFIGS_OF_FOUR_WORDS,
    SYSTEMS,
    TWINS,
    Graph,
    Step,
    derivation_lengths,
    exact_losses,
    graph,
    losses_in,
    n_places,
    reachable,
    search,
    steps,
)
from .lists import EasyFirst, ListSystem
from .stack import ArcHybrid, ArcStandard, StackConfig
from .static import static_derivation, static_move
from .trees import (
    ARC_MOVES,
    LABELS,
    MOVES,
    ROOT,
    Gold,
    GoldLabels,
    Heads,
    all_trees,
    is_projective,
    is_tree,
    kind,
    n_roots,
    partial_trees,
)
