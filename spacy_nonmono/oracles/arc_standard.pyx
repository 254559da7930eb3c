"""Dynamic oracle of arc-standard: the exact loss by dynamic programming over stack and buffer.

In arc-standard gold arcs that can be reached one by one need not be reachable together, so that the best
tree as a whole is looked for (Goldberg, Sartorio & Satta 2014, for projective gold trees). A move costs
the gold arcs by which the best tree after it falls short of the best tree before it.

Any projective tree over the words of the buffer can still be built: Eisner's (1996) chart of half trees
gives the most gold arcs of each. The stack words t[0], ..., t[k - 1] above ROOT are roots of subtrees
and less free: what t[i] is first joined to on its right is one tree, which holds all of t[i + 1], ...,
t[k - 1] and the first words of the buffer. So this tree is grown to the left, a stack word at a time:

    a(i, x)   the most gold arcs of buffer word x with dependents on its left, down to t[i]
    r(i, j)   the most gold arcs of t[i] with dependents on its right, j buffer words among them

To its left t[i] takes stack words one by one; they are added to r(i, j) as the tree reaches them. Time
O(k m (k + m) + m^3), memory O(m (k + m)), for m words in the buffer; measured: 2 us a transition in
sentences of 20 words, 13 of 50, 53 of 100.

Departures from the paper: nothing is asked of the gold tree but which arcs it has, so that it may be
non-projective, have several roots or be known in part; ROOT takes the last word only.

The static derivation attaches a word as soon as it has all its dependents, left arcs before right arcs,
and shifts otherwise.
"""

from libcpp.vector cimport vector

from ..state cimport GONE
from ..structs cimport GoldC, StateC, SystemC
from ..transitions.arc_standard cimport LEFT_ARC, RIGHT_ARC, SHIFT
from .oracle cimport CostsC, Oracle, OracleC, StaticOracle, built, set_gold_arc
from .tally cimport count_kids, is_due


cdef enum:
    # The chart of a buffer takes 12 m^2 bytes and m^3 steps: 48 MB and some 3 s here, and a minute for
    # 5000 words. Numbers of arcs fit into `count_t`.
    MAX_WORDS_OF_CHART = 2000


# Numbers of arcs: short, so that the inner loops handle eight at once.
ctypedef short count_t


cdef struct ChartC:
    # The most gold arcs of half trees. x < y are words of the buffer, counted from 0, j a number of
    # them. What a loop reads in succession stands in a row, so that some matrices are kept twice.
    int first             # the word that is counted as 0
    int m                 # words of the buffer
    count_t* right        # [m, m] row x, column y: x with its right dependents, up to y
    count_t* right_t      # [m, m] row y, column x: the same
    count_t* left         # [m, m] row y, column x: y with its left dependents, down to x
    count_t* left_t       # [m, m] row x, column y: the same
    count_t* to_right     # [m, m] row x, column y: `right`, if y is the last and bare on its right
    count_t* to_left      # [m, m] row y, column x: `left`, if x is the last and bare on its left
    # For the stack word t[i] that the tree has reached:
    count_t* tree         # [m + 1] column j: trees over t[i], ... and j words, with the arc to them
    count_t* a            # [m] column x: a(i, x)
    count_t* r            # [k, m + 1] row i, column j: r(i, j)
    count_t* to_stack     # [k, m + 1] row i, column x: as `to_left`, t[i] being the last
    count_t* taken        # [k] gold dependents that t[i] has on its left in the stack
    count_t* work         # [m]


cdef inline count_t most(const count_t* x, const count_t* y, int n) noexcept nogil:
    """The greatest x[q] + y[q]; -1 if n is 0."""
    cdef count_t best = -1
    cdef count_t total
    cdef int q
    for q in range(n):
        total = <count_t>(x[q] + y[q])
        best = total if total > best else best
    return best


cdef inline void raise_to(count_t* best, const count_t* x, count_t more, int n) noexcept nogil:
    """best[q] = max(best[q], x[q] + more)"""
    cdef count_t total
    cdef int q
    for q in range(n):
        total = <count_t>(x[q] + more)
        best[q] = total if total > best[q] else best[q]


cdef inline count_t larger(count_t x, count_t y) noexcept nogil:
    return x if x > y else y


cdef void carve(ChartC* chart, vector[count_t]* block, int first, int m, int k) noexcept nogil:
    cdef size_t size = m * m
    chart.first = first
    chart.m = m
    block.resize(6 * size + (2 * k + 3) * (m + 1) + k)
    chart.right = block.data()
    chart.right_t = chart.right + size
    chart.left = chart.right + 2 * size
    chart.left_t = chart.right + 3 * size
    chart.to_right = chart.right + 4 * size
    chart.to_left = chart.right + 5 * size
    chart.tree = chart.right + 6 * size
    chart.work = chart.tree + (m + 1)
    chart.a = chart.tree + 2 * (m + 1)
    chart.r = chart.tree + 3 * (m + 1)
    chart.to_stack = chart.r + k * (m + 1)
    chart.taken = chart.to_stack + k * (m + 1)


cdef void fill_buffer(ChartC* chart, const GoldC* gold) noexcept nogil:
    """The half trees over the buffer (Eisner 1996)."""
    cdef const int* head = gold.head + chart.first
    cdef int m = chart.m
    cdef int x, y
    cdef count_t arcs
    # Rows of the words x and y
    cdef count_t *right
    cdef count_t *to_right
    cdef count_t *left_t
    cdef count_t *right_t
    cdef count_t *left
    cdef count_t *to_left
    for y in range(m):
        right_t = chart.right_t + y * m
        left = chart.left + y * m
        to_left = chart.to_left + y * m
        for x in range(y - 1, -1, -1):
            right = chart.right + x * m
            to_right = chart.to_right + x * m
            left_t = chart.left_t + x * m
            arcs = most(right + x, left + x + 1, y - x)
            to_right[y] = arcs + (head[y] == chart.first + x)
            to_left[x] = arcs + (head[x] == chart.first + y)
            right[y] = right_t[x] = most(to_right + x + 1, right_t + x + 1, y - x)
            left[x] = left_t[y] = most(left_t + x, to_left + x, y - x)


cdef void take_right(ChartC* chart, const GoldC* gold, int i, int w, int skip) noexcept nogil:
    """r(i, j): the stack word w = t[i] takes the tree on its right, then words of the buffer."""
    cdef const int* head = gold.head + chart.first
    cdef int m = chart.m
    cdef count_t* r = chart.r + i * (m + 1)
    cdef count_t* to_stack = chart.to_stack + i * (m + 1)
    cdef count_t arcs
    cdef int x
    r[skip] = chart.tree[skip]
    for x in range(skip, m):
        arcs = most(r + skip, chart.left + x * m + skip, x + 1 - skip)
        to_stack[x] = arcs + (gold.head[w] == chart.first + x)
        chart.work[x] = arcs + (head[x] == w)
        arcs = most(chart.work + skip, chart.right_t + x * m + skip, x + 1 - skip)
        r[x + 1] = larger(chart.tree[x + 1], arcs)


cdef void take_left(
    ChartC* chart, const GoldC* gold, const int* stack, int k, int i, int skip
) noexcept nogil:
    """a(i, x): buffer word x takes t[i] alone, or a tree that reaches down to t[i]."""
    cdef int m = chart.m
    cdef int gold_head = gold.head[stack[i]]
    cdef int above, x
    for x in range(skip, m):
        chart.work[x] = chart.a[x] + (gold_head == chart.first + x) if i < k - 1 else -1
    chart.taken[i] = 0
    for above in range(i, k):
        chart.taken[above] += gold_head == stack[above]
        raise_to(
            chart.work + skip, chart.to_stack + above * (m + 1) + skip, chart.taken[above], m - skip
        )
    for x in range(skip, m):
        chart.a[x] = larger(
            chart.work[x], most(chart.a + skip, chart.to_left + x * m + skip, x - skip)
        )


cdef void whole_trees(
    ChartC* chart, const GoldC* gold, const int* stack, int k, int i, int skip
) noexcept nogil:
    """The trees over t[i], ... and j words, with the arc to them from t[i - 1], or from ROOT."""
    cdef const int* head = gold.head + chart.first
    cdef int m = chart.m
    cdef int next_head = stack[i - 1] if i > 0 else -1
    cdef int above, x
    for x in range(skip, m + 1):
        chart.tree[x] = -1
    for above in range(i, k):
        raise_to(
            chart.tree + skip, chart.r + above * (m + 1) + skip,
            chart.taken[above] + (gold.head[stack[above]] == next_head), m + 1 - skip,
        )
    for x in range(skip, m):
        chart.work[x] = chart.a[x] + (head[x] == next_head)
        chart.tree[x + 1] = larger(
            chart.tree[x + 1],
            most(chart.work + skip, chart.right_t + x * m + skip, x + 1 - skip),
        )


cdef int best_arcs(
    ChartC* chart, const GoldC* gold, const int* stack, int k, int skip
) noexcept nogil:
    """The most gold arcs of a tree over the k stack words and the buffer without its first `skip` words,
    the arc from ROOT included."""
    cdef const int* head = gold.head + chart.first
    cdef int m = chart.m
    cdef int best = 0
    cdef int i, x
    if k == 0:
        for x in range(skip, m):
            best = max(best, chart.left_t[skip * m + x] + chart.right[x * m + m - 1] + (head[x] == -1))
        return best
    # The topmost word has nothing on its right.
    chart.tree[skip] = 0
    for x in range(skip, m):
        chart.tree[x + 1] = -1
    for i in range(k - 1, -1, -1):
        take_right(chart, gold, i, stack[i], skip)
        take_left(chart, gold, stack, k, i, skip)
        whole_trees(chart, gold, stack, k, i, skip)
    return chart.tree[m]


cdef inline void open_chart(
    ChartC* chart, vector[count_t]* block, const StateC* st, const GoldC* gold
) noexcept nogil:
    """The chart of the buffer, with room for one more stack word."""
    cdef int m = st.rest - (st.depth == 0 and st.rest > 0)
    carve(chart, block, st.n - m, m, st.depth + 1)
    fill_buffer(chart, gold)


cdef void arc_standard_costs(
    const OracleC* self, const SystemC* system, const StateC* st, int focus, const GoldC* gold,
    CostsC* out
) noexcept nogil:
    cdef int k = st.depth - 1
    cdef int best = 0
    cdef int move, top, below
    cdef ChartC chart
    cdef vector[count_t] block
    cdef vector[int] stack
    if k < 1:
        # Shift is all there is.
        return
    top = st.stack[k]
    below = st.stack[k - 1]
    set_gold_arc(out, gold, RIGHT_ARC, below, top)
    if k == 1:
        return
    set_gold_arc(out, gold, LEFT_ARC, top, below)
    open_chart(&chart, &block, st, gold)
    stack.assign(st.stack + 1, st.stack + st.depth)
    if out.valid[SHIFT]:
        stack.push_back(chart.first)
        out.cost[SHIFT] = best_arcs(&chart, gold, stack.data(), k + 1, 1)
    out.cost[RIGHT_ARC] = best_arcs(&chart, gold, stack.data(), k - 1, 0) + out.gold_arc[RIGHT_ARC]
    stack[k - 2] = top
    out.cost[LEFT_ARC] = best_arcs(&chart, gold, stack.data(), k - 1, 0) + out.gold_arc[LEFT_ARC]
    for move in range(system.n_moves):
        best = max(best, out.cost[move])
    for move in range(system.n_moves):
        out.cost[move] = best - out.cost[move]


cdef int arc_standard_loss(const OracleC* self, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef int loss = 0
    cdef int d
    cdef ChartC chart
    cdef vector[count_t] block
    for d in range(st.n):
        loss += gold.head[d] >= -1 and not (
            built(st, gold, d) or (gold.head[d] == -1 and st.head[d] < 0 and st.where[d] == GONE)
        )
    open_chart(&chart, &block, st, gold)
    return loss - best_arcs(&chart, gold, st.stack + 1, st.depth - 1 if st.depth > 0 else 0, 0)


cdef int arc_standard_next(const SystemC* system, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef int top, below
    cdef int move = SHIFT
    count_kids(st, gold)
    if st.depth >= 2:
        top = st.stack[st.depth - 1]
        below = st.stack[st.depth - 2]
        if is_due(gold, top, below):
            move = LEFT_ARC
        elif is_due(gold, below, top):
            move = RIGHT_ARC
    return move if system.is_valid(st, 0, move) else -1


cdef class ArcStandardOracle(Oracle):
    """Exact dynamic oracle of `arc_standard` for any gold tree (Goldberg, Sartorio & Satta 2014)."""

    def __cinit__(self, system):
        self.serve(system, "dynamic", ("arc_standard",))
        self.is_cubic = True
        self.c.max_words = MAX_WORDS_OF_CHART
        self.c.costs = arc_standard_costs
        self.c.loss = arc_standard_loss


cdef class ArcStandardStatic(StaticOracle):
    """The derivation of arc-standard (Nivre 2004)."""

    def __cinit__(self, system):
        self.serve(system, "static", ("arc_standard",))
        self.c.next_move = arc_standard_next


ARC_STANDARD = {"dynamic": ArcStandardOracle, "static": ArcStandardStatic}
