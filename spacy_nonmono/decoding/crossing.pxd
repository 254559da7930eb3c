"""Arcs of a finished tree that cross others, and give way to arcs that cross none."""

from ..structs cimport StateC

# The head that a word is to have instead, NO_EXCHANGE if it keeps its own; see `crosses` and `leads_to`.
ctypedef int (*find_exchange_t)(const void* self, const StateC* st, int root, int d) noexcept nogil

cdef enum:
    NO_EXCHANGE = -1

# Gives a configuration a tree; returns its root, which has the head -1. labels: NULL for none.
cdef int build_tree(StateC* st, const int* heads, const int* labels, int n) noexcept nogil
# Whether an arc would cross another one, or the arc to the root, which comes from outside.
cdef bint crosses(const StateC* st, int root, int d, int h) noexcept nogil
# Exchanges arcs that cross, from left to right, as long as there are any to exchange. Each exchange is
# to leave less pairs of arcs that cross. The new arcs have no labels.
cdef void exchange_arcs(
    StateC* st, int root, find_exchange_t find_exchange, const void* self
) noexcept nogil
