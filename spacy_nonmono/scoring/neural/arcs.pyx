"""Arc probabilities: a dot product of two projections of the word vectors, plus a bias for ROOT and for
the signed distance, and a softmax over the candidate heads of a word.

They are trained with the parser and serve it as look-ahead (how likely is it that the head of this word
is still to come?), to pick the root, and to attach what a transition system leaves over. Heads further
than `BAND` words away are left out, so that the cost is linear in the length of a sentence.
"""

import numpy

from libc.math cimport expf

from ...shapes import check_shape

cdef extern from "../kernels.h" namespace "nonmono" nogil:
    void dot_rows(const float* vector, const float* rows, int n_rows, int n, float* products)

N_DISTANCES = N_SIGNED_BUCKETS


cdef float softmax_row(
    const ArcWeightsC* weights, const float* head_vectors, const float* dep_vectors,
    int n, int width, int d, float* row
) noexcept nogil:
    """Fill row[width] with P(head of d is h); returns P(d is the root)."""
    cdef int nA = weights.nA
    cdef int first = first_head(n, width, d)
    cdef const float* vector = dep_vectors + d * nA
    cdef float root, total, highest
    cdef int k, h
    dot_rows(vector, weights.root, 1, nA, &root)
    dot_rows(vector, head_vectors + first * nA, width, nA, row)
    highest = root
    for k in range(width):
        h = first + k
        if h == d:
            continue
        row[k] += weights.distance[signed_bucket(h, d)]
        if row[k] > highest:
            highest = row[k]
    root = expf(root - highest)
    total = root
    for k in range(width):
        row[k] = 0 if first + k == d else expf(row[k] - highest)
        total += row[k]
    for k in range(width):
        row[k] /= total
    return root / total


cdef size_t arc_table_floats(int n) noexcept nogil:
    cdef int width = n if n < 2 * BAND + 1 else 2 * BAND + 1
    return 4 * <size_t>n * width + 2 * <size_t>n


cdef void arc_table_carve(ArcTableC* arcs, float* block, int n) noexcept nogil:
    cdef size_t size
    arcs.n = n
    arcs.width = n if n < 2 * BAND + 1 else 2 * BAND + 1
    size = <size_t>n * arcs.width
    arcs.prob = block
    arcs.mass = block + size
    arcs.best_right = block + 2 * size
    arcs.best_left = block + 3 * size
    arcs.root = block + 4 * size
    arcs.least = arcs.root + n


cdef float least_likely(const float* row, int width, float threshold) noexcept nogil:
    """The probability of the last of the likely heads: the `N_LIKELY` greatest that reach the threshold,
    which is returned where they are fewer."""
    cdef float[N_LIKELY] greatest   # falling
    cdef int n = 0
    cdef int k, place
    for k in range(width):
        if row[k] < threshold or (n == N_LIKELY and row[k] <= greatest[n - 1]):
            continue
        place = n if n < N_LIKELY else N_LIKELY - 1
        n = place + 1
        while place > 0 and greatest[place - 1] < row[k]:
            greatest[place] = greatest[place - 1]
            place -= 1
        greatest[place] = row[k]
    return greatest[N_LIKELY - 1] if n == N_LIKELY else threshold


cdef void fill_arc_table(
    ArcTableC* arcs, const ArcWeightsC* weights, const float* head_vectors, const float* dep_vectors,
    float threshold
) noexcept nogil:
    cdef int n = arcs.n
    cdef int width = arcs.width
    cdef int d, h, k, first
    cdef float running
    cdef float* row
    for d in range(n):
        row = arcs.prob + d * width
        arcs.root[d] = softmax_row(weights, head_vectors, dep_vectors, n, width, d, row)
        arcs.least[d] = least_likely(row, width, threshold)
        running = 0
        for k in range(width):
            running += row[k]
            arcs.mass[d * width + k] = running
    for h in range(n):
        first = first_head(n, width, h)
        row = arcs.best_left + h * width
        running = 0
        for k in range(width):
            row[k] = arc_prob(arcs, h, first + k)
            arcs.best_right[h * width + k] = row[k]
            running = row[k] if row[k] > running else running
            row[k] = running
        row = arcs.best_right + h * width
        for k in range(width - 2, -1, -1):
            if row[k + 1] > row[k]:
                row[k] = row[k + 1]


def check_weights(head_vectors, dep_vectors, root, distance):
    """Raises ValueError (NM020) unless the arrays fit each other."""
    check_shape("root", root, head_vectors.shape[1])
    check_shape("dep_vectors", dep_vectors, *head_vectors.shape[:2])
    check_shape("distance", distance, N_SIGNED_BUCKETS)


def arc_probabilities(
    const float[:, ::1] head_vectors not None, const float[:, ::1] dep_vectors not None,
    const float[::1] root not None, const float[::1] distance not None,
):
    """Compute how likely each word of one sentence is the head of each other one.

    head_vectors, dep_vectors: (n, nA). root: (nA,). distance: (18,).
    Returns (n, n) float32, [d, h], and (n,) float32, the probability of being the root.
    """
    cdef int n = head_vectors.shape[0]
    cdef int width = n if n < 2 * BAND + 1 else 2 * BAND + 1
    cdef int d, k, first
    cdef float[:, ::1] table = numpy.zeros((n, n), dtype="f")
    cdef float[::1] roots = numpy.zeros((n,), dtype="f")
    cdef float[::1] row = numpy.zeros((width + 1,), dtype="f")
    cdef ArcWeightsC weights
    check_weights(head_vectors, dep_vectors, root, distance)
    if n == 0:
        return numpy.asarray(table), numpy.asarray(roots)
    weights.nA = root.shape[0]
    weights.root = &root[0]
    weights.distance = &distance[0]
    for d in range(n):
        roots[d] = softmax_row(
            &weights, &head_vectors[0, 0], &dep_vectors[0, 0], n, width, d, &row[0]
        )
        first = first_head(n, width, d)
        for k in range(width):
            table[d, first + k] = row[k]
    return numpy.asarray(table), numpy.asarray(roots)
