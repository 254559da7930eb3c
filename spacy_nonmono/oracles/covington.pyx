"""Dynamic oracles of Covington's systems: exact for the monotonic one, bounds for the other.

With A the arcs built, a gold arc x -> y that is not in A belongs to U if it cannot be built any more
and to I otherwise. The pair (x, y) has been looked at iff j > max(x, y), or j = max(x, y) and
i < min(x, y).

Monotonic (Gomez-Rodriguez & Fernandez-Gonzalez 2015): U also holds the arcs whose y has another head
and those whose words are connected in A; loss = |U| + number of cycles in A + I, exactly. Departure: a
root arc is out of reach iff its word has a head; the paper's algorithm printed otherwise is wrong.

Non-monotonic (Fernandez-Gonzalez & Gomez-Rodriguez 2017): U holds the arcs whose pair has been looked
at. lower = |U| <= loss <= pc_upper = |U| + problematic cycles <= upper = |U| + cycles, with the cycles
of A + I enumerated as by Johnson (1975). A cycle is problematic iff the arc that breaking it would
remove is gold: z -> x, where x -> y is the arc of the cycle still to be built that comes last in
Covington's order. The bounds hold only with words whose gold head is ROOT left out. The number of
cycles can be exponential: at `CYCLE_CAP` the lower bound is used.

Departure: among moves of equal cost those are preferred after which the monotonic loss is least. Else
heading the root would be free, which the bounds leave out, and so would be every wrong arc to a word
whose gold arc is still to come and will replace it. Repairs are for repairing. With the tie-break
"none" the bounds do no more than as published: all moves of least cost are optimal.

The static derivation builds an arc if the focus pair is linked; it shifts as soon as no word on the
left is still to be linked with j, and makes No-Arc otherwise.
"""

from libc.string cimport memcpy

from ..state cimport leads_to
from ..structs cimport UNKNOWN_HEAD, GoldC, StateC, SystemC
from ..transitions.covington cimport LEFT_ARC, NO_ARC, RIGHT_ARC, SHIFT
from ..transitions.moves cimport MAX_MOVES
from .cycles cimport LOWER, PC_UPPER, UPPER, ViewC, count_cycles, looked_at, built_in
from .oracle cimport CostsC, Oracle, OracleC, StaticOracle, built, set_gold_arc

from functools import partial

from ..errors import Errors

CYCLE_CAP = 1000

cdef enum:
    # Johnson's search calls itself once per word of a path: about 1 MB of the stack here.
    MAX_WORDS_OF_SEARCH = 10000


cdef ViewC copy_view(const StateC* st, int* memory) noexcept nogil:
    cdef ViewC view
    view.n = st.n
    view.i = st.i
    view.j = st.j
    view.head = memory
    view.label = memory + st.n
    memcpy(view.head, st.head, st.n * sizeof(int))
    memcpy(view.label, st.label, st.n * sizeof(int))
    return view


# --- covington -----------------------------------------------------------------------------------

cdef void find_trees(const ViewC* view, int* tree) noexcept nogil:
    """tree[w] = root of the tree of A that holds w; A has no cycles."""
    cdef int w, root, step
    for w in range(view.n):
        tree[w] = -1
    for w in range(view.n):
        root = w
        while tree[root] < 0 and view.head[root] >= 0:
            root = view.head[root]
        if tree[root] >= 0:
            root = tree[root]
        step = w
        while tree[step] < 0:
            tree[step] = root
            if view.head[step] < 0:
                break
            step = view.head[step]


cdef int count_functional_cycles(const int* parent, int n, int* seen) noexcept nogil:
    """Cycles of a graph in which every node has one parent at most (-1: none)."""
    cdef int cycles = 0
    cdef int w, step
    for w in range(n):
        seen[w] = 0
    for w in range(n):
        step = w
        while step >= 0 and seen[step] == 0:
            seen[step] = w + 1
            step = parent[step]
        if step >= 0 and seen[step] == w + 1:
            cycles += 1
    return cycles


cdef int monotonic_loss(const ViewC* view, const GoldC* gold, int* memory) noexcept nogil:
    """|U| + cycles of A + I. Uses 3n ints of the memory."""
    cdef int* tree = memory
    cdef int* parent = memory + view.n
    cdef int lost = 0
    cdef int d, h
    find_trees(view, tree)
    for d in range(view.n):
        h = gold.head[d]
        parent[d] = view.head[d]
        if view.head[d] >= 0:
            lost += h != UNKNOWN_HEAD and not built_in(view, gold, d)
        elif h >= 0:
            if looked_at(view, h, d) or tree[h] == tree[d]:
                lost += 1
            else:
                parent[d] = h
    return lost + count_functional_cycles(parent, view.n, memory + 2 * view.n)


cdef int covington_loss(const OracleC* self, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef ViewC view = copy_view(st, gold.scratch)
    return monotonic_loss(&view, gold, gold.scratch + 2 * st.n)


cdef void covington_costs(
    const OracleC* self, const SystemC* system, const StateC* st, int focus, const GoldC* gold,
    CostsC* out
) noexcept nogil:
    """Loss after every move less loss before it."""
    cdef ViewC view = copy_view(st, gold.scratch)
    cdef int* memory = gold.scratch + 2 * st.n
    cdef int i = st.i
    cdef int j = st.j
    if j >= st.n:
        return
    cdef int before = monotonic_loss(&view, gold, memory)
    if out.valid[SHIFT]:
        view.i = j
        view.j = j + 1
        out.cost[SHIFT] = monotonic_loss(&view, gold, memory) - before
        view.j = j
    view.i = i - 1
    if out.valid[NO_ARC]:
        out.cost[NO_ARC] = monotonic_loss(&view, gold, memory) - before
    if out.valid[LEFT_ARC]:
        view.head[i] = j
        view.label[i] = gold.label[i]
        out.cost[LEFT_ARC] = monotonic_loss(&view, gold, memory) - before
        view.head[i] = -1
        set_gold_arc(out, gold, LEFT_ARC, j, i)
    if out.valid[RIGHT_ARC]:
        view.head[j] = i
        view.label[j] = gold.label[j]
        out.cost[RIGHT_ARC] = monotonic_loss(&view, gold, memory) - before
        set_gold_arc(out, gold, RIGHT_ARC, i, j)


# --- covington_nonmonotonic: bounds ---------------------------------------------------------------

cdef int lower_bound(const ViewC* view, const GoldC* gold) noexcept nogil:
    """|U|, words whose gold head is ROOT left out."""
    cdef int lost = 0
    cdef int d
    for d in range(view.n):
        if gold.head[d] >= 0 and looked_at(view, gold.head[d], d):
            lost += not built_in(view, gold, d)
    return lost


cdef int count(const OracleC* self, const ViewC* view, const GoldC* gold, int* memory) noexcept nogil:
    cdef int cycles = count_cycles(view, gold, self.bound, self.cycle_cap, memory)
    self.counts.searches += 1
    self.counts.cap_hits += cycles < 0
    return cycles


cdef int nonmonotonic_loss(const OracleC* self, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef ViewC view = copy_view(st, gold.scratch)
    cdef int cycles = 0
    if self.bound != LOWER:
        cycles = count(self, &view, gold, gold.scratch + 2 * st.n)
    return lower_bound(&view, gold) + (cycles if cycles > 0 else 0)


cdef void lower_costs(const StateC* st, const GoldC* gold, CostsC* out) noexcept nogil:
    """The change of |U|."""
    cdef int i = st.i
    cdef int j = st.j
    cdef int k, pair
    # SHIFT loses the gold arcs between j and every word up to i.
    out.cost[SHIFT] = 0 <= gold.head[j] <= i
    for k in range(gold.kids_start[j], gold.kids_start[j + 1]):
        out.cost[SHIFT] += gold.kids[k] <= i
    if i < 0:
        return
    # NO-ARC loses a gold arc between i and j.
    pair = (gold.head[i] == j) + (gold.head[j] == i)
    out.cost[NO_ARC] = pair
    # The arcs lose the other one of that pair, the gold arc that they replace, and the gold arc that
    # breaking a cycle takes from the new head.
    out.cost[LEFT_ARC] = (gold.head[j] == i) + built(st, gold, i)
    if leads_to(st, i, j):
        out.cost[LEFT_ARC] += built(st, gold, j)
    out.cost[RIGHT_ARC] = (gold.head[i] == j) + built(st, gold, j)
    if leads_to(st, j, i):
        out.cost[RIGHT_ARC] += built(st, gold, i)
    set_gold_arc(out, gold, LEFT_ARC, j, i)
    set_gold_arc(out, gold, RIGHT_ARC, i, j)


cdef void enter(ViewC* view, const StateC* st, const GoldC* gold, int move) noexcept nogil:
    cdef int d = st.i if move == LEFT_ARC else st.j
    cdef int h = st.j if move == LEFT_ARC else st.i
    if move == SHIFT:
        view.i = st.j
        view.j = st.j + 1
        return
    view.i = st.i - 1
    if move == LEFT_ARC or move == RIGHT_ARC:
        if leads_to(st, d, h):
            view.head[h] = -1
        view.head[d] = h
        view.label[d] = gold.label[d]


cdef void leave(ViewC* view, const StateC* st) noexcept nogil:
    view.i = st.i
    view.j = st.j
    view.head[st.j] = st.head[st.j]
    view.label[st.j] = st.label[st.j]
    if st.i >= 0:
        view.head[st.i] = st.head[st.i]
        view.label[st.i] = st.label[st.i]


cdef void rank_moves(
    const SystemC* system, ViewC* view, const StateC* st, const GoldC* gold, int* memory, CostsC* out
) noexcept nogil:
    cdef int move
    for move in range(system.n_moves):
        if out.valid[move]:
            enter(view, st, gold, move)
            out.tie_cost[move] = monotonic_loss(view, gold, memory)
            leave(view, st)


cdef void published_costs(
    const OracleC* self, const SystemC* system, const StateC* st, int focus, const GoldC* gold,
    CostsC* out
) noexcept nogil:
    cdef ViewC view
    cdef int* memory = gold.scratch + 2 * st.n
    cdef int[MAX_MOVES] after
    cdef int before, move
    if st.j >= st.n:
        return
    lower_costs(st, gold, out)
    if self.bound == LOWER:
        return
    view = copy_view(st, gold.scratch)
    before = count(self, &view, gold, memory)
    if before < 0:
        return
    for move in range(system.n_moves):
        after[move] = 0
        if out.valid[move]:
            enter(&view, st, gold, move)
            after[move] = count(self, &view, gold, memory)
            leave(&view, st)
            if after[move] < 0:
                return
    for move in range(system.n_moves):
        if out.valid[move]:
            out.cost[move] += after[move] - before


cdef void ranked_costs(
    const OracleC* self, const SystemC* system, const StateC* st, int focus, const GoldC* gold,
    CostsC* out
) noexcept nogil:
    """The published costs, ties broken."""
    cdef ViewC view
    if st.j < st.n:
        view = copy_view(st, gold.scratch)
        rank_moves(system, &view, st, gold, gold.scratch + 2 * st.n, out)
    published_costs(self, system, st, focus, gold, out)


# --- the static derivation --------------------------------------------------------------------------

cdef inline int first_kid(const GoldC* gold, int h) noexcept nogil:
    """The leftmost gold dependent of h, or h."""
    return gold.kids[gold.kids_start[h]] if gold.kids_start[h] < gold.kids_start[h + 1] else h


cdef int covington_next(const SystemC* system, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef int i = st.i
    cdef int j = st.j
    cdef int move = SHIFT
    if j < st.n and i >= 0:
        if gold.head[i] == j:
            move = LEFT_ARC
        elif gold.head[j] == i:
            move = RIGHT_ARC
        elif 0 <= gold.head[j] < i or first_kid(gold, j) < i:
            move = NO_ARC
    return move if system.is_valid(st, 0, move) else -1


cdef class CovingtonOracle(Oracle):
    """Exact dynamic oracle of `covington` (Gomez-Rodriguez & Fernandez-Gonzalez 2015)."""

    def __cinit__(self, system):
        self.serve(system, "dynamic", ("covington",))
        self.c.costs = covington_costs
        self.c.loss = covington_loss


cdef class CovingtonBound(Oracle):
    """A bound on the loss of `covington_nonmonotonic`: "lower", "pc_upper" or "upper".

    tie_break: "default", by the monotonic loss, or "none", as published.
    """

    def __cinit__(self, system, str name not None):
        bounds = {"lower": LOWER, "pc_upper": PC_UPPER, "upper": UPPER}
        self.serve(system, name, ("covington_nonmonotonic",))
        if name not in bounds:
            known = ", ".join(bounds)
            raise ValueError(Errors.NM002.format(name=name, system=system.name, known=known))
        self.c.costs = ranked_costs
        self.c.loss = nonmonotonic_loss
        self.c.bound = bounds[name]
        self.c.cycle_cap = CYCLE_CAP
        if name != "lower":
            self.c.max_words = MAX_WORDS_OF_SEARCH

    @property
    def tie_break(self):
        return "none" if self.c.costs == published_costs else "default"

    @tie_break.setter
    def tie_break(self, value):
        """Raises ValueError (NM188) for any other value."""
        if value not in ("default", "none"):
            raise ValueError(Errors.NM188.format(found=value))
        self.c.costs = published_costs if value == "none" else ranked_costs

    def __reduce__(self):
        return (type(self), (self.system, self.name), self.tie_break)

    def __setstate__(self, tie_break):
        self.tie_break = tie_break


cdef class CovingtonStatic(StaticOracle):
    """The derivation of Covington's systems."""

    def __cinit__(self, system):
        self.serve(system, "static", ("covington", "covington_nonmonotonic"))
        self.c.next_move = covington_next


COVINGTON = {"dynamic": CovingtonOracle, "static": CovingtonStatic}
COVINGTON_NONMONOTONIC = {
    "lower": partial(CovingtonBound, name="lower"),
    "pc_upper": partial(CovingtonBound, name="pc_upper"),
    "upper": partial(CovingtonBound, name="upper"),
    "static": CovingtonStatic,
}
