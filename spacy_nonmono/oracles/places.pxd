"""Where the words of a gold arc are: what the costs of systems with a `place` a word are made of."""

from ..state cimport GONE
from ..structs cimport GoldC, StateC


cdef inline bint word_in(const StateC* st, int w, int place) noexcept nogil:
    return w >= 0 and st.place[w] == place


cdef inline bint pending(const StateC* st, int w) noexcept nogil:
    """w is a word that has not been attached."""
    return w >= 0 and st.place[w] != GONE


cdef inline int kids_in(const StateC* st, const GoldC* gold, int h, int place) noexcept nogil:
    """Gold dependents of h in a place."""
    cdef int total = 0
    cdef int k
    for k in range(gold.kids_start[h], gold.kids_start[h + 1]):
        total += st.place[gold.kids[k]] == place
    return total


cdef inline int kids_pending(const StateC* st, const GoldC* gold, int h) noexcept nogil:
    """Gold dependents of h that have not been attached."""
    cdef int total = 0
    cdef int k
    for k in range(gold.kids_start[h], gold.kids_start[h + 1]):
        total += st.place[gold.kids[k]] != GONE
    return total
