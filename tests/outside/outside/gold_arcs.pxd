"""What both oracles ask of gold arcs. The arc to a word d goes by the number d."""

from spacy_nonmono.structs cimport GoldC


cdef inline bint crosses(const GoldC* gold, int d, int e) noexcept nogil:
    """The gold arcs to two words cross. Arcs to ROOT are none."""
    cdef int left = min(d, gold.head[d])
    cdef int right = max(d, gold.head[d])
    cdef int first = min(e, gold.head[e])
    cdef int last = max(e, gold.head[e])
    return left < first < right < last or first < left < last < right
