"""The loss of the arc probabilities, which are trained together with the parser."""

from libc.math cimport log

import numpy

from ..scoring.neural.arcs cimport (
    BAND, N_SIGNED_BUCKETS, ArcWeightsC, first_head, signed_bucket, softmax_row,
)
from ..state cimport MAX_WORDS

from ..scoring.neural.arcs import check_weights
from ..shapes import check_heads, check_lengths

cdef extern from "../scoring/kernels.h" namespace "nonmono" nogil:
    void add_scaled(float* total, const float* row, float scale, int n)


def arc_loss(
    const float[:, ::1] head_vectors not None, const float[:, ::1] dep_vectors not None,
    const float[::1] root not None, const float[::1] distance not None,
    const int[::1] lengths not None, const int[::1] gold_heads not None, float weight,
):
    """Compute the cross-entropy of the gold heads of a batch of sentences, times `weight`, and its
    gradients.

    head_vectors, dep_vectors: (N, nA), the words of all sentences. lengths: (n_sentences,), sum N.
    gold_heads: (N,), index within the sentence, -1 root, anything below: unknown, skipped.
    Returns the loss and the gradients of head_vectors, dep_vectors, root and distance.
    """
    cdef int nA = root.shape[0]
    cdef int N = head_vectors.shape[0]
    cdef float[:, ::1] d_heads = numpy.zeros((N, nA), dtype="f")
    cdef float[:, ::1] d_deps = numpy.zeros((N, nA), dtype="f")
    cdef float[::1] d_root = numpy.zeros((nA,), dtype="f")
    cdef float[::1] d_distance = numpy.zeros((N_SIGNED_BUCKETS,), dtype="f")
    cdef float[::1] row = numpy.zeros((2 * BAND + 1,), dtype="f")
    cdef ArcWeightsC weights
    cdef double loss = 0
    cdef int s, n, width, d, k, h, first, gold
    cdef int start = 0
    cdef float d_score, p_root, p_gold
    check_weights(head_vectors, dep_vectors, root, distance)
    check_lengths(lengths, N, MAX_WORDS)
    check_heads("gold_heads", gold_heads, lengths)
    if N == 0:
        return (
            loss, numpy.asarray(d_heads), numpy.asarray(d_deps),
            numpy.asarray(d_root), numpy.asarray(d_distance),
        )
    weights.nA = nA
    weights.root = &root[0]
    weights.distance = &distance[0]
    for s in range(lengths.shape[0]):
        n = lengths[s]
        width = n if n < 2 * BAND + 1 else 2 * BAND + 1
        for d in range(n):
            gold = gold_heads[start + d]
            first = first_head(n, width, d)
            if gold < -1 or (gold >= 0 and not 0 <= gold - first < width):
                continue
            p_root = softmax_row(
                &weights, &head_vectors[start, 0], &dep_vectors[start, 0], n, width, d, &row[0]
            )
            p_gold = p_root if gold < 0 else row[gold - first]
            loss -= log(p_gold + 1e-30) * weight
            d_score = (p_root - (gold < 0)) * weight
            add_scaled(&d_root[0], &dep_vectors[start + d, 0], d_score, nA)
            add_scaled(&d_deps[start + d, 0], &root[0], d_score, nA)
            for k in range(width):
                h = first + k
                if h == d:
                    continue
                d_score = (row[k] - (h == gold)) * weight
                d_distance[signed_bucket(h, d)] += d_score
                add_scaled(&d_heads[start + h, 0], &dep_vectors[start + d, 0], d_score, nA)
                add_scaled(&d_deps[start + d, 0], &head_vectors[start + h, 0], d_score, nA)
        start += n
    return (
        loss, numpy.asarray(d_heads), numpy.asarray(d_deps),
        numpy.asarray(d_root), numpy.asarray(d_distance),
    )
