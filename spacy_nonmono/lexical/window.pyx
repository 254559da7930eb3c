"""The merges of Brown clustering (Brown et al. 1992, section 3), from the counts of bigrams.

The types stand in order of frequency. A window holds C + 1 clusters: the next type enters it as a
cluster of its own, then the two clusters whose merger loses the least average mutual information are
merged. When all types are in, the C clusters that are left are merged down to one: the hierarchy.

Our departures. The types that have not entered yet are one more class, the rest, which nothing is merged
with: so the information is at every step that of a partition of all types. The paper leaves open what
they are. On 1.4 million tokens, 256, 128 and 64 clusters of words seen 3, 5 and 3 times kept 1.103,
0.950 and 0.794 nats; 1.097, 0.950 and 0.786 if bigrams with types that have not entered were not
counted, with the marginals of the whole text; 1.086, 0.915 and 0.735 if each such type was a class of
its own.

The sums are kept as sums of F(n) = n ln n over whole counts n: with n_ij bigrams from cluster i to
cluster j, l_i that begin in i, r_i that end in i, and g(a, b) = F(a + b) - F(a) - F(b), merging i and j
loses

    g(l_i, l_j) + g(r_i, r_j) - sum over classes k != i, j of (g(n_ik, n_jk) + g(n_ki, n_kj))
    - (F(n_ii + n_ij + n_ji + n_jj) - F(n_ii) - F(n_ij) - F(n_ji) - F(n_jj)).

g is 0 where one of its counts is, so only the common neighbours of i and j matter, and rare types have
few. F is rounded to a whole number of units, 2 ** -exponent nats: sums can be updated for ever without
drift, and do not depend on the order of the additions. Losses are compared when they are rounded to
2 ** -20. That is well above what the rounding of F adds up to, in texts of up to some ten million words,
so that losses which are equal by the formula count as equal. Of them that of the rarest clusters is
taken: a cluster stands where its most frequent type does; the later the later one of the two stands, and
then the earlier one, the better.

A merger of p into d updates, for each pair of others, the two terms of d and p, which become one: as
many as p has neighbours times those of either. What d shares with another cluster is corrected by the
neighbours of p. Entering is the same: two empty classes, the cluster's and the type's, are merged, and
the rest splits. So a step takes O(C * neighbours of p), at worst O(C ** 2).
"""

from cpython.exc cimport PyErr_CheckSignals
from cymem.cymem cimport Pool
from libc.limits cimport INT_MAX
from libc.math cimport log
from libc.stdint cimport INT64_MAX, int64_t

import numpy

from ..shapes import check_shape, check_values

cdef enum:
    OUT = 0               # bigrams as the first word sees them
    IN = 1                # and as the second does
    TABLE = 1 << 16       # values of F that are looked up; most counts are small
    COMPARED = 20         # losses are compared in units of 2 ** -20 nats
    REPORT = 64           # merges between two calls of `progress`
    MAX_CLUSTERS = 46000  # so that the square of `width` fits into an int


# Slots, `width` of them, number the rows and columns of the matrices: C + 1 for clusters, and two more.
cdef struct WindowC:
    int width
    int rest                   # the slot of the types that have not entered
    int empty                  # the slot that stays empty
    int n_active               # clusters in the window
    int* order                 # (width,) their slots, by their most frequent type
    int* free_slots            # (width,) a stack of those without a cluster
    int n_free
    # Bigrams of types: of type w those at starts[side][w] .. starts[side][w + 1]
    const int* starts[2]       # (V + 1,)
    const int* partners[2]     # (B,)
    const int* counts[2]       # (B,)
    # Types and clusters
    int* slot                  # (V,) of the class that the type is in
    int* next                  # (V,) the next type of the same cluster, -1: none
    int* first                 # (width,) the most frequent type of the cluster
    int* last                  # (width,) the end of the list that `next` makes
    # Bigrams of classes; rows and columns of slots that are free are 0
    int* joint[2]              # (width, width): joint[OUT][i, j] = joint[IN][j, i] = n_ij
    int* total[2]              # (width,): l and r; not of the rest
    # Losses of clusters, in units
    int64_t* loss              # (width, width): read and written by `pair`, lower triangle
    int64_t* best              # (width,) `level` of the least loss of a merger with an earlier cluster
    int* best_with             # (width,) that cluster; -1: to be searched
    int64_t* F                 # (TABLE,)
    double scale               # units of a nat
    int shift                  # units are 2 ** -shift of those in which losses are compared
    # Room for one step
    int64_t* shared            # (width,) what the merged cluster shares with each other one
    int* near                  # (width,) clusters that are neighbours of d or p, those of p first
    int* before                # (width,) their bigrams with d
    int* added                 # (width,) and with p
    int64_t* lost              # (width,) g of both


cdef inline int64_t nlogn(const WindowC* w, int n) noexcept nogil:
    """F(n), in units."""
    return w.F[n] if n < TABLE else <int64_t>(n * log(<double>n) * w.scale + 0.5)


cdef inline int64_t gain(const WindowC* w, int a, int b) noexcept nogil:
    """g(a, b)"""
    return nlogn(w, a + b) - nlogn(w, a) - nlogn(w, b)


cdef inline int64_t* pair(const WindowC* w, int i, int j) noexcept nogil:
    """Where the loss of the slots i and j stands."""
    return &w.loss[i * w.width + j] if i > j else &w.loss[j * w.width + i]


cdef inline int64_t level(const WindowC* w, int64_t loss) noexcept nogil:
    """The loss as it is compared."""
    return (loss + ((<int64_t>1 << w.shift) >> 1)) >> w.shift


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
    """Fill `shared`: what d and p share, once they are one, with each cluster but d and p."""
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


cdef void join_columns(WindowC* w, int d, int p, int side, int sign) noexcept nogil:
    """Update the losses of pairs of other clusters, whose terms of d and of p become one.

    sign: 1; -1 if on the contrary one class has become d and p.
    """
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


cdef void join_counts(WindowC* w, int older, int younger) noexcept nogil:
    """Everything counted of the younger cluster becomes the older one's."""
    cdef int width = w.width
    cdef int* joint
    cdef int side, k
    for side in range(2):
        joint = w.joint[side]
        for k in range(width):
            joint[older * width + k] += joint[younger * width + k]
            joint[younger * width + k] = 0
        for k in range(width):
            joint[k * width + older] += joint[k * width + younger]
            joint[k * width + younger] = 0
        w.total[side][older] += w.total[side][younger]
        w.total[side][younger] = 0
    k = w.first[younger]
    w.next[w.last[older]] = k
    w.last[older] = w.last[younger]
    while k >= 0:
        w.slot[k] = older
        k = w.next[k]


cdef int n_neighbours(const WindowC* w, int i) noexcept nogil:
    cdef int side, k
    cdef int n = 0
    for side in range(2):
        for k in range(w.width):
            n += w.joint[side][i * w.width + k] != 0
    return n


cdef void merge(WindowC* w, int older, int younger) noexcept nogil:
    """Merge two clusters into the slot of the older one, the one that stands earlier."""
    # The work is in the neighbours of p
    cdef int d = older if n_neighbours(w, older) >= n_neighbours(w, younger) else younger
    cdef int p = older + younger - d
    cdef int n_active = 0
    cdef int at, j
    share(w, d, p)
    join_columns(w, d, p, OUT, 1)
    join_columns(w, d, p, IN, 1)
    join_counts(w, older, younger)
    for at in range(w.n_active):
        j = w.order[at]
        if j == younger:
            continue
        w.order[n_active] = j
        n_active += 1
        if w.best_with[j] == younger:
            w.best_with[j] = -1
    w.n_active = n_active
    w.free_slots[w.n_free] = younger
    w.n_free += 1
    w.best_with[older] = -1
    for at in range(n_active):
        j = w.order[at]
        if j != older:
            set_loss(w, older, j, own_loss(w, older, j) - w.shared[j])


cdef inline void add_joint(WindowC* w, int side, int i, int j, int count) noexcept nogil:
    w.joint[side][i * w.width + j] += count
    w.joint[1 - side][j * w.width + i] += count


cdef void enter(WindowC* w, int word) noexcept nogil:
    """Take the next type out of the rest and put it into the window, as a cluster of its own."""
    cdef int t, side, e, x, count, at, j
    w.n_free -= 1
    t = w.free_slots[w.n_free]
    w.slot[word] = t
    w.next[word] = -1
    w.first[t] = w.last[t] = word
    w.best_with[t] = -1
    for side in range(2):
        for e in range(w.starts[side][word], w.starts[side][word + 1]):
            x = w.partners[side][e]
            count = w.counts[side][e]
            w.total[side][t] += count
            if x != word:
                add_joint(w, side, w.rest, w.slot[x], -count)
                add_joint(w, side, t, w.slot[x], count)
            elif side == OUT:
                add_joint(w, side, w.rest, w.rest, -count)
                add_joint(w, side, t, t, count)
    join_columns(w, w.rest, t, OUT, -1)
    join_columns(w, w.rest, t, IN, -1)
    share(w, w.empty, t)
    for at in range(w.n_active):
        j = w.order[at]
        pair(w, t, j)[0] = own_loss(w, t, j) - w.shared[j]
    w.order[w.n_active] = t
    w.n_active += 1


cdef void merge_best(WindowC* w, int* merged) noexcept nogil:
    """Merge the best pair; merged: the first types of the older and of the younger cluster."""
    cdef int64_t least = INT64_MAX
    cdef int64_t compared
    cdef int younger = -1
    cdef int at, other, i, j
    for at in range(1, w.n_active):
        i = w.order[at]
        if w.best_with[i] < 0:
            w.best[i] = INT64_MAX
            for other in range(at):
                j = w.order[other]
                compared = level(w, pair(w, i, j)[0])
                if compared <= w.best[i]:
                    w.best[i] = compared
                    w.best_with[i] = j
        if w.best[i] <= least:
            least = w.best[i]
            younger = i
    i = w.best_with[younger]
    merged[0] = w.first[i]
    merged[1] = w.first[younger]
    merge(w, i, younger)


def merge_types(
    const int[::1] firsts not None, const int[::1] seconds not None,
    const int[::1] counts not None, Py_ssize_t n_types, Py_ssize_t n_clusters, Py_ssize_t exponent,
    progress=None,
):
    """Merge V types, in order of frequency, to one cluster by way of C.

    firsts, seconds, counts: (B,), the bigram types and how often they occur, fewer than 2 ** 31 in all.
    n_clusters: C, 2 <= C <= V, at most 46000. exponent: from 20 to 40; sums are counted in units of
    2 ** -exponent nats.
    progress: called with the number of merges done, now and then.
    Returns (V - 1, 2) int32, of each merger the most frequent types of the clusters, the more frequent
    cluster first.
    """
    cdef Pool mem = Pool()
    cdef WindowC w
    cdef int[:, ::1] merges = numpy.zeros((n_types - 1, 2), dtype="i")
    cdef int[::1] starts, partners, sorted_counts
    cdef int width = n_clusters + 3
    cdef int n_merges = 0
    cdef int word = 0
    cdef int side, k
    check_shape("seconds", seconds, firsts.shape[0])
    check_shape("counts", counts, firsts.shape[0])
    check_values("number of types", n_types, 2, INT_MAX)
    check_values("number of clusters", n_clusters, 2, min(n_types, MAX_CLUSTERS))
    check_values("exponent", exponent, COMPARED, 40)
    check_values("firsts", firsts, 0, n_types - 1)
    check_values("seconds", seconds, 0, n_types - 1)
    check_values("counts", counts, 0, INT_MAX)
    held = []                  # keeps the arrays alive that `w` points to
    for side, (ours, theirs) in enumerate([(firsts, seconds), (seconds, firsts)]):
        by_type = numpy.lexsort((theirs, ours))
        n_each = numpy.bincount(ours, minlength=n_types)
        starts = numpy.concatenate([[0], numpy.cumsum(n_each)]).astype("i")
        partners = numpy.asarray(theirs)[by_type]
        sorted_counts = numpy.asarray(counts)[by_type]
        held += [starts, partners, sorted_counts]
        w.starts[side] = &starts[0]
        w.partners[side] = &partners[0] if partners.shape[0] else NULL
        w.counts[side] = &sorted_counts[0] if partners.shape[0] else NULL
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
    w.F = <int64_t*>mem.alloc(TABLE, sizeof(int64_t))
    w.scale = 2.0 ** exponent
    w.shift = exponent - COMPARED
    w.shared = <int64_t*>mem.alloc(width, sizeof(int64_t))
    w.near = <int*>mem.alloc(width, sizeof(int))
    w.before = <int*>mem.alloc(width, sizeof(int))
    w.added = <int*>mem.alloc(width, sizeof(int))
    w.lost = <int64_t*>mem.alloc(width, sizeof(int64_t))
    for k in range(1, TABLE):
        w.F[k] = <int64_t>(k * log(<double>k) * w.scale + 0.5)
    for k in range(w.n_free):
        w.free_slots[k] = k
    for k in range(n_types):
        w.slot[k] = w.rest
    # Once only: a self-bigram of the rest is one in both orientations
    w.joint[OUT][w.rest * width + w.rest] = w.joint[IN][w.rest * width + w.rest] = numpy.sum(counts)
    while n_merges < n_types - 1:
        with nogil:
            if word < n_types:
                enter(&w, word)
                word += 1
            if w.n_active > n_clusters or word == n_types:
                merge_best(&w, &merges[n_merges, 0])
                n_merges += 1
        if n_merges % REPORT == 0 or n_merges == n_types - 1:
            PyErr_CheckSignals()
            if progress is not None:
                progress(n_merges)
    return numpy.asarray(merges)
