"""Configurations of every transition system: arcs as flat arrays, and a small cursor a system."""

from libc.string cimport memcpy

from .errors import Errors

cdef enum:
    N_INT_ARRAYS = 13

# Known to `new_state` alone.
cdef object KEY = object()


cdef size_t state_bytes(int capacity) noexcept nogil:
    cdef size_t n = capacity
    # One more stack and buffer entry than words: ROOT.
    return (N_INT_ARRAYS * n + 2) * sizeof(int) + 2 * n * sizeof(signed char) + sizeof(int)


cdef void state_carve(StateC* st, void* block, int n_words) noexcept nogil:
    cdef int* ints = <int*>block
    cdef size_t capacity = n_words
    st.capacity = n_words
    st.head = ints
    st.label = ints + capacity
    st.first = ints + 2 * capacity
    st.last = ints + 3 * capacity
    st.next = ints + 4 * capacity
    st.prev = ints + 5 * capacity
    st.n_left = ints + 6 * capacity
    st.n_right = ints + 7 * capacity
    st.insert_label = ints + 8 * capacity
    st.stack = ints + 9 * capacity
    st.buffer = ints + 10 * capacity + 1
    st.moved = ints + 11 * capacity + 2
    st.place = <signed char*>(ints + N_INT_ARRAYS * capacity + 2)
    st.shifted = st.place + capacity
    st.epoch = 0
    state_reset(st, 0)


cdef void state_reset(StateC* st, int n) noexcept nogil:
    cdef int w
    st.n = n
    st.n_moved = 0
    st.epoch += 1
    for w in range(n):
        st.head[w] = -1
        st.label[w] = -1
        st.first[w] = -1
        st.last[w] = -1
        st.next[w] = -1
        st.prev[w] = -1
        st.n_left[w] = 0
        st.n_right[w] = 0
        st.insert_label[w] = -1
        st.place[w] = IN_BUFFER
        st.shifted[w] = 0
        st.buffer[n - 1 - w] = w
    st.depth = 0
    st.rest = n
    st.end = False
    st.i = -1
    st.j = 0
    st.attached = False
    st.forced = False


cdef void state_copy(StateC* to, const StateC* st) noexcept nogil:
    cdef int n = st.n
    to.n = n
    to.n_moved = 0
    to.epoch += 1
    memcpy(to.head, st.head, n * sizeof(int))
    memcpy(to.label, st.label, n * sizeof(int))
    memcpy(to.first, st.first, n * sizeof(int))
    memcpy(to.last, st.last, n * sizeof(int))
    memcpy(to.next, st.next, n * sizeof(int))
    memcpy(to.prev, st.prev, n * sizeof(int))
    memcpy(to.n_left, st.n_left, n * sizeof(int))
    memcpy(to.n_right, st.n_right, n * sizeof(int))
    memcpy(to.insert_label, st.insert_label, n * sizeof(int))
    memcpy(to.stack, st.stack, st.depth * sizeof(int))
    memcpy(to.buffer, st.buffer, st.rest * sizeof(int))
    memcpy(to.place, st.place, n * sizeof(signed char))
    memcpy(to.shifted, st.shifted, n * sizeof(signed char))
    to.depth = st.depth
    to.rest = st.rest
    to.end = st.end
    to.i = st.i
    to.j = st.j
    to.attached = st.attached
    to.forced = st.forced


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
        """The stack, top last; for Covington's systems the words 0..i; for list systems the pending
        words up to the focus."""
        if self.has_buffer:
            return [self.c.stack[k] for k in range(self.c.depth)]
        return self.pending[:self.c.i + 1] if self.focuses != NULL else list(range(self.c.i + 1))

    @property
    def buffer(self):
        """The buffer, front first, ROOT as -1 where the system holds it; for Covington j..n-1; for
        list systems the pending words after the focus."""
        if self.has_buffer:
            return [self.c.buffer[self.c.rest - 1 - k] for k in range(self.c.rest)]
        if self.focuses != NULL:
            return self.pending[self.c.i + 1:]
        return list(range(self.c.j, self.c.n))

    @property
    def pending(self):
        """List systems: the words without a head, ROOT as -1 where the system holds it."""
        return [self.c.stack[k] for k in range(self.c.depth)] if self.focuses != NULL else []

    @property
    def is_final(self):
        """Whether no move is valid."""
        cdef int first = 0
        cdef int n_focuses = self.focuses(&self.c, &first) if self.focuses != NULL else 1
        cdef int at_rest = self.c.i
        cdef int k, move
        cdef bint final = True
        for k in range(n_focuses):
            if self.focuses != NULL:
                self.c.i = first + k
            for move in range(N_MOVES):
                final = final and not self.is_valid(&self.c, move)
        self.c.i = at_rest
        return final

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
        cdef State other = new_state(
            self.system, self.is_valid, self.focuses, self.has_buffer, self.c.n
        )
        other.label_ids = self.label_ids
        other.label_names = self.label_names
        state_copy(&other.c, &self.c)
        return other

    def key(self):
        """Hashable; equal iff two states are the same configuration of the same system."""
        inserts = [
            self.c.insert_label[self.c.stack[k]] for k in range(self.c.depth)
            if self.c.stack[k] >= 0 and self.c.head[self.c.stack[k]] < 0
        ]
        return (
            self.system, tuple(self.heads), tuple(self.labels), self.cursor(), tuple(inserts)
        )

    cdef tuple cursor(self):
        """What is not arcs or labels."""
        if self.focuses != NULL:
            return (tuple(self.pending), self.c.i, bool(self.c.attached))
        if not self.has_buffer:
            return (self.c.i, self.c.j)
        shifted = tuple([self.c.shifted[w] for w in range(self.c.n)])
        return (tuple(self.stack), tuple(self.buffer), shifted, bool(self.c.end))

    def __reduce__(self):
        raise TypeError(Errors.NM023)

    def __repr__(self):
        if self.has_buffer or self.focuses != NULL:
            return f"stack {self.stack}, buffer {self.buffer}, heads {self.heads}"
        return f"i {self.c.i}, j {self.c.j}, heads {self.heads}"

    cdef int label_id(self, str label) except -1:
        if label not in self.label_ids:
            self.label_ids[label] = len(self.label_names)
            self.label_names.append(label)
        return self.label_ids[label]


cdef State new_state(str system, valid_f is_valid, focuses_f focuses, bint has_buffer, int n):
    cdef State state = State.__new__(State, KEY)
    state.mem = Pool()
    state.system = system
    state.is_valid = is_valid
    state.focuses = focuses
    state.has_buffer = has_buffer
    state.label_ids = {}
    state.label_names = []
    state_carve(&state.c, state.mem.alloc(1, state_bytes(n)), n)
    state_reset(&state.c, n)
    return state
