"""Configurations of every transition system: arcs as flat arrays, a small cursor for each kind of
system, and memory of the system's own."""

from libc.string cimport memcpy, memset

from .structs cimport LIST, PAIRS

from .errors import Errors

cdef enum:
    N_MINUS_ONE = 6       # arrays that start as -1, and as 0
    N_ZERO = 2
    N_INTS = N_MINUS_ONE + N_ZERO + 5

# Known to `new_state` alone.
cdef object KEY = object()


cdef size_t block_bytes(int n_words, int n_own) noexcept nogil:
    cdef size_t n = n_words
    # One entry more than words on the stack, in the buffer and in the list: ROOT.
    return (N_INTS * n + 3 + n_own) * sizeof(int) + n * sizeof(signed char)


cdef inline int count_own(int fixed, int per_word, int n) noexcept nogil:
    return fixed + per_word * n


cdef size_t state_bytes(const SystemC* system, int capacity) noexcept nogil:
    # Something even where there are no words
    return sizeof(int) + block_bytes(
        capacity, count_own(system.own_fixed, system.own_per_word, capacity)
    )


cdef void lay_out(StateC* st) noexcept nogil:
    """The arrays of the words, in the block."""
    cdef int* ints = <int*>st.block
    cdef size_t n = st.n
    st.head = ints
    st.label = ints + n
    st.first = ints + 2 * n
    st.last = ints + 3 * n
    st.next = ints + 4 * n
    st.prev = ints + 5 * n
    st.n_left = ints + N_MINUS_ONE * n
    st.n_right = ints + (N_MINUS_ONE + 1) * n
    st.own = ints + (N_MINUS_ONE + N_ZERO) * n
    st.stack = st.own + st.n_own
    st.buffer = st.stack + n + 1
    st.pending = st.buffer + n + 1
    st.moved = st.pending + n + 1
    st.where = <signed char*>(st.moved + 2 * n)


cdef void state_init(StateC* st, const SystemC* system, void* block, int capacity) noexcept nogil:
    st.block = block
    st.capacity = capacity
    st.own_fixed = system.own_fixed
    st.own_per_word = system.own_per_word
    st.epoch = 0
    state_reset(st, 0)


cdef void state_reset(StateC* st, int n) noexcept nogil:
    cdef size_t size = n
    cdef int w
    st.n = n
    st.n_own = count_own(st.own_fixed, st.own_per_word, n)
    lay_out(st)
    memset(st.head, -1, N_MINUS_ONE * size * sizeof(int))
    memset(st.n_left, 0, (N_ZERO * size + st.n_own) * sizeof(int))
    memset(st.where, IN_BUFFER, size * sizeof(signed char))
    for w in range(n):
        st.buffer[n - 1 - w] = w
    st.depth = 0
    st.rest = n
    st.n_pending = 0
    st.n_moved = 0
    st.epoch += 1
    st.i = -1
    st.j = 0


cdef void state_copy(StateC* to, const StateC* st) noexcept nogil:
    cdef void* block = to.block
    cdef int capacity = to.capacity
    cdef unsigned int epoch = to.epoch
    to[0] = st[0]
    to.block = block
    to.capacity = capacity
    to.n_moved = 0
    to.epoch = epoch + 1
    lay_out(to)
    memcpy(to.block, st.block, block_bytes(st.n, st.n_own))


cdef void set_head(StateC* st, int h, int d, int label) noexcept nogil:
    cdef int before, after
    clear_head(st, d)
    st.head[d] = h
    st.label[d] = label
    # The systems attach outwards from the head, so that the search below ends at its first step.
    if d < h:
        st.n_left[h] += 1
        after = st.first[h]
        while after >= 0 and after < d:
            after = st.next[after]
        before = st.prev[after] if after >= 0 else st.last[h]
    else:
        st.n_right[h] += 1
        before = st.last[h]
        while before > d:
            before = st.prev[before]
        after = st.next[before] if before >= 0 else st.first[h]
    st.prev[d] = before
    st.next[d] = after
    if before >= 0:
        st.next[before] = d
    else:
        st.first[h] = d
    if after >= 0:
        st.prev[after] = d
    else:
        st.last[h] = d


cdef void clear_head(StateC* st, int d) noexcept nogil:
    cdef int h = st.head[d]
    if h < 0:
        return
    if st.prev[d] >= 0:
        st.next[st.prev[d]] = st.next[d]
    else:
        st.first[h] = st.next[d]
    if st.next[d] >= 0:
        st.prev[st.next[d]] = st.prev[d]
    else:
        st.last[h] = st.prev[d]
    st.prev[d] = -1
    st.next[d] = -1
    if d < h:
        st.n_left[h] -= 1
    else:
        st.n_right[h] -= 1
    st.head[d] = -1
    st.label[d] = -1


cdef bint leads_to(const StateC* st, int ancestor, int word) noexcept nogil:
    while word >= 0:
        if word == ancestor:
            return True
        word = st.head[word]
    return False


cdef bint is_final(const SystemC* system, const StateC* st) noexcept nogil:
    cdef int first
    cdef int n_foci = find_foci(system, st, &first)
    cdef int focus, move
    for focus in range(first, first + n_foci):
        for move in range(system.n_moves):
            if system.is_valid(st, focus, move):
                return False
    return True


cdef class State:
    """A configuration, as `TransitionSystem.initial_state` makes it. Words are 0-based."""

    def __cinit__(self, key=None):
        if key is not KEY:
            raise TypeError(Errors.NM018.format(found="A State", makers="initial_state"))

    @property
    def n_words(self):
        return self.c.n

    @property
    def heads(self):
        """Head of every word, -1 for a root or a word not attached."""
        return [self.c.head[w] for w in range(self.c.n)]

    @property
    def labels(self):
        """Label of the arc to the head of every word, "" where there is no arc."""
        return [
            self.label_names[self.c.label[w]] if self.c.label[w] >= 0 else ""
            for w in range(self.c.n)
        ]

    @property
    def stack(self):
        """The stack, top last; of systems of pairs their first list, the words 0..i; list systems have
        none."""
        if self.c_system.kind == PAIRS:
            return list(range(self.c.i + 1))
        return [self.c.stack[k] for k in range(self.c.depth)]

    @property
    def buffer(self):
        """The buffer, front first, ROOT as -1 where the system holds it; of systems of pairs the words
        j..n-1; list systems have none."""
        if self.c_system.kind == PAIRS:
            return list(range(self.c.j, self.c.n))
        return [self.c.buffer[self.c.rest - 1 - k] for k in range(self.c.rest)]

    @property
    def pending(self):
        """List systems: the words without a head, ROOT as -1 where the system holds it."""
        return [self.c.pending[k] for k in range(self.c.n_pending)]

    @property
    def is_final(self):
        """Whether no move is valid."""
        return is_final(self.c_system, &self.c)

    def dependents(self, Py_ssize_t word):
        """The dependents of a word, in sentence order.

        Raises IndexError (NM013) if there is no such word.
        """
        if not 0 <= word < self.c.n:
            raise IndexError(Errors.NM013.format(word=word, n_words=self.c.n))
        kids = []
        kid = self.c.first[word]
        while kid >= 0:
            kids.append(kid)
            kid = self.c.next[kid]
        return kids

    def copy(self):
        cdef State other = new_state(self.system, self.owner, self.c_system, self.c.n)
        other.label_ids = self.label_ids
        other.label_names = self.label_names
        state_copy(&other.c, &self.c)
        return other

    def key(self):
        """Hashable; equal iff two states are the same configuration of the same system."""
        return (self.system, tuple(self.heads), tuple(self.labels), self.cursor())

    cdef tuple cursor(self):
        """What is not arcs or labels."""
        own = tuple([self.c.own[k] for k in range(self.c.n_own)])
        if self.c_system.kind == LIST:
            return (tuple(self.pending), own)
        if self.c_system.kind == PAIRS:
            return (self.c.i, self.c.j, own)
        return (tuple(self.stack), tuple(self.buffer), own)

    def __reduce__(self):
        raise TypeError(Errors.NM023)

    def __repr__(self):
        if self.c_system.kind == LIST:
            return f"pending {self.pending}, heads {self.heads}"
        if self.c_system.kind == PAIRS:
            return f"i {self.c.i}, j {self.c.j}, heads {self.heads}"
        return f"stack {self.stack}, buffer {self.buffer}, heads {self.heads}"

    cdef int label_id(self, str label) except -1:
        if label not in self.label_ids:
            self.label_ids[label] = len(self.label_names)
            self.label_names.append(label)
        return self.label_ids[label]


cdef State new_state(str name, object owner, const SystemC* system, int n):
    cdef State state = State.__new__(State, KEY)
    state.mem = Pool()
    state.system = name
    state.owner = owner
    state.c_system = system
    state.label_ids = {}
    state.label_names = []
    state_init(&state.c, system, state.mem.alloc(1, state_bytes(system, n)), n)
    state_reset(&state.c, n)
    return state
