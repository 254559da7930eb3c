"""Derivations of non-monotonic Covington that follow the gold arcs, but for some deviations."""

from libc.string cimport memcpy

from ...structs cimport UNKNOWN_HEAD, GoldC
from ...oracles.cycles cimport ViewC, built_in, looked_at

cdef enum:
    NO_HEAD = -1


cdef void prepare(ExactSearchC* search, const ViewC* view, const GoldC* gold) noexcept nogil:
    cdef int high, k, d, h
    for d in range(view.n):
        h = gold.head[d]
        if h == UNKNOWN_HEAD or (
            h >= 0 and looked_at(view, h, d) and not built_in(view, gold, d)
        ):
            search.gold[d] = FREE
        else:
            search.gold[d] = h
    search.n_pending = 0
    for high in range(view.j, view.n):
        h = gold.head[high]
        k = gold.kids_start[high + 1] - 1
        while True:
            # The words on the left of `high` that a gold arc joins to it, from right to left.
            d = gold.kids[k] if k >= gold.kids_start[high] else -1
            if d > high:
                k -= 1
                continue
            if 0 <= h < high and h > d:
                add_pending(search, view, h, high)
                h = -1
            elif d >= 0:
                add_pending(search, view, high, d)
                k -= 1
            else:
                break


cdef inline void add_pending(ExactSearchC* search, const ViewC* view, int h, int d) noexcept nogil:
    if not looked_at(view, h, d):
        search.pending[search.n_pending].head = h
        search.pending[search.n_pending].dep = d
        search.n_pending += 1


cdef void note(
    const ExactSearchC* search, ConflictC* conflict, int word, int low, int high
) noexcept nogil:
    """Add a conflict."""
    cdef int first = conflict.n
    cdef int c = first
    cdef int q
    add_word(conflict, first, word, low, high)
    while c < conflict.n:
        word = conflict.word[c]
        add_word(conflict, first, search.head[word], low, high)
        add_word(conflict, first, search.start_head[word], low, high)
        for q in range(search.n_deviations):
            if search.deviations[q].arc.dep == word and not search.deviations[q].skips:
                add_word(conflict, first, search.deviations[q].arc.head, low, high)
        c += 1


cdef void add_word(ConflictC* conflict, int first, int word, int low, int high) noexcept nogil:
    cdef int c
    if word < 0:
        return
    for c in range(first, conflict.n):
        if conflict.word[c] == word:
            return
    if conflict.n == MAX_CONFLICT:
        conflict.full = True
        return
    conflict.word[conflict.n] = word
    conflict.low[conflict.n] = low
    conflict.high[conflict.n] = high
    conflict.first[conflict.n] = first
    conflict.n += 1


cdef int derive(ExactSearchC* search, int slack, ConflictC* conflict) noexcept nogil:
    cdef int lost = 0
    cdef int p = 0
    cdef int q = 0
    cdef int h, d, a, b, w
    cdef bint gold_arc, skips
    cdef ArcC arc
    search.nodes += 1
    conflict.n = 0
    conflict.full = False
    memcpy(search.head, search.start_head, search.n * sizeof(int))
    memcpy(search.left, search.gold, search.n * sizeof(int))
    while p < search.n_pending or q < search.n_deviations:
        gold_arc = True
        if q < search.n_deviations:
            a = search.deviations[q].arc.dep
            b = search.deviations[q].arc.head
            if p == search.n_pending or not pair_before(
                search.pending[p].head, search.pending[p].dep, a, b
            ):
                gold_arc = False
                if p < search.n_pending and not pair_before(
                    a, b, search.pending[p].head, search.pending[p].dep
                ):
                    # The deviation takes the place of a gold arc.
                    d = search.pending[p].dep
                    lost += search.left[d] >= 0
                    search.left[d] = FREE
                    p += 1
        if gold_arc:
            arc = search.pending[p]
            p += 1
            if search.left[arc.dep] == FREE:
                continue
        else:
            arc = search.deviations[q].arc
            skips = search.deviations[q].skips
            q += 1
            if skips:
                if lost > slack:
                    return lost
                continue
        h = arc.head
        d = arc.dep
        if not gold_arc and search.left[d] >= 0 and search.head[d] == search.left[d]:
            search.left[d] = FREE
            lost += 1
        w = search.head[h]
        while w >= 0 and w != d:
            w = search.head[w]
        if w == d:
            # The arc closes a cycle: its head loses its own.
            if search.left[h] >= 0 and search.head[h] == search.left[h]:
                note(search, conflict, h, low_of(h, d), high_of(h, d))
                search.left[h] = FREE
                lost += 1
            search.head[h] = NO_HEAD
        if lost > slack:
            return lost
        search.head[d] = h
    for d in range(search.n):
        if search.left[d] == -1 and search.head[d] >= 0:
            lost += 1
            note(search, conflict, d, -1, search.n)
            if lost > slack:
                return lost
    return lost


cdef bint add_deviation(ExactSearchC* search, int head, int dep, bint skips) noexcept nogil:
    cdef int k = search.n_deviations
    cdef int q
    cdef const ArcC* arc
    if k == MAX_DEVIATIONS:
        return False
    for q in range(k):
        arc = &search.deviations[q].arc
        if low_of(dep, head) == low_of(arc.dep, arc.head) and (
            high_of(dep, head) == high_of(arc.dep, arc.head)
        ):
            return False
    while k > 0:
        arc = &search.deviations[k - 1].arc
        if not pair_before(dep, head, arc.dep, arc.head):
            break
        search.deviations[k] = search.deviations[k - 1]
        k -= 1
    search.deviations[k].arc.head = head
    search.deviations[k].arc.dep = dep
    search.deviations[k].skips = skips
    search.n_deviations += 1
    return True
