"""The tree that the members of a committee vote for: of all trees with one root that are made of their
arcs, the one whose arcs have the most votes.

Sagae & Lavie (2006) let parsers vote in this way. The tree is a maximum spanning arborescence, found
as Tarjan (1977) does, in time O(E log E) for E arcs: each word takes its best arc, and a cycle becomes
one node, whose arcs are worth what they are better than the arc of the cycle that they would replace.
Arcs wait in leftist heaps. Gabow et al. (1986) say how to expand the cycles again in linear time.
An arc from the root costs so much that there is only one.

A tree that is made of parts of others has more crossing arcs than these. Where members disagree, an arc
that crosses others gives way to one that crosses none, if that is not much less likely.
"""

from cymem.cymem cimport Pool

import numpy

from ..state cimport MAX_WORDS, leads_to, state_bytes, state_init
from ..structs cimport StateC
from ..transitions.system cimport TransitionSystem
from .crossing cimport NO_EXCHANGE, build_tree, crosses, exchange_arcs, has_crossing_arcs

from ..shapes import check_at_least, check_heads, check_lengths, check_shape, check_values, unfit

# More than all votes of a sentence together can be worth
cdef enum:
    ONE_ROOT = 100_000_000
    NONE = -1
    NO_ARC = -2


cdef struct ArcC:
    int head                # NONE: the root
    int dep
    double votes
    # Where the arc is in the heap of arcs into one node, best first
    double owed             # to be added to the votes of all arcs below
    int left                # NONE: there is no such arc
    int right
    int rank                # of a leftist heap: the length of the path to the right


cdef struct VoteC:
    # A sentence that is voted on. Nodes are its words, and behind them the cycles that became one.
    int n
    ArcC* arcs
    int* heap               # (nodes,): the best arc into each node that is not within another one
    int* whole              # (nodes,): the node that a node is part of, itself if of none; shortcuts
    int* parent             # (nodes,): the cycle that the node is part of, NONE
    int* taken              # (nodes,): the arc into it
    int* path               # (nodes,): nodes whose arcs lead from one to the next
    bint* is_on_path        # (nodes,)
    bint* is_done           # (nodes,): the root leads to the node, or its arc is known


cdef void add_below(ArcC* arcs, int top, double votes) noexcept nogil:
    if top != NONE:
        arcs[top].votes += votes
        arcs[top].owed += votes


cdef int merge(ArcC* arcs, int a, int b) noexcept nogil:
    """The heap of the arcs of two heaps. Of equal arcs the first one is better."""
    cdef int left, right
    if a == NONE or b == NONE:
        return b if a == NONE else a
    if arcs[b].votes > arcs[a].votes or (arcs[b].votes == arcs[a].votes and b < a):
        a, b = b, a
    add_below(arcs, arcs[a].left, arcs[a].owed)
    add_below(arcs, arcs[a].right, arcs[a].owed)
    arcs[a].owed = 0
    arcs[a].right = merge(arcs, arcs[a].right, b)
    left, right = arcs[a].left, arcs[a].right
    if left == NONE or arcs[left].rank < arcs[right].rank:
        arcs[a].left, arcs[a].right = right, left
        right = left
    arcs[a].rank = 0 if right == NONE else arcs[right].rank + 1
    return a


cdef int pop(ArcC* arcs, int top) noexcept nogil:
    add_below(arcs, arcs[top].left, arcs[top].owed)
    add_below(arcs, arcs[top].right, arcs[top].owed)
    return merge(arcs, arcs[top].left, arcs[top].right)


cdef int whole_of(VoteC* vote, int node) noexcept nogil:
    while vote.whole[node] != node:
        vote.whole[node] = vote.whole[vote.whole[node]]
        node = vote.whole[node]
    return node


cdef int take_arc(VoteC* vote, int node) noexcept nogil:
    """Give a node its best arc from outside; return the node that it comes from, NONE for the root, or
    NO_ARC."""
    cdef ArcC* arcs = vote.arcs
    cdef int best = vote.heap[node]
    while best != NONE and arcs[best].head != NONE and whole_of(vote, arcs[best].head) == node:
        best = vote.heap[node] = pop(arcs, best)
    vote.taken[node] = best
    if best == NONE:
        return NO_ARC
    return NONE if arcs[best].head == NONE else whole_of(vote, arcs[best].head)


cdef int contract(VoteC* vote, int first, int n_path, int cycle) noexcept nogil:
    """Make a node of the end of the path, from a node on; return the length of the path before it."""
    cdef int node, taken
    vote.heap[cycle] = NONE
    vote.whole[cycle] = cycle
    vote.parent[cycle] = NONE
    vote.is_on_path[cycle] = vote.is_done[cycle] = False
    while True:
        n_path -= 1
        node = vote.path[n_path]
        taken = vote.taken[node]
        vote.is_on_path[node] = False
        vote.whole[node] = vote.parent[node] = cycle
        add_below(vote.arcs, vote.heap[node], -vote.arcs[taken].votes)
        vote.heap[cycle] = merge(vote.arcs, vote.heap[cycle], vote.heap[node])
        if node == first:
            return n_path


cdef int take_arcs(VoteC* vote) noexcept nogil:
    """Give each word and each cycle an arc; return the number of nodes, NO_ARC if there is no tree."""
    cdef int n_nodes = vote.n
    cdef int word, node, before
    cdef int n_path
    for word in range(vote.n):
        node = whole_of(vote, word)
        n_path = 0
        while not vote.is_done[node]:
            vote.is_on_path[node] = True
            vote.path[n_path] = node
            n_path += 1
            before = take_arc(vote, node)
            if before == NO_ARC:
                return NO_ARC
            if before == NONE:
                break
            if vote.is_on_path[before]:
                n_path = contract(vote, before, n_path, n_nodes)
                before = n_nodes
                n_nodes += 1
            node = before
        while n_path:
            n_path -= 1
            vote.is_on_path[vote.path[n_path]] = False
            vote.is_done[vote.path[n_path]] = True
    return n_nodes


cdef void expand(VoteC* vote, int n_nodes) noexcept nogil:
    """The arc into a cycle takes the place of an arc in it, from the outermost cycle on."""
    cdef int cycle, node
    for node in range(n_nodes):
        vote.is_done[node] = False
    for cycle in range(n_nodes - 1, vote.n - 1, -1):
        if not vote.is_done[cycle]:
            node = vote.arcs[vote.taken[cycle]].dep
            while node != cycle:
                vote.taken[node] = vote.taken[cycle]
                vote.is_done[node] = True
                node = vote.parent[node]


cdef void read_arcs(
    VoteC* vote, const int* heads, const double* votes, int n_members, int stride
) noexcept nogil:
    """The arcs of all members into each word; votes for the same one are added up. What is a member's is
    `stride` behind what is that of the member before."""
    cdef int n_arcs = 0
    cdef int d, m, first, e
    cdef ArcC* arc
    for d in range(vote.n):
        vote.heap[d] = vote.parent[d] = NONE
        vote.whole[d] = d
        vote.is_on_path[d] = vote.is_done[d] = False
        first = n_arcs
        for m in range(n_members):
            e = first
            while e < n_arcs and vote.arcs[e].head != heads[m * stride + d]:
                e += 1
            arc = &vote.arcs[e]
            if e == n_arcs:
                n_arcs += 1
                arc.head = heads[m * stride + d]
                arc.dep = d
                arc.votes = -ONE_ROOT if arc.head == NONE else 0
                arc.owed = arc.rank = 0
                arc.left = arc.right = NONE
            arc.votes += votes[m * stride + d]
        for e in range(first, n_arcs):
            vote.heap[d] = merge(vote.arcs, vote.heap[d], e)


cdef struct ArcsC:
    # The arcs of the members of a committee in a sentence; see `vote_heads`.
    const int* heads
    const double* log_probs
    int n_members
    int stride              # from what is a member's to what is that of the next
    double margin


cdef int likeliest_exchange(const void* self, const StateC* st, int root, int d) noexcept nogil:
    """Of the arcs that members found, the likeliest one that crosses none."""
    cdef const ArcsC* arcs = <const ArcsC*>self
    cdef double least = 0
    cdef int best = NO_EXCHANGE
    cdef int m, k, h
    for m in range(arcs.n_members):
        k = m * arcs.stride + d
        if arcs.heads[k] == st.head[d]:
            least = arcs.log_probs[k] - arcs.margin
    for m in range(arcs.n_members):
        k = m * arcs.stride + d
        h = arcs.heads[k]
        if (
            h != st.head[d] and h != NONE and arcs.log_probs[k] > least
            and not crosses(st, root, d, h) and not leads_to(st, d, h)
        ):
            best = h
            least = arcs.log_probs[k]
    return best


def vote_heads(
    TransitionSystem system not None, const int[::1] lengths, const int[:, ::1] heads,
    const double[:, ::1] votes, const double[:, ::1] log_probs, double margin,
):
    """Find the trees with the most votes, and let arcs that cross give way.

    system: any one. lengths: (n_sentences,). heads: (n_members, N) int32, of trees with one root each:
    within the sentence, -1 at roots. votes: (n_members, N) float64, how much each member's arc counts
    together with the same arc of others. log_probs: (n_members, N) float64, how likely the arcs are for
    all members; the same for the same arc. margin: an arc that crosses others gives way to that of
    another member that crosses none, and whose `log_probs` are less than this lower.

    Returns the heads (N,), and which sentences still have crossing arcs, (n_sentences,) bool. Raises
    ValueError (NM020) if these do not fit each other.
    """
    cdef Pool mem = Pool()
    cdef VoteC vote
    cdef ArcsC arcs
    cdef StateC st
    cdef int n_members = heads.shape[0]
    cdef int n_words = heads.shape[1]
    cdef int first = 0
    cdef int n_nodes = 0
    cdef int longest, root, m, s, d
    check_lengths(lengths, n_words, MAX_WORDS)
    check_shape("votes", votes, n_members, n_words)
    check_shape("log_probs", log_probs, n_members, n_words)
    check_at_least("heads", heads, 0, 1)
    check_values("heads", heads, NONE, n_words)
    for m in range(n_members):
        check_heads(f"heads[{m}]", heads[m], lengths)
    longest = max(lengths, default=0)
    arcs.n_members = n_members
    arcs.stride = n_words
    arcs.margin = margin
    cdef int[::1] found = numpy.full((n_words + 1,), NONE, dtype="i")
    cdef char[::1] crossing = numpy.zeros((lengths.shape[0] + 1,), dtype="b")
    vote.arcs = <ArcC*>mem.alloc(longest * n_members + 1, sizeof(ArcC))
    vote.heap = <int*>mem.alloc(2 * longest + 1, sizeof(int))
    vote.whole = <int*>mem.alloc(2 * longest + 1, sizeof(int))
    vote.parent = <int*>mem.alloc(2 * longest + 1, sizeof(int))
    vote.taken = <int*>mem.alloc(2 * longest + 1, sizeof(int))
    vote.path = <int*>mem.alloc(2 * longest + 1, sizeof(int))
    vote.is_on_path = <bint*>mem.alloc(2 * longest + 1, sizeof(bint))
    vote.is_done = <bint*>mem.alloc(2 * longest + 1, sizeof(bint))
    state_init(&st, &system.c, mem.alloc(1, state_bytes(&system.c, longest)), longest)
    with nogil:
        for s in range(lengths.shape[0]):
            vote.n = lengths[s]
            if vote.n == 0:
                continue
            read_arcs(&vote, &heads[0, first], &votes[0, first], n_members, n_words)
            n_nodes = take_arcs(&vote)
            if n_nodes == NO_ARC:
                break
            expand(&vote, n_nodes)
            for d in range(vote.n):
                found[first + d] = vote.arcs[vote.taken[d]].head
            root = build_tree(&st, &found[first], NULL, vote.n)
            arcs.heads = &heads[0, first]
            arcs.log_probs = &log_probs[0, first]
            exchange_arcs(&st, root, likeliest_exchange, &arcs)
            crossing[s] = has_crossing_arcs(&st, root)
            for d in range(vote.n):
                found[first + d] = st.head[d]
            first += vote.n
    if n_nodes == NO_ARC:
        raise unfit("heads", f"a cycle in sentence {s}", "trees")
    return numpy.asarray(found)[:n_words], numpy.asarray(crossing)[:len(lengths)].astype(bool)
