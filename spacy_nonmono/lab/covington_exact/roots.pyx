"""Gold roots that have a head in the non-monotonic Covington system, and how they may lose it."""

from libc.stdint cimport uint64_t

from .derivation cimport (
    ConflictC, ExactSearchC, add_deviation, comes_before, derive, high_of, low_of, open_pair, settled,
)

cdef extern from "../../compiler.h" namespace "nonmono" nogil:
    int lowest_bit(uint64_t word)


cdef bint free_root_by(
    ExactSearchC* search, int root, int d, const int* below, int slack
) noexcept nogil:
    """Whether the way up from the root to d that `below` says, and an arc down, do it."""
    cdef ConflictC conflict
    cdef int word = d
    cdef int a
    cdef bint solved = search.gold[d] == root or add_deviation(search, root, d, False)
    while solved and word != root:
        a = below[word]
        if search.start_head[a] != word and search.gold[a] != word:
            solved = add_deviation(search, word, a, False)
        word = a
    solved = solved and derive(search, slack, &conflict) <= slack
    search.n_deviations = 0
    return solved


cdef bint free_root(ExactSearchC* search, int root, int slack) noexcept nogil:
    """An arc from the root to a word d above it would do it, and d must not be settled by then. So look
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
            w = lowest_bit(fresh)
            fresh &= fresh - 1
            following |= heads[w]
        fresh = following & ~found & ~without
        found |= fresh
    return found


cdef bint may_be_freed(const ExactSearchC* search, int root) noexcept nogil:
    """Goes through the pairs in order and collects the heads that each word may have, as if they were
    independent of one another. The root may lose its head once an arc from it is built to a word that
    may be above it. For sentences of up to `MAX_SEARCHED` words.
    """
    cdef uint64_t[MAX_SEARCHED] heads
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
    const ExactSearchC* search, const uint64_t* heads, uint64_t* headless, int w, int a, int root,
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
    const ExactSearchC* search, uint64_t* heads, uint64_t* headless, int a, uint64_t new_head
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
