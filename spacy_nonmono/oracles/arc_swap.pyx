"""Static oracle of arc-standard with Swap: the lazy one of Nivre, Kuhlmann & Hall (2009).

The projective order of a tree is the order in which a walk inside out comes upon its words: dependents
on the left of a head, the head, dependents on the right. Words are swapped when they stand on the stack
against this order, but not before they must: the words that hang together when arc-standard has built
all that it can without Swap (a maximal projective component) stay together. A dynamic oracle of the
system is an open problem.
"""

from ..structs cimport GoldC, StateC, SystemC
from ..transitions.arc_swap cimport LEFT_ARC, RIGHT_ARC, SHIFT, SWAP
from .oracle cimport StaticOracle
from .tally cimport count_kids, is_due


cdef inline int* components(const GoldC* gold) noexcept nogil:
    """[n] the maximal projective component of each word, by one of its words; kept there too."""
    return gold.scratch + gold.n


cdef void fill_order(const GoldC* gold) noexcept nogil:
    """Walk the trees inside out, with a stack of words and how many dependents of each are done."""
    cdef int* order = projective_order(gold)
    cdef int* path = gold.scratch + 2 * gold.n
    cdef int* next_kid = gold.scratch + 3 * gold.n
    cdef int rank = 0
    cdef int root, w, k, depth
    for w in range(gold.n):
        next_kid[w] = gold.kids_start[w]
        order[w] = -1
    for root in range(gold.n):
        if gold.head[root] >= 0:
            continue
        path[0] = root
        depth = 1
        while depth > 0:
            w = path[depth - 1]
            k = next_kid[w]
            if order[w] < 0 and (k == gold.kids_start[w + 1] or gold.kids[k] > w):
                order[w] = rank
                rank += 1
            if k == gold.kids_start[w + 1]:
                depth -= 1
                continue
            next_kid[w] += 1
            path[depth] = gold.kids[k]
            depth += 1


cdef void fill_components(const GoldC* gold) noexcept nogil:
    """Run arc-standard, gold arcs only."""
    cdef int* component = components(gold)
    cdef int* stack = gold.scratch + 2 * gold.n
    cdef int* n_left = gold.scratch + 3 * gold.n   # dependents still to be attached
    cdef int depth = 0
    cdef int w, h, d
    for w in range(gold.n):
        component[w] = -1
        n_left[w] = gold.kids_start[w + 1] - gold.kids_start[w]
    for w in range(gold.n):
        stack[depth] = w
        depth += 1
        while depth > 1:
            h = stack[depth - 1]
            d = stack[depth - 2]
            if gold.head[d] != h or n_left[d] > 0:
                h = stack[depth - 2]
                d = stack[depth - 1]
                if gold.head[d] != h or n_left[d] > 0:
                    break
            depth -= 1
            stack[depth - 1] = h
            component[d] = h
            n_left[h] -= 1
    # So far every word has its head; those left on the stack name the components.
    for w in range(gold.n):
        h = w
        while component[h] >= 0 and component[h] != h:
            h = component[h]
        d = w
        while component[d] >= 0 and component[d] != h:
            component[d], d = h, component[d]
        component[h] = h


cdef int next_move(const SystemC* system, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef const int* component = components(gold)
    cdef const int* order = projective_order(gold)
    cdef int move = SHIFT
    cdef int top, below, front
    if gold.tally.state == NULL:
        # Nobody has looked at this tree yet.
        fill_order(gold)
        fill_components(gold)
    count_kids(st, gold)
    if st.depth >= 2:
        top = st.stack[st.depth - 1]
        below = st.stack[st.depth - 2]
        front = st.buffer[st.rest - 1] if st.rest > 0 else -1
        if is_due(gold, top, below):
            move = LEFT_ARC
        elif is_due(gold, below, top) and system.is_valid(st, 0, RIGHT_ARC):
            move = RIGHT_ARC
        elif below >= 0 and order[top] < order[below] and (
            front < 0 or component[front] != component[top]
        ):
            move = SWAP
    return move if system.is_valid(st, 0, move) else -1


cdef class ArcSwapStatic(StaticOracle):
    """The derivation that swaps late (Nivre, Kuhlmann & Hall 2009)."""

    def __cinit__(self, system):
        self.serve(system, "static", ("arc_swap",))
        self.c.next_move = next_move


ARC_SWAP = {"static": ArcSwapStatic}
