"""Dynamic oracle of arc-standard: the exact loss by dynamic programming over stack and buffer.

In arc-standard gold arcs that can be reached one by one need not be reachable together, so that the best
tree as a whole is looked for (Goldberg, Sartorio & Satta 2014, for projective gold trees). A move costs
the gold arcs by which the best tree after it falls short of the best tree before it.

Any tree over the words of the buffer can still be built: Eisner's (1996) chart of half trees gives the
most gold arcs of each. The stack words t[0], ..., t[k - 1] above ROOT are roots of subtrees and less free:
when t[i] is joined to something on its right, that is one tree over t[i + 1], ..., t[k - 1] and the first
words of the buffer. So that tree is grown to the left, one stack word at a time, and the words of the
buffer are all that it can take on its right. Let a(i, x) be the most gold arcs to the left dependents of
buffer word x, and below them, if they reach down to t[i], and r(i, j) those to the right dependents of
t[i], and below them, if they reach up to buffer word j; the arcs to stack words on the left of t[i], each
taken alone, are added up as i goes down. O(k m (k + m) + m^3) for m words in the buffer.

Departures from the paper: the gold tree may be any, or known in part, since nothing is taken from it but
the number of its arcs; ROOT takes the last word only.
"""

from libcpp.vector cimport vector

from ..state cimport GONE, N_MOVES
from ..structs cimport GoldC, StateC
from ..transitions.system cimport LEFT_ARC, RIGHT_ARC, SHIFT, SystemC
from .oracle cimport CostsC, Oracle, OracleC, built, set_gold_arc


# Numbers of arcs: short, so that the inner loops handle eight at once.
ctypedef short count_t


cdef struct ChartC:
    # The most gold arcs of half trees over the words first..first + m - 1, counted from 0 here, and room
    # for the stack. A matrix is stored the way it is read: its row is named first.
    int first
    int m
    count_t* right        # [x, c] right dependents of x, reaching up to c
    count_t* right_t      # [c, x] the same
    count_t* left         # [x, a] left dependents of x, reaching down to a
    count_t* left_t       # [a, x] the same
    count_t* to_right     # [x, y] x < y: the same as `right`, y being the last dependent, without what
    #                       y has on its right
    count_t* to_left      # [y, x] x < y: the same as `left`, x being the first dependent, without what
    #                       x has on its left
    count_t* tree         # [j] over t[i].. and the first j words, attached to t[i - 1] if that is next
    count_t* arc          # [x] work
    count_t* a            # [x] a(i, x)
    count_t* r            # [k, j] r(i, j)
    count_t* to_stack     # [k, x] as `to_left`, t[i] being the first dependent
    count_t* taken        # [k] gold dependents among the stack words on the left of t[i]


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
    chart.arc = chart.tree + (m + 1)
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


cdef int best_arcs(
    ChartC* chart, const GoldC* gold, const int* stack, int k, int skip
) noexcept nogil:
    """The most gold arcs of a tree over the k stack words and the buffer without its first `skip` words,
    the arc from ROOT included."""
    cdef const int* head = gold.head + chart.first
    cdef int m = chart.m
    cdef int stride = m + 1
    cdef int best = 0
    cdef int i, below, x, w, j
    cdef count_t* r
    cdef count_t* to_stack
    if k == 0:
        for x in range(skip, m):
            best = max(best, chart.left_t[skip * m + x] + chart.right[x * m + m - 1] + (head[x] == -1))
        return best
    for j in range(skip, m + 1):
        chart.tree[j] = -1
    chart.tree[skip] = 0
    for i in range(k - 1, -1, -1):
        # What t[i] takes on its right: `tree`, then words of the buffer.
        w = stack[i]
        r = chart.r + i * stride
        to_stack = chart.to_stack + i * stride
        r[skip] = chart.tree[skip]
        for x in range(skip, m):
            to_stack[x] = most(r + skip, chart.left + x * m + skip, x + 1 - skip)
            chart.arc[x] = to_stack[x] + (head[x] == w)
            to_stack[x] += gold.head[w] == chart.first + x
            r[x + 1] = larger(
                chart.tree[x + 1],
                most(chart.arc + skip, chart.right_t + x * m + skip, x + 1 - skip),
            )
        # What it takes on its left, alone, and what those above it do.
        chart.taken[i] = 0
        for below in range(i + 1, k):
            chart.taken[below] += gold.head[w] == stack[below]
        # What a buffer word takes on its left: t[i] alone, or a tree that reaches down to t[i].
        for x in range(skip, m):
            chart.arc[x] = chart.a[x] + (gold.head[w] == chart.first + x) if i < k - 1 else -1
        for below in range(i, k):
            raise_to(
                chart.arc + skip, chart.to_stack + below * stride + skip, chart.taken[below], m - skip
            )
        for x in range(skip, m):
            chart.a[x] = larger(
                chart.arc[x], most(chart.a + skip, chart.to_left + x * m + skip, x - skip)
            )
        # The trees so far, and the arc to them from the next stack word, or from ROOT.
        w = stack[i - 1] if i > 0 else -1
        for j in range(skip, m + 1):
            chart.tree[j] = -1
        for below in range(i, k):
            raise_to(
                chart.tree + skip, chart.r + below * stride + skip,
                chart.taken[below] + (gold.head[stack[below]] == w), stride - skip,
            )
        for x in range(skip, m):
            chart.arc[x] = chart.a[x] + (head[x] == w)
        for x in range(skip, m):
            chart.tree[x + 1] = larger(
                chart.tree[x + 1],
                most(chart.arc + skip, chart.right_t + x * m + skip, x + 1 - skip),
            )
    return chart.tree[m]


cdef inline void open_chart(
    ChartC* chart, vector[count_t]* block, const StateC* st, const GoldC* gold
) noexcept nogil:
    """The chart of the buffer, with room for one more stack word."""
    cdef int m = st.rest - (st.depth == 0 and st.rest > 0)
    carve(chart, block, st.n - m, m, st.depth + 1)
    fill_buffer(chart, gold)


cdef void arc_standard_costs(
    const OracleC* self, const SystemC* system, const StateC* st, const GoldC* gold, CostsC* out
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
    for move in range(N_MOVES):
        best = max(best, out.cost[move])
    for move in range(N_MOVES):
        out.cost[move] = best - out.cost[move]


cdef int arc_standard_loss(const OracleC* self, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef int loss = 0
    cdef int d
    cdef ChartC chart
    cdef vector[count_t] block
    for d in range(st.n):
        loss += gold.head[d] >= -1 and not (
            built(st, gold, d) or (gold.head[d] == -1 and st.head[d] < 0 and st.place[d] == GONE)
        )
    open_chart(&chart, &block, st, gold)
    return loss - best_arcs(&chart, gold, st.stack + 1, st.depth - 1 if st.depth > 0 else 0, 0)


cdef class ArcStandardOracle(Oracle):
    """Exact dynamic oracle of `arc_standard` for any gold tree (Goldberg, Sartorio & Satta 2014)."""

    def __cinit__(self, system):
        self.name = "dynamic"
        self.system = system
        self.c.costs = arc_standard_costs
        self.c.loss = arc_standard_loss
