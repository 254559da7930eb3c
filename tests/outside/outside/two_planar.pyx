"""The two-planar system (Gomez-Rodriguez & Nivre 2010, 2013): two stacks, and a move that switches them.

The arcs of a plane do not cross each other, but they may cross those of the other plane. Almost every
tree of a treebank has its arcs in two planes. Departures from the papers: there is no ROOT, which words
without a head hang on in the end; a Switch may not follow another one, and the stack that it makes the
active one must hold a word. So every derivation ends, after 8 n - 8 moves at most.

`StateC.stack` is the active stack, memory of the system's own holds the other one. Switch exchanges what
is in them: a plain copy, which few moves ask for.
"""

from spacy_nonmono.state cimport GONE, IN_STACK, leads_to, move_word, set_head
from spacy_nonmono.structs cimport StateC
from spacy_nonmono.transitions.positions cimport S2, stack_positions
from spacy_nonmono.transitions.system cimport TransitionSystem

from .two_planar cimport (
    LEFT_ARC, OTHER, OTHER_DEPTH, OWN_FIXED, PLANE, REDUCE, RIGHT_ARC, SHIFT, SWITCH, SWITCHED, front,
    top,
)


cdef inline bint may_attach(const StateC* st, int h, int d) noexcept nogil:
    """d has no head, and an arc from h closes no cycle."""
    return st.head[d] < 0 and not leads_to(st, d, h)


cdef bint is_valid(const StateC* st, int focus, int move) noexcept nogil:
    if st.rest == 0:
        return False
    if move == SHIFT:
        return True
    if move == SWITCH:
        return st.own[OTHER_DEPTH] > 0 and not st.own[SWITCHED]
    if st.depth == 0:
        return False
    if move == LEFT_ARC:
        return may_attach(st, front(st), top(st))
    if move == RIGHT_ARC:
        return may_attach(st, top(st), front(st))
    return move == REDUCE


cdef void shift(StateC* st) noexcept nogil:
    cdef int b = front(st)
    st.rest -= 1
    st.stack[st.depth] = b
    st.depth += 1
    st.own[OTHER + st.own[OTHER_DEPTH]] = b
    st.own[OTHER_DEPTH] += 1
    move_word(st, b, IN_STACK)


cdef void reduce_top(StateC* st) noexcept nogil:
    """A word is gone when neither stack holds it. Both stacks are in the order of the sentence."""
    cdef int s = top(st)
    cdef int k = st.own[OTHER_DEPTH] - 1
    st.depth -= 1
    while k >= 0 and st.own[OTHER + k] > s:
        k -= 1
    if k < 0 or st.own[OTHER + k] < s:
        move_word(st, s, GONE)


cdef void switch_stacks(StateC* st) noexcept nogil:
    cdef int* other = st.own + OTHER
    cdef int depth = st.own[OTHER_DEPTH]
    cdef int k
    for k in range(max(depth, st.depth)):
        # Zero where the other stack does not reach.
        st.stack[k], other[k] = other[k], (st.stack[k] if k < st.depth else 0)
    st.own[OTHER_DEPTH] = st.depth
    st.depth = depth
    st.own[PLANE] = 1 - st.own[PLANE]


cdef void arc(const StateC* st, int focus, int move, int* head, int* dependent) noexcept nogil:
    head[0] = front(st) if move == LEFT_ARC else top(st)
    dependent[0] = top(st) if move == LEFT_ARC else front(st)


cdef void apply(StateC* st, int focus, int move, int label) noexcept nogil:
    cdef int h, d
    st.own[SWITCHED] = move == SWITCH
    if move == SHIFT:
        shift(st)
    elif move == REDUCE:
        reduce_top(st)
    elif move == SWITCH:
        switch_stacks(st)
    else:
        arc(st, focus, move, &h, &d)
        set_head(st, h, d, label)


cdef void positions(const StateC* st, int focus, int* found) noexcept nogil:
    """Those of a stack and a buffer, but S2 is the top of the other stack."""
    cdef int depth = st.own[OTHER_DEPTH]
    stack_positions(st, focus, found)
    found[S2] = st.own[OTHER + depth - 1] if depth > 0 else -1


cdef int seen(const StateC* st) noexcept nogil:
    return st.own[SWITCHED]


cdef void set_pair(StateC* st, int left, int right) noexcept nogil:
    """Only the left word is on the stacks, as if it had just been shifted, in whichever plane; the words
    behind the right one follow it in the buffer."""
    cdef int k
    for k in range(st.n_own):
        st.own[k] = 0
    st.stack[0] = left
    st.depth = 1
    st.own[OTHER] = left
    st.own[OTHER_DEPTH] = 1
    st.rest = st.n - right
    for k in range(st.rest):
        st.buffer[k] = st.n - 1 - k


cdef class TwoPlanar(TransitionSystem):
    """Two planes of arcs that do not cross within a plane; several roots.

    Final: the buffer is empty. Every move has the precondition that it is not.

    shift      Effect: push the buffer front onto both stacks.
    reduce     Precondition: a word on the active stack. Effect: pop it.
    switch     Precondition: a word on the other stack; the last move was no Switch. Effect: the other
               stack is the active one.
    left_arc   Precondition: a word without a head on the active stack, no ancestor of the buffer front.
               Effect: attach it to the buffer front. It stays.
    right_arc  Precondition: the buffer front has no head and is no ancestor of the top of the active
               stack. Effect: attach it to the top. Both stay.
    """

    def __cinit__(self):
        self.name = "two_planar"
        self.positions = (
            "S0", "S1", "S2", "N0", "N1", "N2", "S0h", "S0l", "S0r", "S0l2", "S1h", "S1l", "S1r",
            "N0h", "N0l", "N0l2", "S0+", "N0-",
        )
        self.name_moves(("shift", "reduce", "switch"), ("left_arc", "right_arc"))
        self.limited = True
        self.c.own_fixed = OWN_FIXED
        self.c.own_per_word = 1
        self.c.is_valid = is_valid
        self.c.apply = apply
        self.c.positions = positions
        self.c.arc = arc
        self.c.seen = seen
        self.c.set_pair = set_pair
