"""A batch of sentences with the linear scorer."""

from ..scoring.linear.linear cimport LinearC
from .batch cimport Batch


cdef class LinearBatch(Batch):
    cdef object arrays              # whose memory the struct points to
    cdef LinearC linear
