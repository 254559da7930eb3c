"""Gold roots that have a head in the non-monotonic Covington system, and how they may lose it."""

from .derivation cimport ExactSearchC


cdef enum:
    MAX_SEARCHED = 64          # words of a sentence that is searched thoroughly


# Whether a gold root loses its head in some way that is found at once.
cdef bint free_root(ExactSearchC* search, int root, int slack) noexcept nogil
# Whether a gold root may lose its head at no loss; False is certain. For sentences of up to
# `MAX_SEARCHED` words.
cdef bint may_be_freed(const ExactSearchC* search, int root) noexcept nogil
