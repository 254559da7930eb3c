"""A batch of sentences with the neural scorer."""

from ..scoring.neural.neural cimport NeuralC
from .batch cimport Batch


cdef class NeuralBatch(Batch):
    cdef object arrays              # whose memory the struct points to
    cdef NeuralC neural
