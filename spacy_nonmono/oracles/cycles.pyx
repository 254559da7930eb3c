"""Elementary cycles by Johnson (1975), and which of them cost an arc.

The graph has the arcs built (A) and the gold arcs whose pair of words has not been looked at (I). A
cycle is problematic iff the arc that breaking it would remove is gold: z -> x, where x -> y is the arc
of the cycle still to be built that comes last in Covington's order (Fernandez-Gonzalez &
Gomez-Rodriguez 2017).
"""

from ..structs cimport GoldC


cdef enum:
    UNLISTED = -2


cdef struct CycleSearchC:
    # Johnson's search for elementary cycles, walked from dependents to heads: a word has two heads at
    # most, that in A and that in I.
    const ViewC* view
    const GoldC* gold
    int* built            # [n] head in A; -1: none
    int* missing          # [n] head in I; -1: none
    int* blocked          # [n]
    int* waiting          # [n] words to unblock with this one: a list of entries 2 * word + slot
    int* next_entry       # [2n] the next entry of a list; -1: the last; UNLISTED: in no list
    int* path             # [depth] the words walked
    int depth
    int start             # the smallest word of the cycles looked for
    int bound             # PC_UPPER or UPPER
    int cap
    int found


cdef bint problematic(const CycleSearchC* search) noexcept nogil:
    """The arc that breaking the cycle on the path would remove is gold."""
    cdef int last_high = -1
    cdef int last_low = -1
    cdef int position = 0
    cdef int k, x, y, low, high
    for k in range(search.depth):
        y = search.path[k]
        x = search.path[(k + 1) % search.depth]
        if search.built[y] == x:
            continue
        low = x if x < y else y
        high = y if x < y else x
        if high > last_high or (high == last_high and low < last_low):
            last_high = high
            last_low = low
            position = k
    x = search.path[(position + 1) % search.depth]
    cdef int z = search.path[(position + 2) % search.depth]
    return search.missing[x] == z or (search.built[x] == z and built_in(search.view, search.gold, x))


cdef void unblock(CycleSearchC* search, int w) noexcept nogil:
    cdef int entry = search.waiting[w]
    cdef int following
    search.blocked[w] = False
    search.waiting[w] = -1
    while entry >= 0:
        following = search.next_entry[entry]
        search.next_entry[entry] = UNLISTED
        if search.blocked[entry // 2]:
            unblock(search, entry // 2)
        entry = following


cdef bint walk(CycleSearchC* search, int w) noexcept nogil:
    """Johnson's circuit procedure; True iff a cycle through w was found."""
    cdef bint closed = False
    cdef int slot, h
    search.path[search.depth] = w
    search.depth += 1
    search.blocked[w] = True
    for slot in range(2):
        h = search.missing[w] if slot else search.built[w]
        if h < search.start or search.found >= search.cap:
            continue
        if h == search.start:
            closed = True
            search.found += search.bound == UPPER or problematic(search)
        elif not search.blocked[h]:
            closed = walk(search, h) or closed
    if closed:
        unblock(search, w)
    else:
        for slot in range(2):
            h = search.missing[w] if slot else search.built[w]
            if h > search.start and search.next_entry[2 * w + slot] == UNLISTED:
                search.next_entry[2 * w + slot] = search.waiting[h]
                search.waiting[h] = 2 * w + slot
    search.depth -= 1
    return closed


cdef int count_cycles(
    const ViewC* view, const GoldC* gold, int bound, int cap, int* memory
) noexcept nogil:
    """Cycles of A + I, the problematic ones alone for PC_UPPER; -1 at the cap. Uses 7n ints."""
    cdef int n = view.n
    cdef CycleSearchC search
    cdef int d, h, w
    cdef bint any_missing = False
    search.view = view
    search.gold = gold
    search.built = view.head
    search.missing = memory
    search.blocked = memory + n
    search.waiting = memory + 2 * n
    search.next_entry = memory + 3 * n
    search.path = memory + 5 * n
    search.bound = bound
    search.cap = cap
    search.found = 0
    search.depth = 0
    for d in range(n):
        h = gold.head[d]
        search.missing[d] = -1
        if h >= 0 and not looked_at(view, h, d):
            # A pair not looked at has no arc in A: A alone has no cycles, so one of I is needed.
            search.missing[d] = h
            any_missing = True
    if not any_missing:
        return 0
    for search.start in range(n):
        if not on_cycle(&search, n):
            continue
        for w in range(search.start, n):
            search.blocked[w] = False
            search.waiting[w] = -1
            search.next_entry[2 * w] = UNLISTED
            search.next_entry[2 * w + 1] = UNLISTED
        walk(&search, search.start)
        if search.found >= cap:
            return -1
    return search.found


cdef bint on_cycle(CycleSearchC* search, int n) noexcept nogil:
    """Whether a walk from the start over words not smaller comes back to it."""
    cdef int* queue = search.path
    cdef int size = 1
    cdef int k = 0
    cdef int w, slot, h
    for w in range(search.start, n):
        search.blocked[w] = False
    queue[0] = search.start
    while k < size:
        w = queue[k]
        k += 1
        for slot in range(2):
            h = search.missing[w] if slot else search.built[w]
            if h == search.start:
                return True
            if h > search.start and not search.blocked[h]:
                search.blocked[h] = True
                queue[size] = h
                size += 1
    return False
