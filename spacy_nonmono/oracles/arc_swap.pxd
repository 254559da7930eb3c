"""The projective order of a gold tree, for the oracles of systems with Swap."""

from ..structs cimport GoldC


cdef inline int* projective_order(const GoldC* gold) noexcept nogil:
    """[n] rank of each word in the projective order; kept in the scratch of the tree."""
    return gold.scratch


# Fills it, once its dependents are counted (`count_kids`). The scratch behind it is overwritten.
cdef void fill_order(const GoldC* gold) noexcept nogil
