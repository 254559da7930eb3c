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

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy, memset

from ..structs cimport GoldC
from .cycles cimport ViewC, looked_at, stands
from .oracle cimport UNKNOWN_HEAD, CountsC

cdef extern from *:
    int ctz "__builtin_ctzll" (uint64_t word) noexcept nogil

cdef enum:
    LONGEST = 64          # words of a sentence that is searched thoroughly
    NODE_CAP = 20000      # derivations followed for one loss
    NODE_CAP_LONG = 50    # the same in longer sentences
    MAX_DEVIATIONS = 10
    MAX_CONFLICT = 48     # words of the conflicts of one derivation that are looked at
    NO_HEAD = -1
    N_TRIED = 1024
    FREE = -2             # as a gold head: lost or unknown, so that any head will do


cdef struct ArcC:
    int head
    int dep


cdef struct SearchC:
    int n
    int i                 # the configuration to start from
    int j
    const int* start_head  # [n]
    int* gold             # [n] gold heads that stand or can be built; -1: root; FREE
    int* head             # [n] of the derivation under way
    int* left             # [n] gold heads that this derivation has not lost
    int* queue            # [n] free space
    int* below            # [n]
    ArcC* pending         # [n_pending] gold arcs to be built, in Covington's order
    int n_pending
    ArcC deviations[MAX_DEVIATIONS]  # in Covington's order
    int n_deviations
    # Deviations that need not be tried again: everything with them has been. A table of keys, filled
    # and emptied like a stack.
    uint32_t tried[N_TRIED]
    int order[N_TRIED]
    int n_tried
    int limit             # on the number of deviations
    bint cut              # at the limit
    int nodes
    int node_cap
    bint capped


cdef struct ConflictC:
    # The words of the conflicts: each with all that have been above it on the way there, and the pair
    # at which it arose.
    int word[MAX_CONFLICT]
    int low[MAX_CONFLICT]
    int high[MAX_CONFLICT]
    int first[MAX_CONFLICT]  # where the words of this conflict begin
    int n
    bint full


cdef inline int low_of(int a, int b) noexcept nogil:
    return a if a < b else b


cdef inline int high_of(int a, int b) noexcept nogil:
    return a if a > b else b


cdef inline bint comes_before(int low, int high, int other_low, int other_high) noexcept nogil:
    """The first pair is looked at before the other one."""
    return high < other_high or (high == other_high and low > other_low)


cdef inline bint pair_before(int a, int b, int c, int d) noexcept nogil:
    return comes_before(low_of(a, b), high_of(a, b), low_of(c, d), high_of(c, d))


cdef inline int end_of(ArcC arc) noexcept nogil:
    """The other word of a deviation's pair; a skipped pair is kept as -3 - head."""
    return arc.head if arc.head >= 0 else -3 - arc.head


cdef void prepare(SearchC* search, const ViewC* view, const GoldC* gold) noexcept nogil:
    """Fill `gold` and `pending`."""
    cdef int high, k, d, h
    for d in range(view.n):
        h = gold.head[d]
        if h == UNKNOWN_HEAD or (
            h >= 0 and looked_at(view, h, d) and not stands(view, gold, d)
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


cdef inline void add_pending(SearchC* search, const ViewC* view, int h, int d) noexcept nogil:
    if not looked_at(view, h, d):
        search.pending[search.n_pending].head = h
        search.pending[search.n_pending].dep = d
        search.n_pending += 1


cdef void note(
    const SearchC* search, ConflictC* conflict, int word, int low, int high
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
            if search.deviations[q].dep == word:
                add_word(conflict, first, search.deviations[q].head, low, high)
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


cdef int derive(SearchC* search, int slack, ConflictC* conflict) noexcept nogil:
    """Follow the gold arcs and the deviations to the end; arcs lost on the way, `slack` + 1 if more
    than `slack`. Fills `conflict`."""
    cdef int lost = 0
    cdef int p = 0
    cdef int q = 0
    cdef int h, d, a, b, w
    cdef bint gold_arc
    cdef ArcC arc
    search.nodes += 1
    conflict.n = 0
    conflict.full = False
    memcpy(search.head, search.start_head, search.n * sizeof(int))
    memcpy(search.left, search.gold, search.n * sizeof(int))
    while p < search.n_pending or q < search.n_deviations:
        gold_arc = True
        if q < search.n_deviations:
            a = search.deviations[q].dep
            b = end_of(search.deviations[q])
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
            arc = search.deviations[q]
            q += 1
            if arc.head < 0:
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


cdef inline bint open_pair(const SearchC* search, int a, int b) noexcept nogil:
    """The pair is still to be looked at."""
    cdef int high = high_of(a, b)
    return high > search.j or (high == search.j and low_of(a, b) <= search.i)


cdef inline bint settled(const SearchC* search, int a, int low, int high) noexcept nogil:
    """Where nothing is lost, a has its gold head when the pair (low, high) comes up."""
    cdef int h = search.gold[a]
    return h >= 0 and (
        search.start_head[a] == h or comes_before(low_of(h, a), high_of(h, a), low, high)
    )


cdef bint add_deviation(SearchC* search, int head, int dep) noexcept nogil:
    """Insert a deviation in Covington's order; False if its pair has one, or there are too many."""
    cdef int k = search.n_deviations
    cdef int other = head if head >= 0 else -3 - head
    cdef int q
    if k == MAX_DEVIATIONS:
        return False
    for q in range(k):
        if low_of(dep, other) == low_of(search.deviations[q].dep, end_of(search.deviations[q])) and (
            high_of(dep, other) == high_of(search.deviations[q].dep, end_of(search.deviations[q]))
        ):
            return False
    while k > 0 and pair_before(
        dep, other, search.deviations[k - 1].dep, end_of(search.deviations[k - 1])
    ):
        search.deviations[k] = search.deviations[k - 1]
        k -= 1
    search.deviations[k].head = head
    search.deviations[k].dep = dep
    search.n_deviations += 1
    return True


cdef bint free_root_by(
    SearchC* search, int root, int d, const int* below, int slack
) noexcept nogil:
    """Whether the way up from the root to d that `below` says, and an arc down, do it."""
    cdef ConflictC conflict
    cdef int word = d
    cdef int a
    cdef bint solved = search.gold[d] == root or add_deviation(search, root, d)
    while solved and word != root:
        a = below[word]
        if search.start_head[a] != word and search.gold[a] != word:
            solved = add_deviation(search, word, a)
        word = a
    solved = solved and derive(search, slack, &conflict) <= slack
    search.n_deviations = 0
    return solved


cdef bint free_root(SearchC* search, int root, int slack) noexcept nogil:
    """Whether a gold root loses its head in some way that is found at once.

    An arc from the root to a word d above it would do it, and d must not be settled by then. So look
    for a way up from the root to d, by heads that the words may have then.
    """
    cdef int* queue = search.queue
    cdef int* below = search.below
    cdef int d, low, high, size, k, a, w
    for d in range(search.n):
        if d == root or not open_pair(search, root, d):
            continue
        low = low_of(root, d)
        high = high_of(root, d)
        if settled(search, d, low, high):
            continue
        for a in range(search.n):
            below[a] = -1
        queue[0] = root
        below[root] = root
        size = 1
        k = 0
        while k < size and below[d] < 0:
            a = queue[k]
            k += 1
            if settled(search, a, low, high):
                w = search.gold[a]
                if below[w] < 0:
                    below[w] = a
                    queue[size] = w
                    size += 1
                continue
            for w in range(search.n):
                if below[w] >= 0 or not (
                    search.start_head[a] == w or (
                        w != a and search.gold[w] != a and open_pair(search, a, w)
                        and comes_before(low_of(a, w), high_of(a, w), low, high)
                    )
                ):
                    continue
                below[w] = a
                queue[size] = w
                size += 1
        if below[d] >= 0 and free_root_by(search, root, d, below, slack):
            return True
    return False


cdef uint64_t words_above(const uint64_t* heads, int word, uint64_t without) noexcept nogil:
    """The word and all that may be above it, by ways that avoid the words `without`."""
    cdef uint64_t found = <uint64_t>1 << word
    cdef uint64_t fresh = found
    cdef uint64_t following
    cdef int w
    while fresh:
        following = 0
        while fresh:
            w = ctz(fresh)
            fresh &= fresh - 1
            following |= heads[w]
        fresh = following & ~found & ~without
        found |= fresh
    return found


cdef bint may_be_freed(const SearchC* search, int root) noexcept nogil:
    """Whether a gold root may lose its head at no loss; False is certain.

    Goes through the pairs in order and collects the heads that each word may have, as if they were
    independent of one another. The root may lose its head once an arc from it is built to a word that
    may be above it. For sentences of up to `LONGEST` words.
    """
    cdef uint64_t[LONGEST] heads
    cdef uint64_t headless = 0
    cdef uint64_t one = 1
    cdef uint64_t of_low, of_high
    cdef bint freed = False
    cdef int high, low, a
    for a in range(search.n):
        heads[a] = 0
        if search.start_head[a] >= 0:
            heads[a] = one << search.start_head[a]
        else:
            headless |= one << a
    for high in range(search.j, search.n):
        for low in range(search.i if high == search.j else high - 1, -1, -1):
            # One of the two arcs of a pair is built at most: both are looked at before any change.
            of_low = take_arc(search, heads, &headless, high, low, root, &freed)
            of_high = take_arc(search, heads, &headless, low, high, root, &freed)
            if freed:
                return True
            add_heads(search, heads, &headless, low, of_low)
            add_heads(search, heads, &headless, high, of_high)
    return False


cdef uint64_t take_arc(
    const SearchC* search, const uint64_t* heads, uint64_t* headless, int w, int a, int root,
    bint* freed
) noexcept nogil:
    """The head w as a bit if a may get it at this pair, else 0; w may lose its own, in `headless`."""
    cdef int low = low_of(w, a)
    cdef int high = high_of(w, a)
    cdef uint64_t one = 1
    if search.gold[w] == a or (search.gold[a] != w and settled(search, a, low, high)):
        return 0
    if settled(search, w, low, high):
        # If the arc closed a cycle for certain, a gold arc would be lost.
        return one << w if words_above(heads, w, one << a) & headless[0] else 0
    if words_above(heads, w, 0) >> a & 1:
        freed[0] = freed[0] or w == root
        headless[0] |= one << w
    return one << w


cdef void add_heads(
    const SearchC* search, uint64_t* heads, uint64_t* headless, int a, uint64_t new_head
) noexcept nogil:
    cdef uint64_t one = 1
    if new_head == 0:
        return
    if search.gold[a] >= 0 and new_head == one << search.gold[a]:
        # Built for certain, and kept.
        heads[a] = new_head
        headless[0] &= ~(one << a)
    else:
        heads[a] |= new_head


cdef bint try_deviation(
    SearchC* search, int head, int dep, int slack
) noexcept nogil:
    """Search on with one more deviation; head -3 - w: no arc between w and dep."""
    cdef ArcC[MAX_DEVIATIONS] before
    cdef int n_before = search.n_deviations
    cdef int other = head if head >= 0 else -3 - head
    cdef int slot
    cdef bint solved
    cdef uint32_t key = 1 + 3 * (
        <uint32_t>low_of(dep, other) * <uint32_t>search.n + <uint32_t>high_of(dep, other)
    ) + (2 if head < 0 else <int>(dep > head))
    slot = (key * 2654435761U) >> 22
    while search.tried[slot] != 0:
        if search.tried[slot] == key:
            return False
        slot = (slot + 1) % N_TRIED
    memcpy(before, search.deviations, sizeof(before))
    if not add_deviation(search, head, dep):
        return False
    solved = solve(search, slack)
    memcpy(search.deviations, before, sizeof(before))
    search.n_deviations = n_before
    if search.n_tried < N_TRIED // 2:
        search.tried[slot] = key
        search.order[search.n_tried] = slot
        search.n_tried += 1
    return solved


cdef bint untry(SearchC* search, int n_tried) noexcept nogil:
    """Forget all but the first deviations tried; returns False, as a search that has failed."""
    while search.n_tried > n_tried:
        search.n_tried -= 1
        search.tried[search.order[search.n_tried]] = 0
    return False


cdef bint solve(SearchC* search, int slack) noexcept nogil:
    """Whether a derivation with these deviations, and more, loses no more than `slack` arcs."""
    cdef ConflictC conflict
    cdef int c, k, v, w, cost
    cdef int n_tried = search.n_tried
    if search.nodes >= search.node_cap:
        search.capped = True
        return False
    if derive(search, slack, &conflict) <= slack:
        return True
    if search.n_deviations == 0 and search.limit == 1 and search.n <= LONGEST:
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
            if try_deviation(search, -3 - search.gold[v], v, slack):
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
            if cost <= slack and try_deviation(search, v, w, slack):
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
            if cost <= slack and try_deviation(search, w, v, slack):
                return True
    return untry(search, n_tried)


cdef bint deepen(SearchC* search, int slack) noexcept nogil:
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


cdef int least_loss(const SearchC* search) noexcept nogil:
    """1 if a gold root has a head that it cannot lose without a loss, else 0."""
    cdef int d
    for d in range(search.n):
        if search.gold[d] == -1 and search.start_head[d] >= 0 and search.n <= LONGEST:
            if not may_be_freed(search, d):
                return 1
    return 0


cdef inline bint usable(
    const SearchC* search, const ConflictC* conflict, int c, int w
) noexcept nogil:
    """The pair of the c-th word and w is still to be looked at, before the conflict arises."""
    cdef int v = conflict.word[c]
    return open_pair(search, v, w) and comes_before(
        low_of(v, w), high_of(v, w), conflict.low[c], conflict.high[c]
    )


cdef int exact_loss(
    const ViewC* view, const GoldC* gold, int* memory, CountsC* counts
) noexcept nogil:
    cdef SearchC search
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
    search.node_cap = NODE_CAP if n <= LONGEST else NODE_CAP_LONG
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
