"""The loss of recorded states in C: their rows summed, the loss of their scores, and gradients."""

from libc.float cimport FLT_MAX
from libc.limits cimport INT_MAX
from libc.math cimport expf, logf
from libc.string cimport memcpy
from libcpp.vector cimport vector

import numpy

from ..shapes import check_lengths, check_shape, check_values

cdef extern from "../scoring/kernels.h" namespace "nonmono" nogil:
    void add_row(float* total, const float* row, int n)
    void add_rows(float* total, const float** rows, int n_rows, int n)


def sum_state_rows(
    const float[:, :, ::1] products not None, const float[:, ::1] atoms not None,
    const float[::1] bias not None, const int[:, ::1] token_rows not None,
    const int[:, ::1] atom_rows not None,
):
    """Sum the rows of a batch of states.

    products: (nF, N + 1, nR). atoms: (rows, nR). bias: (nR,). token_rows: (S, nF) into the second axis
    of the products. atom_rows: (S, nK) into the atoms. Returns (S, nR).
    """
    cdef int S = token_rows.shape[0]
    cdef int nF = token_rows.shape[1]
    cdef int nK = atom_rows.shape[1]
    cdef int nR = bias.shape[0]
    cdef float[:, ::1] pre = numpy.empty((S, nR), dtype="f")
    cdef vector[const float*] rows
    cdef int s, f
    check_shape("products", products, nF, products.shape[1], nR)
    check_shape("atoms", atoms, atoms.shape[0], nR)
    check_shape("atom_rows", atom_rows, S, nK)
    check_values("token_rows", token_rows, 0, products.shape[1] - 1)
    check_values("atom_rows", atom_rows, 0, atoms.shape[0] - 1)
    rows.resize(nF + nK)
    with nogil:
        for s in range(S):
            for f in range(nF):
                rows[f] = &products[f, token_rows[s, f], 0]
            for f in range(nK):
                rows[nF + f] = &atoms[atom_rows[s, f], 0]
            memcpy(&pre[s, 0], &bias[0], nR * sizeof(float))
            add_rows(&pre[s, 0], rows.data(), nF + nK, nR)
    return numpy.asarray(pre)


def choice_loss(
    const float[:, ::1] scores not None, const unsigned char[:, ::1] valid not None,
    const unsigned char[:, ::1] correct not None, const int[::1] sizes not None,
):
    """Compute -log of the probability mass on the correct classes among the valid ones, and its
    gradient.

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


def scatter_state_rows(
    const float[:, ::1] d_pre not None, const int[:, ::1] rows not None,
    const int[:, ::1] atom_rows not None, float[:, ::1] d_products not None,
    float[:, ::1] d_atoms not None,
):
    """Do the backward pass of `sum_state_rows`: add the gradient of every state to its rows, in place.

    rows, and d_products (R, nR): as in `losses.used_rows`.
    """
    cdef int S = rows.shape[0]
    cdef int nF = rows.shape[1]
    cdef int nK = atom_rows.shape[1]
    cdef int nR = d_pre.shape[1]
    cdef int s, f
    check_shape("d_pre", d_pre, S, nR)
    check_shape("atom_rows", atom_rows, S, nK)
    check_shape("d_products", d_products, d_products.shape[0], nR)
    check_shape("d_atoms", d_atoms, d_atoms.shape[0], nR)
    check_values("rows", rows, 0, d_products.shape[0] - 1)
    check_values("atom_rows", atom_rows, 0, d_atoms.shape[0] - 1)
    with nogil:
        for s in range(S):
            for f in range(nF):
                add_row(&d_products[rows[s, f], 0], &d_pre[s, 0], nR)
            for f in range(nK):
                add_row(&d_atoms[atom_rows[s, f], 0], &d_pre[s, 0], nR)
