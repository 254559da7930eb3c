"""One step of Adam in C, for `optimizer`."""

from libc.math cimport sqrt

from ..shapes import check_shape

cdef extern from "kernels.h" namespace "nonmono" nogil:
    float sum_of_squares(const float* row, size_t n)
    void adam_step(
        float* weights, float* gradient, float* mom1, float* mom2, float* average, size_t n,
        float scale, float beta1, float beta2, float eps, float rate, float decay, float follow
    )


def step(
    float[::1] weights not None, float[::1] gradient not None, float[::1] mom1 not None,
    float[::1] mom2 not None, float[::1] average, *, float clip, float beta1, float beta2, float eps,
    float rate, float decay, float follow,
):
    """Change the weights (n,), their gradient, its two moments and the average of the weights in place.

    average: None for none. clip: the largest norm of the gradient; 0: any. rate: the learning rate,
    with what makes up for moments that start as zeros. decay: the part of the weights that is lost;
    follow: the part of the way to the weights that their average goes. The gradient is zero afterwards.
    """
    cdef size_t n = weights.shape[0]
    cdef float scale = 1.0
    cdef float norm
    cdef float* average_row = NULL
    for name, array in (("gradient", gradient), ("mom1", mom1), ("mom2", mom2)):
        check_shape(name, array, n)
    if average is not None:
        check_shape("average", average, n)
    if n == 0:
        return
    if average is not None:
        average_row = &average[0]
    with nogil:
        if clip > 0:
            norm = sqrt(sum_of_squares(&gradient[0], n))
            if norm >= clip:
                scale = clip / norm
        adam_step(
            &weights[0], &gradient[0], &mom1[0], &mom2[0], average_row, n, scale, beta1, beta2, eps,
            rate, decay, follow
        )
