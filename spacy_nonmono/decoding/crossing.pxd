"""Arcs of a finished tree that cross others, and give way to arcs that cross none."""

from ..scoring.scorer cimport ScorerC
from ..structs cimport StateC


cdef struct ExchangeC:
    # What tells how good the arcs of a sentence are.
    const ScorerC* scorer
    const float* scores     # [n] of each word's arc
    int sentence
    double worth            # of arcs that cross, beside the odds of each


# Gives a configuration a tree; returns its root, which has the head -1.
cdef int build_tree(StateC* st, const int* heads, const int* labels, int n) noexcept nogil
# Exchanges arcs that cross, from left to right, as long as there are any to exchange. Each exchange
# leaves less pairs of arcs that cross. The new arcs have no labels.
cdef void exchange_arcs(StateC* st, int root, const ExchangeC* exchange) noexcept nogil
