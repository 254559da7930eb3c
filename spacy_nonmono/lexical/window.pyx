"""The losses of mergers in Brown clustering, kept while clusters merge and types enter.

The sums are kept as sums of F(n) = n ln n over whole counts n: with n_ij bigrams from cluster i to
cluster j, l_i that begin in i, r_i that end in i, and g(a, b) = F(a + b) - F(a) - F(b), merging i and j
loses

    g(l_i, l_j) + g(r_i, r_j) - sum over classes k != i, j of (g(n_ik, n_jk) + g(n_ki, n_kj))
    - (F(n_ii + n_ij + n_ji + n_jj) - F(n_ii) - F(n_ij) - F(n_ji) - F(n_jj)).

g is 0 where one of its counts is, so only the common neighbours of i and j matter, and rare types have
few. F is rounded to a whole number of units, 2 ** -exponent nats: sums can be updated for ever without
drift, and do not depend on the order of the additions. Losses are compared when they are rounded to
2 ** -20. That is well above what the rounding of F adds up to, in texts of up to some ten million words,
so that losses which are equal by the formula count as equal.

A merger of p into d updates, for each pair of others, the two terms of d and p, which become one: as
many as p has neighbours times those of either. What d shares with another cluster is corrected by the
neighbours of p. Entering is the same: two empty classes, the cluster's and the type's, are merged, and
the rest splits. So a step takes O(C * neighbours of p), at worst O(C ** 2).
"""

from cymem.cymem cimport Pool
from libc.math cimport log
from libc.stdint cimport int64_t

import numpy


cdef enum:
    F_SIZE = 1 << 16       # values of F that are looked up; most counts are small


cdef list open_window(
    WindowC* w, Pool mem, firsts, seconds, counts, int n_types, int n_clusters, int exponent
):
    cdef int width = n_clusters + 3
    cdef list held = []
    cdef int side, k
    for side, (ours, theirs) in enumerate([(firsts, seconds), (seconds, firsts)]):
        held += index_bigrams(w, side, ours, theirs, counts, n_types)
        w.joint[side] = <int*>mem.alloc(<size_t>width * width, sizeof(int))
        w.total[side] = <int*>mem.alloc(width, sizeof(int))
    w.width = width
    w.rest = width - 2
    w.empty = width - 1
    w.n_active = 0
    w.n_free = n_clusters + 1
    w.order = <int*>mem.alloc(width, sizeof(int))
    w.free_slots = <int*>mem.alloc(width, sizeof(int))
    w.slot = <int*>mem.alloc(n_types, sizeof(int))
    w.next = <int*>mem.alloc(n_types, sizeof(int))
    w.first = <int*>mem.alloc(width, sizeof(int))
    w.last = <int*>mem.alloc(width, sizeof(int))
    w.loss = <int64_t*>mem.alloc(<size_t>width * width, sizeof(int64_t))
    w.best = <int64_t*>mem.alloc(width, sizeof(int64_t))
    w.best_with = <int*>mem.alloc(width, sizeof(int))
    w.F = <int64_t*>mem.alloc(F_SIZE, sizeof(int64_t))
    w.scale = 2.0 ** exponent
    w.shift = exponent - COMPARED_BITS
    w.shared = <int64_t*>mem.alloc(width, sizeof(int64_t))
    w.near = <int*>mem.alloc(width, sizeof(int))
    w.before = <int*>mem.alloc(width, sizeof(int))
    w.added = <int*>mem.alloc(width, sizeof(int))
    w.lost = <int64_t*>mem.alloc(width, sizeof(int64_t))
    for k in range(1, F_SIZE):
        w.F[k] = <int64_t>(k * log(<double>k) * w.scale + 0.5)
    for k in range(w.n_free):
        w.free_slots[k] = k
    for k in range(n_types):
        w.slot[k] = w.rest
    # Once only: a self-bigram of the rest is one in both orientations
    w.joint[OUT][w.rest * width + w.rest] = w.joint[IN][w.rest * width + w.rest] = numpy.sum(counts)
    return held


cdef list index_bigrams(WindowC* w, int side, ours, theirs, counts, int n_types):
    """Sort the bigrams by the word of that side; the arrays that `w` points to."""
    cdef int[::1] starts, partners, sorted_counts
    by_type = numpy.lexsort((theirs, ours))
    n_each = numpy.bincount(ours, minlength=n_types)
    starts = numpy.concatenate([[0], numpy.cumsum(n_each)]).astype("i")
    partners = numpy.asarray(theirs)[by_type]
    sorted_counts = numpy.asarray(counts)[by_type]
    w.starts[side] = &starts[0]
    w.partners[side] = &partners[0] if partners.shape[0] else NULL
    w.counts[side] = &sorted_counts[0] if partners.shape[0] else NULL
    return [starts, partners, sorted_counts]


cdef inline int64_t nlogn(const WindowC* w, int n) noexcept nogil:
    """F(n), in units."""
    return w.F[n] if n < F_SIZE else <int64_t>(n * log(<double>n) * w.scale + 0.5)


cdef inline int64_t gain(const WindowC* w, int a, int b) noexcept nogil:
    """g(a, b)"""
    return nlogn(w, a + b) - nlogn(w, a) - nlogn(w, b)


cdef int64_t own_loss(const WindowC* w, int i, int j) noexcept nogil:
    """The loss of i and j, but for what they share with the classes k, where k may be i and j."""
    cdef const int* joint = w.joint[OUT]
    cdef int ii = joint[i * w.width + i]
    cdef int ij = joint[i * w.width + j]
    cdef int ji = joint[j * w.width + i]
    cdef int jj = joint[j * w.width + j]
    return (
        gain(w, w.total[OUT][i], w.total[OUT][j]) + gain(w, w.total[IN][i], w.total[IN][j])
        # The terms of k = i and k = j, less those of the classes that become one
        + nlogn(w, ii + ji) + nlogn(w, ij + jj) + nlogn(w, ii + ij) + nlogn(w, ji + jj)
        - nlogn(w, ii) - nlogn(w, ij) - nlogn(w, ji) - nlogn(w, jj)
        - nlogn(w, ii + ij + ji + jj)
    )


cdef void share_side(WindowC* w, int d, int p, int side) noexcept nogil:
    """Correct what `shared` holds of d by the bigrams of p."""
    cdef int width = w.width
    cdef const int* from_d = w.joint[side] + d * width
    cdef const int* from_p = w.joint[side] + p * width
    cdef const int* to_d = w.joint[1 - side] + d * width
    cdef const int* to_p = w.joint[1 - side] + p * width
    cdef const int* to_k
    cdef int k, j, before, after, merged
    cdef int64_t base
    for k in range(width):
        if from_p[k] == 0 or k == d or k == p:
            continue
        before = from_d[k]
        after = before + from_p[k]
        base = nlogn(w, after) - nlogn(w, before)
        to_k = w.joint[1 - side] + k * width
        for j in range(width):
            if to_k[j] != 0:
                w.shared[j] += nlogn(w, after + to_k[j]) - nlogn(w, before + to_k[j]) - base
    # The classes d and p become one
    merged = from_d[d] + from_d[p] + from_p[d] + from_p[p]
    for j in range(width):
        w.shared[j] += (
            gain(w, merged, to_d[j] + to_p[j])
            - gain(w, from_d[d], to_d[j]) - gain(w, from_d[p], to_p[j])
        )


cdef void share(WindowC* w, int d, int p) noexcept nogil:
    cdef int at, j
    for at in range(w.n_active):
        j = w.order[at]
        w.shared[j] = own_loss(w, d, j) - pair(w, d, j)[0] if j != d and j != p else 0
    share_side(w, d, p, OUT)
    share_side(w, d, p, IN)


cdef inline void set_loss(WindowC* w, int i, int j, int64_t loss) noexcept nogil:
    """Write a loss; `best` of the later cluster follows, or is to be searched."""
    cdef int later = i if w.first[i] > w.first[j] else j
    cdef int earlier = i + j - later
    cdef int rival = w.best_with[later]
    cdef int64_t compared = level(w, loss)
    pair(w, i, j)[0] = loss
    if rival < 0:
        return
    if rival == earlier:
        if compared <= w.best[later]:
            w.best[later] = compared
        else:
            w.best_with[later] = -1
    elif compared < w.best[later] or (
        compared == w.best[later] and w.first[earlier] > w.first[rival]
    ):
        w.best[later] = compared
        w.best_with[later] = earlier


cdef void set_losses(WindowC* w, int i) noexcept nogil:
    cdef int at, j
    for at in range(w.n_active):
        j = w.order[at]
        if j != i:
            set_loss(w, i, j, own_loss(w, i, j) - w.shared[j])


cdef void join_columns(WindowC* w, int d, int p, int side, int sign) noexcept nogil:
    cdef int width = w.width
    cdef const int* to_d = w.joint[1 - side] + d * width
    cdef const int* to_p = w.joint[1 - side] + p * width
    cdef int n_near = 0
    cdef int n_p, k, x, y, a, b
    cdef int64_t change
    for k in range(width):
        if to_p[k] != 0 and k != d and k != p and k != w.rest:
            w.near[n_near] = k
            n_near += 1
    n_p = n_near
    for k in range(width):
        if to_p[k] == 0 and to_d[k] != 0 and k != d and k != p and k != w.rest:
            w.near[n_near] = k
            n_near += 1
    for x in range(n_near):
        k = w.near[x]
        w.before[x] = to_d[k]
        w.added[x] = to_p[k]
        w.lost[x] = gain(w, to_d[k], to_p[k])
    for x in range(n_p):
        a = w.before[x]
        b = w.added[x]
        for y in range(x + 1, n_near):
            change = (
                nlogn(w, a + b + w.before[y] + w.added[y])
                - nlogn(w, a + w.before[y]) - nlogn(w, b + w.added[y])
                - w.lost[x] - w.lost[y]
            )
            if change != 0:
                set_loss(
                    w, w.near[x], w.near[y], pair(w, w.near[x], w.near[y])[0] - sign * change
                )
