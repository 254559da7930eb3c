"""Dynamic oracle of the two-planar system: what the moves cost, as far as it can be said in short time.

No arc keeps another one from being built, since nothing is popped with it. What does is where words are:
a gold arc to a word without a head is open if the later one of its two words is in the buffer, the other
one in the buffer or on a stack, and if no path of arcs leads from its dependent to its head. It can be
built in each plane whose stack holds its first word. The loss is the number of words whose arc is
neither built nor open, and of open arcs that must be given up:

- Open arcs that cross each other must be in different planes. Those that hang together in this way have
  two colourings; we take the one that gives up fewer.
- One of the arcs of every cycle of built and open arcs.
- One arc if nothing can be done in the plane of the last Switch that costs nothing, but the other plane
  has an arc for the buffer front: a Switch back may not follow at once.

Departures from an exact loss: in a component of many crossing arcs it may be better to give up an arc in
its middle; the three numbers are added as if they had nothing to do with each other; and where gold arcs
do not fit in two planes, some of them are given up beforehand, which ones is not searched for. With up to
three words the loss is exact. Of all pairs of a configuration of four words and a tree with one root,
1,671,744, it is one too high in 64.
"""

from spacy_nonmono.oracles.oracle cimport CostsC, Oracle, OracleC, built, set_gold_arc
from spacy_nonmono.oracles.tally cimport count_kids
from spacy_nonmono.structs cimport GoldC, StateC, SystemC

from .gold_arcs cimport crosses
from .two_planar cimport (
    LEFT_ARC, OTHER, OTHER_DEPTH, PLANE, REDUCE, RIGHT_ARC, SHIFT, SWITCH, SWITCHED, front, top,
)

from .two_planar_static import TwoPlanarStatic


cdef enum:
    UNPAINTED = -1
    GIVEN_UP = -2         # by `paint`
    NOT_OPEN = -1
    BOTH = 3              # planes are bits


cdef struct ViewC:
    # What the loss looks at: a configuration, or what a move would make of it. The arrays [n] lie in
    # the scratch of the gold tree; the first three are filled once for a tree.
    const StateC* st
    const GoldC* gold
    int* colour           # of each gold arc, 0 or 1, or GIVEN_UP
    int* crossing         # the arcs that cross others
    int* n_crossing
    int* head
    int* planes           # of a word: those whose stack holds it, as bits; in the buffer BOTH
    int* plane            # of a gold arc: where it is to be built, or NOT_OPEN
    int* mark
    int* queue
    int front             # the words from here on are in the buffer
    int top               # of the active stack; -1: none
    int active
    bint switched


cdef inline ViewC make_view(const StateC* st, const GoldC* gold) noexcept nogil:
    cdef ViewC view
    cdef int n = gold.n
    view.st = st
    view.gold = gold
    view.colour = gold.scratch
    view.crossing = gold.scratch + n
    view.head = gold.scratch + 2 * n
    view.planes = gold.scratch + 3 * n
    view.plane = gold.scratch + 4 * n
    view.mark = gold.scratch + 5 * n
    view.queue = gold.scratch + 6 * n
    view.n_crossing = gold.scratch + 7 * n
    if gold.tally.state == NULL:
        # Nobody has looked at this tree yet.
        paint(&view)
        count_kids(st, gold)
    read_state(&view)
    return view


cdef void paint(ViewC* view) noexcept nogil:
    """Give a colour to each gold arc, another one than those have that it crosses."""
    cdef const GoldC* gold = view.gold
    cdef int* colour = view.colour
    cdef int first, d, e, k, n_queued
    cdef bint has_crossed
    view.n_crossing[0] = 0
    for d in range(gold.n):
        colour[d] = UNPAINTED
    for first in range(gold.n):
        if gold.head[first] < 0 or colour[first] != UNPAINTED:
            continue
        colour[first] = 0
        view.queue[0] = first
        n_queued = 1
        k = 0
        while k < n_queued:
            d = view.queue[k]
            k += 1
            has_crossed = False
            for e in range(gold.n):
                if gold.head[e] < 0 or not crosses(gold, d, e):
                    continue
                has_crossed = True
                if colour[d] != GIVEN_UP and colour[e] == colour[d]:
                    colour[e] = GIVEN_UP
                elif colour[d] != GIVEN_UP and colour[e] == UNPAINTED:
                    colour[e] = 1 - colour[d]
                    view.queue[n_queued] = e
                    n_queued += 1
            if has_crossed and colour[d] != GIVEN_UP:
                view.crossing[view.n_crossing[0]] = d
                view.n_crossing[0] += 1


cdef void read_state(ViewC* view) noexcept nogil:
    cdef const StateC* st = view.st
    cdef int k
    view.front = front(st) if st.rest > 0 else st.n
    view.top = top(st) if st.depth > 0 else -1
    view.active = st.own[PLANE]
    view.switched = st.own[SWITCHED]
    for k in range(st.n):
        view.head[k] = st.head[k]
        view.planes[k] = BOTH if k >= view.front else 0
    for k in range(st.depth):
        view.planes[st.stack[k]] |= 1 << view.active
    for k in range(st.own[OTHER_DEPTH]):
        view.planes[st.own[OTHER + k]] |= 1 << (1 - view.active)


cdef bint closes_cycle(const ViewC* view, int h, int d) noexcept nogil:
    while h >= 0 and h != d:
        h = view.head[h]
    return h == d


cdef int open_planes(const ViewC* view, int d) noexcept nogil:
    """The planes in which the gold arc to a word can be built; it has no head yet."""
    cdef int h = view.gold.head[d]
    if max(h, d) < view.front or view.colour[d] == GIVEN_UP or closes_cycle(view, h, d):
        return 0
    return view.planes[min(h, d)]


cdef inline bint ends_at_front(const ViewC* view, int d) noexcept nogil:
    return max(view.gold.head[d], d) == view.front


cdef int choose_planes(ViewC* view) noexcept nogil:
    """Give a plane to every open arc. The number of words with a wrong head, if no cycles are."""
    cdef const GoldC* gold = view.gold
    cdef int lost = 0
    cdef int d, k, planes
    for d in range(gold.n):
        view.plane[d] = NOT_OPEN
        if view.head[d] >= 0:
            # A head that the configuration does not have is that of an arc with its best label
            lost += gold.head[d] >= -1 and view.head[d] != gold.head[d] or (
                gold.head[d] >= 0 and view.st.head[d] >= 0 and not built(view.st, gold, d)
            )
        elif gold.head[d] >= 0:
            planes = open_planes(view, d)
            if planes == 0:
                lost += 1
            else:
                view.plane[d] = view.active if planes >> view.active & 1 else 1 - view.active
    for k in range(view.n_crossing[0]):
        view.mark[view.crossing[k]] = 0
    for k in range(view.n_crossing[0]):
        d = view.crossing[k]
        if view.plane[d] != NOT_OPEN and not view.mark[d]:
            lost += choose_colouring(view, d)
    return lost


cdef int choose_colouring(ViewC* view, int d) noexcept nogil:
    """Give planes to the open arcs that hang together with the one to d. How many are given up."""
    cdef int[2] lost
    cdef int[2] elsewhere  # arcs for the buffer front, not in the active plane
    cdef int n_queued = 1
    cdef int k = 0
    cdef int i, e, flip
    view.queue[0] = d
    view.mark[d] = True
    for flip in range(2):
        lost[flip] = 0
        elsewhere[flip] = 0
    while k < n_queued:
        d = view.queue[k]
        k += 1
        for flip in range(2):
            if not open_planes(view, d) >> (view.colour[d] ^ flip) & 1:
                lost[flip] += 1
            elif ends_at_front(view, d) and view.colour[d] ^ flip != view.active:
                elsewhere[flip] += 1
        for i in range(view.n_crossing[0]):
            e = view.crossing[i]
            if view.plane[e] != NOT_OPEN and not view.mark[e] and crosses(view.gold, d, e):
                view.mark[e] = True
                view.queue[n_queued] = e
                n_queued += 1
    flip = lost[1] < lost[0] or (lost[1] == lost[0] and elsewhere[1] < elsewhere[0])
    for k in range(n_queued):
        d = view.queue[k]
        if open_planes(view, d) >> (view.colour[d] ^ flip) & 1:
            view.plane[d] = view.colour[d] ^ flip
        else:
            view.plane[d] = NOT_OPEN
    return lost[flip]


cdef int count_cycles(ViewC* view) noexcept nogil:
    """The cycles of built and open arcs."""
    cdef int n_cycles = 0
    cdef int w, d
    for w in range(view.gold.n):
        view.mark[w] = -1
    for w in range(view.gold.n):
        d = w
        while d >= 0 and view.mark[d] < 0:
            view.mark[d] = w
            if view.head[d] >= 0:
                d = view.head[d]
            else:
                d = view.gold.head[d] if view.plane[d] != NOT_OPEN else -1
        n_cycles += d >= 0 and view.mark[d] == w
    return n_cycles


cdef bint can_waste(ViewC* view, int h, int d, int n_cycles) noexcept nogil:
    """An arc from h to d costs nothing, because d cannot get its gold head any more."""
    if view.head[d] >= 0 or view.gold.head[d] == -1 or view.plane[d] != NOT_OPEN or (
        closes_cycle(view, h, d)
    ):
        return False
    view.head[d] = h
    cdef bint is_free = count_cycles(view) == n_cycles
    view.head[d] = -1
    return is_free


cdef bint is_stuck(ViewC* view, int n_cycles) noexcept nogil:
    """The last move was Switch, the other plane has an arc for the buffer front, and there is nothing to
    be done in this one."""
    cdef bint is_needed = False
    cdef bint is_free = True
    cdef int d, left
    if not view.switched:
        return False
    for d in range(view.gold.n):
        if view.plane[d] == NOT_OPEN:
            continue
        left = min(d, view.gold.head[d])
        if ends_at_front(view, d):
            if view.plane[d] == view.active:
                return False
            is_needed = True
        elif left == view.top and view.plane[d] == view.active and not (
            # An arc that crosses none can go into the other plane
            view.planes[left] == BOTH and not is_crossing(view, d)
        ):
            is_free = False
    return is_needed and not (
        is_free
        or can_waste(view, view.front, view.top, n_cycles)
        or can_waste(view, view.top, view.front, n_cycles)
    )


cdef bint is_crossing(const ViewC* view, int d) noexcept nogil:
    cdef int k
    for k in range(view.n_crossing[0]):
        if view.crossing[k] == d:
            return True
    return False


cdef int find_loss(ViewC* view) noexcept nogil:
    cdef int n_lost = choose_planes(view)
    cdef int n_cycles = count_cycles(view)
    return n_lost + n_cycles + is_stuck(view, n_cycles)


cdef int loss_after(ViewC* view, int move) noexcept nogil:
    """The view is put back as it was."""
    cdef bint switched = view.switched
    cdef int b = view.front
    cdef int s = view.top
    cdef int loss
    view.switched = move == SWITCH
    if move == SHIFT:
        view.front += 1
        loss = find_loss(view)
        view.front -= 1
    elif move == REDUCE:
        view.planes[s] ^= 1 << view.active
        loss = find_loss(view)
        view.planes[s] |= 1 << view.active
    elif move == SWITCH:
        view.active = 1 - view.active
        view.top = view.st.own[OTHER + view.st.own[OTHER_DEPTH] - 1]
        loss = find_loss(view)
        view.active = 1 - view.active
        view.top = s
    elif move == LEFT_ARC:
        view.head[s] = b
        loss = find_loss(view)
        view.head[s] = -1
    else:
        view.head[b] = s
        loss = find_loss(view)
        view.head[b] = -1
    view.switched = switched
    return loss


cdef void two_planar_costs(
    const OracleC* self, const SystemC* system, const StateC* st, int focus, const GoldC* gold,
    CostsC* out
) noexcept nogil:
    cdef ViewC view = make_view(st, gold)
    cdef int before = find_loss(&view)
    cdef bint is_due_here = False
    cdef bint is_due_there = False
    cdef int d, move
    # What takes a Switch more than needed is not preferred: to leave a plane before its arcs are built,
    # and to pop a word whose arcs the other plane must build then.
    for d in range(gold.n):
        if view.plane[d] == NOT_OPEN:
            continue
        if view.plane[d] == view.active and (d == view.top or gold.head[d] == view.top):
            out.tie_cost[REDUCE] = 1
        if ends_at_front(&view, d):
            if view.plane[d] == view.active:
                is_due_here = True
            else:
                is_due_there = True
    out.tie_cost[SWITCH] = is_due_here or not is_due_there
    for move in range(system.n_moves):
        if out.valid[move]:
            out.cost[move] = loss_after(&view, move) - before
    if out.valid[LEFT_ARC]:
        set_gold_arc(out, gold, LEFT_ARC, front(st), top(st))
    if out.valid[RIGHT_ARC]:
        set_gold_arc(out, gold, RIGHT_ARC, top(st), front(st))


cdef int two_planar_loss(const OracleC* self, const StateC* st, const GoldC* gold) noexcept nogil:
    cdef ViewC view = make_view(st, gold)
    return find_loss(&view)


cdef class TwoPlanarDynamic(Oracle):
    """The costs of the moves; not exact, see above."""

    def __cinit__(self, system):
        self.serve(system, "dynamic", ("two_planar",))
        self.c.costs = two_planar_costs
        self.c.loss = two_planar_loss


TWO_PLANAR = {"dynamic": TwoPlanarDynamic, "static": TwoPlanarStatic}
