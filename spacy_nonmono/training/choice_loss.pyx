"""The loss of the scores of recorded states."""

from libc.float cimport FLT_MAX
from libc.limits cimport INT_MAX
from libc.math cimport expf, logf

import numpy

from ..shapes import check_lengths, check_shape


def choice_loss(
    const float[:, ::1] scores not None, const unsigned char[:, ::1] valid not None,
    const unsigned char[:, ::1] correct not None, const int[::1] sizes not None,
):
    """-log of the probability mass on the correct classes among the valid ones, and its gradient.

    scores, valid, correct: (S, nO); valid and correct are flags. sizes: (C,), rows of each
    configuration, over whose classes the probabilities sum to one. Returns the loss of all
    configurations and (S, nO).
    """
    cdef int nO = scores.shape[1]
    cdef float[:, ::1] gradient = numpy.zeros((scores.shape[0], nO), dtype="f")
    cdef double loss = 0
    cdef size_t first = 0
    cdef int c
    check_shape("valid", valid, scores.shape[0], nO)
    check_shape("correct", correct, scores.shape[0], nO)
    check_lengths(sizes, scores.shape[0], INT_MAX // max(nO, 1))
    with nogil:
        for c in range(sizes.shape[0]):
            loss += configuration_loss(
                &scores[first, 0], &valid[first, 0], &correct[first, 0], sizes[c] * nO,
                &gradient[first, 0],
            )
            first += sizes[c]
    return loss, numpy.asarray(gradient)


cdef double configuration_loss(
    const float* scores, const unsigned char* valid, const unsigned char* correct, int n,
    float* gradient
) noexcept nogil:
    """`gradient`, zeros at first, serves for the powers of the scores, too."""
    cdef float highest = -FLT_MAX
    cdef float highest_correct = -FLT_MAX
    cdef float total = 0
    cdef float total_correct = 0
    cdef float power
    cdef int k
    for k in range(n):
        if valid[k] and scores[k] > highest:
            highest = scores[k]
        if valid[k] and correct[k] and scores[k] > highest_correct:
            highest_correct = scores[k]
    for k in range(n):
        if valid[k]:
            gradient[k] = expf(scores[k] - highest)
            total += gradient[k]
            if correct[k]:
                total_correct += expf(scores[k] - highest_correct)
    for k in range(n):
        if valid[k]:
            power = expf(scores[k] - highest_correct) / total_correct if correct[k] else 0
            gradient[k] = gradient[k] / total - power
    return logf(total) + highest - logf(total_correct) - highest_correct
