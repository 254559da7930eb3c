"""Where the words of a gold arc are: what the costs of systems that say so (`StateC.where`) are made of.

The gold dependents of each word are counted by where they are, so that a word with many costs no more
than another. The counts follow the words that the configuration has moved since they were read last,
O(1) a move; another configuration, or one that has started again, is counted anew, O(n). Words on the
stack that have no head are counted apart, which is sound because a move that changes the head of a word
also moves the word. A gold tree must be indexed again before it outlives a configuration that it has
counted.
"""

from libc.string cimport memset

from ..state cimport GONE, IN_BUFFER, IN_STACK
from ..structs cimport GoldC, StateC, TallyC


cdef enum:
    FREE_IN_STACK = 3     # counted apart from IN_STACK: without head
    N_TALLIES = 4


cdef inline bint word_in(const StateC* st, int w, int where) noexcept nogil:
    return w >= 0 and st.where[w] == where


cdef inline bint pending(const StateC* st, int w) noexcept nogil:
    """w is a word that has not been attached."""
    return w >= 0 and st.where[w] != GONE


cdef inline int tallied_as(const StateC* st, int w) noexcept nogil:
    return FREE_IN_STACK if st.where[w] == IN_STACK and st.head[w] < 0 else st.where[w]


cdef inline void recount_kids(const StateC* st, const GoldC* gold) noexcept nogil:
    cdef TallyC* tally = gold.tally
    cdef int w
    tally.state = st
    tally.epoch = st.epoch
    memset(tally.kids, 0, N_TALLIES * st.n * sizeof(int))
    for w in range(st.n):
        tally.where[w] = tallied_as(st, w)
        if gold.head[w] >= 0:
            tally.kids[N_TALLIES * gold.head[w] + tally.where[w]] += 1


cdef inline void count_kids(const StateC* st, const GoldC* gold) noexcept nogil:
    """Bring the counts of `gold` up to date with the configuration."""
    cdef TallyC* tally = gold.tally
    cdef int k, w
    cdef int* kids
    if tally.state != st or tally.epoch != st.epoch:
        recount_kids(st, gold)
    else:
        for k in range(tally.n_moved, st.n_moved):
            w = st.moved[k]
            if gold.head[w] >= 0:
                kids = tally.kids + N_TALLIES * gold.head[w]
                kids[tally.where[w]] -= 1
                tally.where[w] = tallied_as(st, w)
                kids[tally.where[w]] += 1
    tally.n_moved = st.n_moved


# Gold dependents of h, after `count_kids`.

cdef inline int kids_in_buffer(const GoldC* gold, int h) noexcept nogil:
    return gold.tally.kids[N_TALLIES * h + IN_BUFFER]


cdef inline int kids_in_stack(const GoldC* gold, int h) noexcept nogil:
    return gold.tally.kids[N_TALLIES * h + IN_STACK] + gold.tally.kids[N_TALLIES * h + FREE_IN_STACK]


cdef inline int free_kids_in_stack(const GoldC* gold, int h) noexcept nogil:
    """Those without head."""
    return gold.tally.kids[N_TALLIES * h + FREE_IN_STACK]


cdef inline int kids_pending(const GoldC* gold, int h) noexcept nogil:
    """Those that have not been attached."""
    return kids_in_buffer(gold, h) + kids_in_stack(gold, h)


cdef inline bint is_due(const GoldC* gold, int h, int d) noexcept nogil:
    """h is the gold head of the word d, which has all its gold dependents: along a static derivation
    words are attached to their gold heads only."""
    return d >= 0 and gold.head[d] == h and kids_pending(gold, d) == 0
