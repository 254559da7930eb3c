"""Layer normalization in C, for `fast_ops`."""

import numpy

from ..shapes import check_at_least, check_shape

cdef extern from "kernels.h" namespace "nonmono" nogil:
    void normalize_rows(
        const float* X, int n, int width, const float* gain, const float* bias, float* Y, float* hat,
        float* scale
    )
    void normalize_rows_backward(
        const float* dY, const float* hat, const float* scale, int n, int width, const float* gain,
        float* dX, float* d_gain, float* d_bias
    )


def normalize(
    const float[:, ::1] X not None, const float[::1] gain not None, const float[::1] bias not None
):
    """Bring rows to mean 0 and variance 1, multiply them by the gain, and add the bias (Ba et al. 2016).

    X: (n, width), width one or more. gain, bias: (width,). Returns Y (n, width), and for the backward
    pass Y without gain and bias (n, width), and what each row was multiplied with (n,).
    """
    cdef int n = X.shape[0]
    cdef int width = X.shape[1]
    cdef float[:, ::1] Y = numpy.empty((n, width), dtype="f")
    cdef float[:, ::1] hat = numpy.empty((n, width), dtype="f")
    cdef float[::1] scale = numpy.empty((n,), dtype="f")
    check_at_least("X", X, 1, 1)
    check_shape("gain", gain, width)
    check_shape("bias", bias, width)
    if n > 0:
        with nogil:
            normalize_rows(
                &X[0, 0], n, width, &gain[0], &bias[0], &Y[0, 0], &hat[0, 0], &scale[0]
            )
    return numpy.asarray(Y), numpy.asarray(hat), numpy.asarray(scale)


def normalize_backward(
    const float[:, ::1] dY not None, const float[:, ::1] hat not None,
    const float[::1] scale not None, const float[::1] gain not None,
):
    """Compute the gradients of X (n, width), gain and bias (width,); hat, scale: as `normalize` returns
    them."""
    cdef int n = dY.shape[0]
    cdef int width = dY.shape[1]
    cdef float[:, ::1] dX = numpy.empty((n, width), dtype="f")
    cdef float[::1] d_gain = numpy.zeros((width,), dtype="f")
    cdef float[::1] d_bias = numpy.zeros((width,), dtype="f")
    check_at_least("dY", dY, 1, 1)
    check_shape("hat", hat, n, width)
    check_shape("scale", scale, n)
    check_shape("gain", gain, width)
    if n > 0:
        with nogil:
            normalize_rows_backward(
                &dY[0, 0], &hat[0, 0], &scale[0], n, width, &gain[0], &dX[0, 0], &d_gain[0],
                &d_bias[0]
            )
    return numpy.asarray(dX), numpy.asarray(d_gain), numpy.asarray(d_bias)
