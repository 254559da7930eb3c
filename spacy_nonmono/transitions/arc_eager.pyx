"""The arc-eager family: a stack, a buffer, and arcs between the top of one and the front of the other.

    arc_eager                   Nivre (2003), ROOT at the end of the buffer
    arc_eager_repair            Honnibal, Goldberg & Johnson (2013): Left-Arc may replace a head, Reduce
                                may insert the arc that was missed
    arc_eager_tree_constrained  Nivre & Fernandez-Gonzalez (2014): Unshift once the buffer is used up
    arc_eager_unshift           Honnibal & Johnson (2015): Unshift anywhere, Left-Arc may replace a head
    arc_eager_distinct_unshift  the same with Unshift as a class apart from Reduce, which the paper means
                                to evaluate

Departures from the papers: in the last two systems Shift must stay possible on an empty stack, Reduce
and Unshift need a second word on the stack, and the last word left is the root; as printed the system
has dead ends from two words on. Reduce, Unshift and the inserting Reduce are one move, `reduce`, which
the configuration tells apart (2015, section 3.1); in the last system Unshift is a move of its own.
"""

from ..state cimport (
    GONE, IN_BUFFER, IN_STACK, clear_head, move_word, set_head,
)
from ..structs cimport StateC
from .positions cimport stack_positions
from .system cimport TransitionSystem


# The moves, in the order of arc_eager.pxd
PLAIN, ARCS = ("shift", "reduce"), ("left_arc", "right_arc")
POSITIONS = (
    "S0", "S1", "S2", "N0", "N1", "N2", "S0h", "S0l", "S0r", "S0l2", "S1h", "S1l", "S1r", "N0l", "N0l2",
    "S0+", "N0-",
)


cdef inline int top(const StateC* st) noexcept nogil:
    return st.stack[st.depth - 1]


cdef inline int front(const StateC* st) noexcept nogil:
    """The first word of the buffer, -1 if it is ROOT; the buffer must not be empty."""
    return st.buffer[st.rest - 1]


cdef inline void push(StateC* st) noexcept nogil:
    """Move the first word of the buffer to the stack."""
    st.rest -= 1
    cdef int b = st.buffer[st.rest]
    st.stack[st.depth] = b
    st.depth += 1
    move_word(st, b, IN_STACK)


cdef inline void pop(StateC* st) noexcept nogil:
    st.depth -= 1
    move_word(st, st.stack[st.depth], GONE)


cdef inline void unshift(StateC* st) noexcept nogil:
    """Move the top of the stack back to the front of the buffer."""
    st.depth -= 1
    cdef int s = st.stack[st.depth]
    st.buffer[st.rest] = s
    st.rest += 1
    move_word(st, s, IN_BUFFER)


cdef inline void left_arc(StateC* st, int label) noexcept nogil:
    """The first word of the buffer becomes the head of the top of the stack, which is popped."""
    if front(st) < 0:
        clear_head(st, top(st))
    else:
        set_head(st, front(st), top(st), label)
    pop(st)


cdef inline void right_arc(StateC* st, int label) noexcept nogil:
    """The top of the stack becomes the head of the first word of the buffer, which is pushed."""
    set_head(st, top(st), front(st), label)
    push(st)


cdef void start_without_root(StateC* st) noexcept nogil:
    pass


cdef void start_with_root(StateC* st) noexcept nogil:
    """ROOT stands behind the last word; the arrays give room for it."""
    cdef int k
    for k in range(st.n, 0, -1):
        st.buffer[k] = st.buffer[k - 1]
    st.buffer[0] = -1
    st.rest = st.n + 1


cdef void start_on_stack(StateC* st) noexcept nogil:
    start_with_root(st)
    if st.n > 0:
        push(st)


cdef void set_pair(StateC* st, int left, int right) noexcept nogil:
    cdef int k
    st.stack[0] = left
    st.depth = 1
    # The words behind `right` follow it in the buffer, as they would in a derivation.
    st.rest = 0
    for k in range(st.n - 1, right - 1, -1):
        st.buffer[st.rest] = k
        st.rest += 1


cdef void arc(
    const StateC* st, int focus, int move, int* head, int* dependent
) noexcept nogil:
    head[0] = front(st) if move == LEFT_ARC else top(st)
    dependent[0] = top(st) if move == LEFT_ARC else front(st)


# --- arc_eager -----------------------------------------------------------------------------------

cdef bint arc_eager_valid(const StateC* st, int focus, int move) noexcept nogil:
    cdef bint has_stack = st.depth > 0
    if move == SHIFT:
        return front(st) >= 0
    if move == REDUCE:
        return has_stack and st.head[top(st)] >= 0
    if move == LEFT_ARC:
        return has_stack and st.head[top(st)] < 0
    if move == RIGHT_ARC:
        return has_stack and front(st) >= 0
    return False


cdef void monotonic_apply(StateC* st, int focus, int move, int label) noexcept nogil:
    if move == SHIFT:
        push(st)
    elif move == REDUCE:
        pop(st)
    elif move == LEFT_ARC:
        left_arc(st, label)
    elif move == RIGHT_ARC:
        right_arc(st, label)


cdef class ArcEager(TransitionSystem):
    """Arc-eager (Nivre 2003) with ROOT at the end of the buffer; several words may hang on ROOT.

    Final: the stack is empty and the buffer holds ROOT alone.

    shift      Precondition: the buffer front is a word. Effect: push it.
    right_arc  Precondition: a stack, the buffer front is a word. Effect: attach it to the top, push it.
    left_arc   Precondition: the top has no head. Effect: attach it to the buffer front, pop it.
    reduce     Precondition: the top has a head. Effect: pop it.
    """

    def __cinit__(self):
        self.name = "arc_eager"
        self.name_moves(PLAIN, ARCS)
        self.positions = POSITIONS
        self.c.start = start_with_root
        self.c.is_valid = arc_eager_valid
        self.c.apply = monotonic_apply
        self.c.positions = stack_positions
        self.c.set_pair = set_pair
        self.c.arc = arc
        self.c.projective = True


# --- arc_eager_repair ----------------------------------------------------------------------------

cdef bint repair_valid(const StateC* st, int focus, int move) noexcept nogil:
    if move == SHIFT:
        return front(st) >= 0
    if move == REDUCE:
        return st.depth >= 2 or (st.depth == 1 and st.head[top(st)] >= 0)
    if move == LEFT_ARC:
        return st.depth > 0
    if move == RIGHT_ARC:
        return st.depth > 0 and front(st) >= 0
    return False


cdef inline bint would_insert(const StateC* st) noexcept nogil:
    """Whether Reduce attaches the top of the stack to the word below."""
    return st.head[top(st)] < 0


cdef void repair_apply(StateC* st, int focus, int move, int label) noexcept nogil:
    if move == REDUCE and would_insert(st):
        set_head(st, st.stack[st.depth - 2], top(st), -1)
    monotonic_apply(st, focus, move, label)


cdef void repair_arc(
    const StateC* st, int focus, int move, int* head, int* dependent
) noexcept nogil:
    if move == REDUCE and would_insert(st):
        head[0] = st.stack[st.depth - 2]
        dependent[0] = top(st)
    elif move == LEFT_ARC or move == RIGHT_ARC:
        arc(st, focus, move, head, dependent)


cdef class ArcEagerRepair(TransitionSystem):
    """Non-monotonic arc-eager (Honnibal, Goldberg & Johnson 2013), ROOT last, word 0 on the stack.

    Final as in `arc_eager`.

    shift      Precondition: the buffer front is a word. Effect: push it.
    right_arc  as in arc_eager.
    left_arc   Precondition: a stack. Effect: attach the top to the buffer front, dropping an older
               head; pop it.
    reduce     Precondition: the top has a head, or a word lies below it. Effect: a top without head is
               attached to the word below, without a label; pop it.
    """

    def __cinit__(self):
        self.name = "arc_eager_repair"
        self.name_moves(PLAIN, ARCS)
        self.positions = POSITIONS
        self.c.start = start_on_stack
        self.c.is_valid = repair_valid
        self.c.apply = repair_apply
        self.c.positions = stack_positions
        self.c.set_pair = set_pair
        self.c.arc = repair_arc
        self.c.projective = True
        self.c.inserts = True


# --- arc_eager_tree_constrained ------------------------------------------------------------------

cdef bint tree_constrained_valid(const StateC* st, int focus, int move) noexcept nogil:
    cdef bint end = st.own[ENDED]
    if end and st.depth + st.rest <= 1:
        return False
    if move == SHIFT:
        return st.rest > 0 and not end
    if move == REDUCE:
        # With an empty buffer: Reduce a word with a head, Unshift one without.
        return st.depth > 0 and (st.rest == 0 or st.head[top(st)] >= 0)
    if move == LEFT_ARC:
        return st.depth > 0 and st.rest > 0 and st.head[top(st)] < 0
    if move == RIGHT_ARC:
        return st.depth > 0 and st.rest > 0
    return False


cdef void tree_constrained_apply(StateC* st, int focus, int move, int label) noexcept nogil:
    if move == REDUCE and st.head[top(st)] < 0:
        unshift(st)
    else:
        monotonic_apply(st, focus, move, label)
    if st.rest == 0:
        st.own[ENDED] = True


cdef int tree_constrained_seen(const StateC* st) noexcept nogil:
    return st.own[ENDED]


cdef class ArcEagerTreeConstrained(TransitionSystem):
    """Tree-constrained arc-eager (Nivre & Fernandez-Gonzalez 2014), no ROOT token, one root.

    Arc-eager until the buffer is first empty. From then on there is no Shift, and with an empty buffer
    a top without head goes back to the buffer. Final: one word left in all, which is the root.

    shift      Precondition: a buffer that has never been empty. Effect: push its front.
    right_arc  Precondition: a stack and a buffer. Effect: attach the front to the top, push it.
    left_arc   Precondition: a stack and a buffer, the top has no head. Effect: attach it, pop it.
    reduce     Precondition: the top has a head. Effect: pop it.
               Precondition: the buffer is empty, the top has no head. Effect: back to the buffer.
    """

    def __cinit__(self):
        self.name = "arc_eager_tree_constrained"
        self.name_moves(PLAIN, ARCS)
        self.unshifting_moves = ("reduce",)
        # Words come back to the buffer when most is built: their dependents tell more than what is near
        self.positions = (*POSITIONS, "N0r")
        self.c.start = start_without_root
        self.c.is_valid = tree_constrained_valid
        self.c.own_fixed = N_ENDED
        self.c.apply = tree_constrained_apply
        self.c.seen = tree_constrained_seen
        self.c.positions = stack_positions
        self.c.set_pair = set_pair
        self.c.arc = arc
        self.c.projective = True
        self.c.single_root = True


# --- arc_eager_unshift ---------------------------------------------------------------------------

cdef inline bint was_shifted(const StateC* st, int w) noexcept nogil:
    """Whether Shift has pushed the word before (its "bit")."""
    return st.own[N_ENDED + w]


cdef bint unshift_valid(const StateC* st, int focus, int move) noexcept nogil:
    if move == SHIFT:
        return st.rest > 0 and (st.depth == 0 or not was_shifted(st, front(st)))
    if move == REDUCE:
        return st.depth >= 2
    if move == LEFT_ARC or move == RIGHT_ARC:
        return st.depth > 0 and st.rest > 0
    return False


cdef void unshift_apply(StateC* st, int focus, int move, int label) noexcept nogil:
    if move == SHIFT:
        st.own[N_ENDED + front(st)] = True
    tree_constrained_apply(st, focus, move, label)


cdef int unshift_seen(const StateC* st) noexcept nogil:
    return st.own[ENDED] + 2 * (st.rest > 0 and was_shifted(st, front(st)))


cdef class ArcEagerUnshift(TransitionSystem):
    """Non-monotonic arc-eager with Unshift (Honnibal & Johnson 2015, repaired), no ROOT, one root.

    Final: the buffer is empty and one word is on the stack, which is the root. No derivation of n
    words is longer than 4n - 3.

    shift      Precondition: a buffer whose front was never shifted, or an empty stack. Effect: push it.
    right_arc  Precondition: a stack and a buffer. Effect: attach the front to the top, push it.
    left_arc   Precondition: a stack and a buffer. Effect: attach the top to the front, dropping an
               older head; pop it.
    reduce     Precondition: two words on the stack. Effect: pop a top that has a head; put one
               without back to the front of the buffer (Unshift).
    """

    def __cinit__(self):
        self.name = "arc_eager_unshift"
        self.name_moves(PLAIN, ARCS)
        self.unshifting_moves = ("reduce",)
        self.positions = POSITIONS
        self.c.start = start_without_root
        self.c.is_valid = unshift_valid
        self.c.own_fixed = N_ENDED
        self.c.own_per_word = 1
        self.c.apply = unshift_apply
        self.c.seen = unshift_seen
        self.c.positions = stack_positions
        self.c.set_pair = set_pair
        self.c.arc = arc
        self.c.projective = True
        self.c.single_root = True


# --- arc_eager_distinct_unshift ------------------------------------------------------------------

cdef enum:
    UNSHIFT = REDUCE + 1  # the arcs come behind it


cdef inline int merged(int move) noexcept nogil:
    """The move of the same effect where Reduce and Unshift are one."""
    return move if move < UNSHIFT else move - 1


cdef bint distinct_valid(const StateC* st, int focus, int move) noexcept nogil:
    if not unshift_valid(st, focus, merged(move)):
        return False
    if move == REDUCE or move == UNSHIFT:
        return (st.head[top(st)] >= 0) == (move == REDUCE)
    return True


cdef void distinct_apply(StateC* st, int focus, int move, int label) noexcept nogil:
    unshift_apply(st, focus, merged(move), label)


cdef void distinct_arc(
    const StateC* st, int focus, int move, int* head, int* dependent
) noexcept nogil:
    arc(st, focus, merged(move), head, dependent)


cdef class ArcEagerDistinctUnshift(TransitionSystem):
    """`arc_eager_unshift` with a move `unshift` that a scorer learns apart from `reduce`.

    In the paper the two are one class, and distinct classes are left for later (Honnibal & Johnson
    2015, section 3.1). Final, `shift`, `right_arc` and `left_arc` as in arc_eager_unshift.

    reduce     Precondition: two words on the stack, the top has a head. Effect: pop it.
    unshift    Precondition: two words on the stack, the top has no head. Effect: put it back to the
               front of the buffer.
    """

    def __cinit__(self):
        self.name = "arc_eager_distinct_unshift"
        self.name_moves((*PLAIN, "unshift"), ARCS)
        self.unshifting_moves = ("unshift",)
        self.positions = POSITIONS
        self.c.start = start_without_root
        self.c.is_valid = distinct_valid
        self.c.own_fixed = N_ENDED
        self.c.own_per_word = 1
        self.c.apply = distinct_apply
        self.c.seen = unshift_seen
        self.c.positions = stack_positions
        self.c.set_pair = set_pair
        self.c.arc = distinct_arc
        self.c.projective = True
        self.c.single_root = True
