"""A batch of sentences with the neural scorer."""

from ..scoring.neural.neural cimport NeuralC
from .batch cimport Batch


cdef class NeuralBatch(Batch):
    cdef object arrays              # whose memory the struct points to
    cdef NeuralC neural
    cdef void take_products(self, list products) except *
    cdef void take_weights(self, dict weights) except *
    cdef void find_arc_probs(
        self, const int[::1] lengths, const float[:, ::1] head_vectors,
        const float[:, ::1] dep_vectors, dict weights, float pair_threshold,
    ) except *
