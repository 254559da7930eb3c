"""The exact loss of the non-monotonic Covington system, by search.

From a configuration on, building every gold arc when its pair of words comes up, and nothing else, is
one way to end; what it loses is an upper bound, and the gold arcs out of reach are a lower one. They
differ only where the derivation runs into a conflict: closing a cycle takes a gold arc away, or a gold
root ends with a head. A better derivation differs from this one by deviations: pairs of words at which
it does something else, and at least one of them moves a word of the conflict or one above it. So the
search tries these deviations, follows the gold arcs from there, and goes on with the next conflict: few
deviations first, within a number of lost arcs that grows from the lower bound up. That this finds the
best derivation is not proved, but it agrees with exhaustive search for every sentence of up to five
words. At `NODE_CAP` derivations it gives up and takes the upper bound.

Branch and bound is how Fernandez-Gonzalez & Gomez-Rodriguez (2017, section 5) measure their bounds; no
parser was trained with the exact loss. Here all words count, those whose gold head is ROOT included.
"""

from libc.stdint cimport uint32_t
from libc.string cimport memcpy, memset

from ...structs cimport UNKNOWN_HEAD, GoldC
from .derivation cimport (
    FREE, MAX_DEVIATIONS, N_TRIED, ArcC, ConflictC, DeviationC, ExactSearchC, add_deviation,
    comes_before, derive, high_of, low_of, open_pair, prepare, settled,
)
from .roots cimport MAX_SEARCHED, free_root, may_be_freed
from ...oracles.cycles cimport ViewC
from ...oracles.oracle cimport CountsC

cdef enum:
    NODE_CAP = 20000      # derivations followed for one loss
    NODE_CAP_LONG = 50    # the same in longer sentences


cdef bint try_deviation(
    ExactSearchC* search, int head, int dep, bint skips, int slack
) noexcept nogil:
    """Search on with one more deviation."""
    cdef DeviationC[MAX_DEVIATIONS] before
    cdef int n_before = search.n_deviations
    cdef int slot
    cdef bint solved
    cdef uint32_t key = 1 + 3 * (
        <uint32_t>low_of(dep, head) * <uint32_t>search.n + <uint32_t>high_of(dep, head)
    ) + (2 if skips else <int>(dep > head))
    slot = (key * 2654435761U) >> 22
    while search.tried[slot] != 0:
        if search.tried[slot] == key:
            return False
        slot = (slot + 1) % N_TRIED
    memcpy(before, search.deviations, sizeof(before))
    if not add_deviation(search, head, dep, skips):
        return False
    solved = solve(search, slack)
    memcpy(search.deviations, before, sizeof(before))
    search.n_deviations = n_before
    if search.n_tried < N_TRIED // 2:
        search.tried[slot] = key
        search.order[search.n_tried] = slot
        search.n_tried += 1
    return solved


cdef bint untry(ExactSearchC* search, int n_tried) noexcept nogil:
    """Forget all but the first deviations tried; returns False, as a search that has failed."""
    while search.n_tried > n_tried:
        search.n_tried -= 1
        search.tried[search.order[search.n_tried]] = 0
    return False


cdef bint solve(ExactSearchC* search, int slack) noexcept nogil:
    """Whether a derivation with these deviations, and more, loses no more than `slack` arcs."""
    cdef ConflictC conflict
    cdef int c, k, v, w, cost
    cdef int n_tried = search.n_tried
    if search.nodes >= search.node_cap:
        search.capped = True
        return False
    if derive(search, slack, &conflict) <= slack:
        return True
    if search.n_deviations == 0 and search.limit == 1 and search.n <= MAX_SEARCHED:
        for c in range(conflict.n):
            if conflict.high[c] < search.n or conflict.first[c] < c:
                continue
            # A gold root ends with a head.
            if free_root(search, conflict.word[c], slack):
                return True
    if conflict.full:
        search.capped = True
    if search.n_deviations == search.limit:
        search.cut = True
        return False
    # Do without the gold arc to v.
    for c in range(conflict.n if slack > 0 else 0):
        v = conflict.word[c]
        if search.gold[v] >= 0 and search.start_head[v] != search.gold[v]:
            if try_deviation(search, search.gold[v], v, True, slack):
                return True
    # Cut v loose: v becomes the head of a word above it. The pair loses the arc from w to v, and w a
    # gold arc that stands by then.
    for c in range(conflict.n):
        v = conflict.word[c]
        for k in range(conflict.first[c], conflict.n):
            w = conflict.word[k]
            if conflict.first[k] != conflict.first[c]:
                break
            if w == v or search.gold[w] == v or not usable(search, &conflict, c, w):
                continue
            cost = (search.gold[v] == w) + settled(search, w, low_of(v, w), high_of(v, w))
            if cost <= slack and try_deviation(search, v, w, False, slack):
                return True
    # Give v another head, w, before the conflict arises.
    for c in range(conflict.n):
        v = conflict.word[c]
        for w in range(search.n):
            if search.nodes >= search.node_cap:
                search.capped = True
                return untry(search, n_tried)
            if w == v or w == search.gold[v] or not usable(search, &conflict, c, w):
                continue
            cost = (search.gold[w] == v) + settled(search, v, low_of(v, w), high_of(v, w))
            if cost <= slack and try_deviation(search, w, v, False, slack):
                return True
    return untry(search, n_tried)


cdef bint deepen(ExactSearchC* search, int slack) noexcept nogil:
    """Whether any deviations lead to a loss of no more than `slack`; few of them are tried first."""
    search.capped = False
    for search.limit in range(1, MAX_DEVIATIONS + 1):
        search.cut = False
        if solve(search, slack):
            return True
        if search.capped or not search.cut:
            return False
    search.capped = True
    return False


cdef int least_loss(const ExactSearchC* search) noexcept nogil:
    """1 if a gold root has a head that it cannot lose without a loss, else 0."""
    cdef int d
    for d in range(search.n):
        if search.gold[d] == -1 and search.start_head[d] >= 0 and search.n <= MAX_SEARCHED:
            if not may_be_freed(search, d):
                return 1
    return 0


cdef inline bint usable(
    const ExactSearchC* search, const ConflictC* conflict, int c, int w
) noexcept nogil:
    """The pair of the c-th word and w is still to be looked at, before the conflict arises."""
    cdef int v = conflict.word[c]
    return open_pair(search, v, w) and comes_before(
        low_of(v, w), high_of(v, w), conflict.low[c], conflict.high[c]
    )


cdef int exact_loss(
    const ViewC* view, const GoldC* gold, int* memory, CountsC* counts
) noexcept nogil:
    cdef ExactSearchC search
    cdef ConflictC conflict
    cdef int n = view.n
    cdef int lost = 0
    cdef int d, most, slack
    search.n = n
    search.i = view.i
    search.j = view.j
    search.start_head = view.head
    search.gold = memory
    search.head = memory + n
    search.left = memory + 2 * n
    search.queue = memory + 3 * n
    search.below = memory + 4 * n
    search.pending = <ArcC*>(memory + 5 * n)
    search.n_deviations = 0
    search.nodes = 0
    search.node_cap = NODE_CAP if n <= MAX_SEARCHED else NODE_CAP_LONG
    search.capped = False
    prepare(&search, view, gold)
    for d in range(n):
        lost += search.gold[d] == FREE and gold.head[d] != UNKNOWN_HEAD
    most = derive(&search, n, &conflict)
    if most > 0:
        memset(search.tried, 0, sizeof(search.tried))
        search.n_tried = 0
    counts.searches += 1
    for slack in range(least_loss(&search) if most > 0 else 0, most):
        if deepen(&search, slack):
            most = slack
            break
        if search.capped:
            counts.cap_hits += 1
            break
    counts.nodes += search.nodes
    return lost + most
