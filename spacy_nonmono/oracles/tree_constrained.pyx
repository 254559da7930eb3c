"""Exact dynamic oracle of `arc_eager_tree_constrained`, by dynamic programming.

Nivre & Fernandez-Gonzalez (2014) train with a static oracle: gold arcs cannot be looked at one by one
here, since all of them may be reachable, yet not together. The oracle is not from the paper.

S is the stack, B the buffer. The stack is a row of chains: a word without head, and above it words that
each hang on the one below. The right spine of a tree is its root, the last dependent of the root, the
last dependent of that, and so on. Two words of S get an arc only when the buffer has been empty, from
the one word that is carried leftwards from then on. Hence a configuration can still reach the projective
trees with one root over the words of S and B that keep the arcs built and in which every new arc between
two words of S
    leads to the right, to a word of the right spine, or
    leads to the left, from a word of the right spine that has no head yet.

The spine climbs through the stack from chain to chain and leaves it at one of them, or else the root is
in B. `climb` finds the most gold arcs up to there. All other arcs are those of plain arc-eager; `sweep`
finds the most gold arcs among them. An arc that is not gold is worth nothing and can always be found for
a word that is left over, so that only gold arcs are tried: O(n) steps for each word of S, and as many as
the arc is long for each gold arc in B.
"""

from ..structs cimport UNKNOWN_HEAD, GoldC, StateC, SystemC
from ..transitions.arc_eager cimport ENDED, LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT
from ..transitions.moves cimport MAX_MOVES
from .oracle cimport CostsC, Oracle, OracleC, built, set_gold_arc

from .arc_eager import ArcEagerStatic


cdef enum:
    NOBODY = -3               # the gold head of no word
    IMPOSSIBLE = -(1 << 24)   # stays below zero whatever is added


cdef struct TreeSearchC:
    # A configuration that may be changed, and tables of the most gold arcs, those built left out.
    const int* head       # [n] gold heads
    const GoldC* gold
    int n
    int first             # the buffer is first .. n - 1
    int depth
    int* stack            # [depth + 1] room for the word that a move pushes
    int* headed           # [depth + 1] 1: the word hangs on the one below
    # Arcs among the stack words up to this one, if the spine goes from it to the buffer.
    int* spine            # [depth + 1]
    # Arcs between d and its gold head, both in the buffer, every word between them below one of the two.
    int* gap              # [n]
    # Arcs so far when s is the top of the stack and y the front of the buffer.
    int* facing           # [n]
    # Arcs so far when s is the top of the stack and the words before y are gone.
    int* behind           # [n + 1]


cdef inline bint has_ended(const StateC* st) noexcept nogil:
    return st.own[ENDED] != 0


cdef void sweep(TreeSearchC* search, int s, int first, int end) noexcept nogil:
    """Let s be the top of the stack, in front of the words first .. end - 1: improve `facing` and
    `behind` by what follows from their entries further left."""
    cdef const int* head = search.head
    cdef const GoldC* gold = search.gold
    cdef int* facing = search.facing
    cdef int* behind = search.behind
    cdef int y, z, k, best
    for y in range(first, end):
        # The first gold dependent that y keeps on its left is z; without one, all before y is s's.
        best = max(facing[y], behind[y])
        for k in range(gold.kids_start[y], gold.kids_start[y + 1]):
            z = gold.kids[k]
            if z > y:
                break
            if z >= first:
                best = max(best, facing[z] + 1 + search.gap[z])
        facing[y] = best
        # The head of y is s, or its gold head z; any other one could be s as well.
        best += head[y] == s
        z = head[y]
        if first <= z < y:
            best = max(best, behind[z + 1] + 1 + search.gap[y])
        behind[y + 1] = max(behind[y + 1], best)


cdef void clear(int* table, int start, int end) noexcept nogil:
    cdef int k
    for k in range(start, end):
        table[k] = IMPOSSIBLE


cdef void fill_gaps(TreeSearchC* search) noexcept nogil:
    """Inner gaps first: those of arcs with their left end at w need only gaps further right."""
    cdef const GoldC* gold = search.gold
    cdef int w, k, last
    for w in range(search.n - 1, search.first - 1, -1):
        last = search.head[w]
        if gold.kids_start[w + 1] > gold.kids_start[w]:
            last = max(last, gold.kids[gold.kids_start[w + 1] - 1])
        if last <= w:
            continue
        clear(search.facing, w + 1, last + 1)
        clear(search.behind, w + 2, last + 2)
        search.behind[w + 1] = 0
        sweep(search, w, w + 1, last + 1)
        if search.head[w] > w:
            search.gap[w] = search.facing[search.head[w]]
        for k in range(gold.kids_start[w], gold.kids_start[w + 1]):
            if gold.kids[k] > w:
                search.gap[gold.kids[k]] = search.facing[gold.kids[k]]


cdef void climb(TreeSearchC* search, int depth) noexcept nogil:
    """Fill `spine`: a word comes next on the spine after some word of a chain u, or is the root; the
    chains between become its dependents."""
    cdef const int* head = search.head
    cdef int k, u, s, best, taken
    cdef bint joins
    for k in range(depth):
        s = search.stack[k]
        best = IMPOSSIBLE
        taken = 0
        joins = False
        for u in range(k - 1 if not search.headed[k] else -1, -1, -1):
            joins = joins or head[s] == search.stack[u]
            if not search.headed[u]:
                best = max(best, search.spine[u] + joins + taken)
                taken += head[search.stack[u]] == s
                joins = False
        if not search.headed[k]:
            best = max(best, taken + (head[s] == -1))
        search.spine[k] = best


cdef int most_arcs(TreeSearchC* search, int depth, int first) noexcept nogil:
    """The most gold words still to be won with so much of the stack, and the buffer from `first` on."""
    cdef const int* head = search.head
    cdef int* facing = search.facing
    cdef int* behind = search.behind
    cdef int n = search.n
    cdef int best = IMPOSSIBLE
    cdef int k, s, y
    climb(search, depth)
    clear(facing, first, n)
    clear(behind, first + 1, n + 1)
    behind[first] = 0
    for k in range(depth - 1, -1, -1):
        s = search.stack[k]
        sweep(search, s, first, n)
        if not search.headed[k]:
            best = max(best, search.spine[k] + behind[n])
            # Only Left-Arc takes s from the stack; a word with a head is popped as it is.
            clear(behind, first, n + 1)
            if head[s] >= first:
                facing[head[s]] += 1
    # The root is in the buffer: nothing else is before it, and what follows hangs on it.
    sweep(search, NOBODY, first, n)
    for y in range(first, n):
        behind[y + 1] = facing[y] + (head[y] == -1)
    behind[first] = IMPOSSIBLE
    clear(facing, first, n)
    sweep(search, NOBODY, first, n)
    return max(best, behind[n])


cdef TreeSearchC start(const StateC* st, const GoldC* gold) noexcept nogil:
    """The configuration of st; a carried word is not in the buffer, but above the stack."""
    cdef TreeSearchC search
    cdef int k
    cdef int* memory = gold.scratch
    search.head = gold.head
    search.gold = gold
    search.n = st.n
    search.first = st.n if has_ended(st) else st.n - st.rest
    search.depth = st.depth
    search.stack = memory
    search.headed = memory + st.n + 1
    search.spine = memory + 2 * (st.n + 1)
    search.gap = memory + 3 * (st.n + 1)
    search.facing = memory + 4 * (st.n + 1)
    search.behind = memory + 5 * (st.n + 1)
    for k in range(st.depth):
        search.stack[k] = st.stack[k]
        search.headed[k] = st.head[st.stack[k]] >= 0
    if st.rest > 0:
        search.stack[st.depth] = st.buffer[st.rest - 1]
        search.headed[st.depth] = False
    fill_gaps(&search)
    return search


cdef int tree_constrained_loss(
    const OracleC* self, const StateC* st, const GoldC* gold
) noexcept nogil:
    """Words of known head, less those right already and those that can still be won."""
    cdef TreeSearchC search
    cdef int loss = 0
    cdef int d
    if st.n == 0:
        return 0
    search = start(st, gold)
    for d in range(st.n):
        loss += gold.head[d] != UNKNOWN_HEAD and not built(st, gold, d)
    return loss - most_arcs(&search, st.depth + (has_ended(st) and st.rest > 0), search.first)


cdef void tree_constrained_costs(
    const OracleC* self, const SystemC* system, const StateC* st, int focus, const GoldC* gold,
    CostsC* out
) noexcept nogil:
    """What a move wins at most, less what the best move does."""
    cdef TreeSearchC search
    cdef int[MAX_MOVES] won
    cdef int most = IMPOSSIBLE
    cdef int move, s, b
    if st.rest == 0:
        return    # one move at most
    search = start(st, gold)
    b = st.buffer[st.rest - 1]
    if out.valid[SHIFT]:
        won[SHIFT] = most_arcs(&search, st.depth + 1, search.first + 1)
    if out.valid[RIGHT_ARC]:
        s = st.stack[st.depth - 1]
        search.headed[st.depth] = True
        won[RIGHT_ARC] = (gold.head[b] == s) + most_arcs(
            &search, st.depth + 1, st.n if has_ended(st) else search.first + 1
        )
        set_gold_arc(out, gold, RIGHT_ARC, s, b)
        # Left-Arc and Reduce both pop s.
        move = REDUCE
        if out.valid[LEFT_ARC]:
            move = LEFT_ARC
            set_gold_arc(out, gold, LEFT_ARC, b, s)
        if has_ended(st):
            search.stack[st.depth - 1] = b
            search.headed[st.depth - 1] = False
        won[move] = (move == LEFT_ARC and gold.head[s] == b) + most_arcs(
            &search, st.depth - 1 + has_ended(st), search.first
        )
    for move in range(system.n_moves):
        if out.valid[move]:
            most = max(most, won[move])
    for move in range(system.n_moves):
        if out.valid[move]:
            out.cost[move] = most - won[move]


cdef class TreeConstrainedOracle(Oracle):
    """Exact dynamic oracle of `arc_eager_tree_constrained` (Nivre & Fernandez-Gonzalez 2014)."""

    def __cinit__(self, system):
        self.serve(system, "dynamic", ("arc_eager_tree_constrained",))
        self.is_cubic = True
        self.c.costs = tree_constrained_costs
        self.c.loss = tree_constrained_loss


ARC_EAGER_TREE_CONSTRAINED = {"dynamic": TreeConstrainedOracle, "static": ArcEagerStatic}
