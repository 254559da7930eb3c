"""Configurations. The functions here are all that changes the arcs of a `StateC`."""

from cymem.cymem cimport Pool

from .structs cimport LIST, StateC, SystemC


cdef enum:                # where a word is: in one of these
    IN_BUFFER = 0
    IN_STACK = 1
    GONE = 2


cdef enum:
    # Words of a sentence at most. Whoever makes a state or a gold tree refuses more, so that a number
    # of words times the small numbers that the code has fits into an int.
    MAX_WORDS = 1000000


# Bytes of the block that holds the arrays of a state of a system, of so many words.
cdef size_t state_bytes(const SystemC* system, int capacity) noexcept nogil
# Give a state its block; there are no words.
cdef void state_init(StateC* st, const SystemC* system, void* block, int capacity) noexcept nogil
# No arcs, everything in the buffer, no ROOT in it; `n` must not exceed the capacity.
cdef void state_reset(StateC* st, int n) noexcept nogil
# Make one state equal to another one of the same system, whose words must not exceed its capacity.
cdef void state_copy(StateC* to, const StateC* st) noexcept nogil

# Attach d to h (0 <= h), dropping an older head of d. O(1) where dependents arrive inside out.
cdef void set_head(StateC* st, int h, int d, int label) noexcept nogil
# Drop the arc to d, if there is one.
cdef void clear_head(StateC* st, int d) noexcept nogil
# True iff a path of arcs leads from `ancestor` down to `word` (a word leads to itself).
cdef bint leads_to(const StateC* st, int ancestor, int word) noexcept nogil


cdef inline void move_word(StateC* st, int w, int where) noexcept nogil:
    """The word w is elsewhere from now on."""
    if st.n_moved == 2 * st.n:
        st.n_moved = 0
        st.epoch += 1
    st.moved[st.n_moved] = w
    st.n_moved += 1
    st.where[w] = where


cdef inline int stack_at(const StateC* st, int k) noexcept nogil:
    """The k-th stack word from the top, -1 if there is none."""
    return st.stack[st.depth - 1 - k] if k < st.depth else -1


cdef inline int buffer_at(const StateC* st, int k) noexcept nogil:
    """The k-th buffer word from the front, -1 if there is none or it is ROOT."""
    return st.buffer[st.rest - 1 - k] if k < st.rest else -1


cdef inline int leftmost(const StateC* st, int w) noexcept nogil:
    return st.first[w] if w >= 0 and 0 <= st.first[w] < w else -1


cdef inline int second_leftmost(const StateC* st, int w) noexcept nogil:
    cdef int kid = leftmost(st, w)
    return st.next[kid] if kid >= 0 and 0 <= st.next[kid] < w else -1


cdef inline int rightmost(const StateC* st, int w) noexcept nogil:
    return st.last[w] if w >= 0 and st.last[w] > w else -1


cdef inline int second_rightmost(const StateC* st, int w) noexcept nogil:
    cdef int kid = rightmost(st, w)
    return st.prev[kid] if kid >= 0 and st.prev[kid] > w else -1


cdef inline int head_of(const StateC* st, int w) noexcept nogil:
    return st.head[w] if w >= 0 else -1


cdef inline int count_crossed(const StateC* st, int left, int right, int limit) noexcept nogil:
    """The words between two others with an arc to a word outside, which an arc would cross; `limit` at
    most."""
    cdef int n = 0
    cdef int k
    for k in range(left + 1, right):
        if (
            st.head[k] > right or 0 <= st.head[k] < left
            or 0 <= st.first[k] < left or st.last[k] > right
        ):
            n += 1
            if n == limit:
                break
    return n


cdef inline int find_foci(const SystemC* system, const StateC* st, int* first) noexcept nogil:
    """How many foci there are, and the first one."""
    first[0] = 0
    return system.foci(st, first) if system.kind == LIST else 1


# Whether no move is valid.
cdef bint is_final(const SystemC* system, const StateC* st) noexcept nogil


cdef class State:
    cdef Pool mem
    cdef StateC c
    cdef readonly str system       # name of the transition system it belongs to
    cdef object owner              # that system, whose struct is this one
    cdef const SystemC* c_system
    cdef dict label_ids            # label -> id; shared by the copies of a state
    cdef list label_names          # id -> label
    cdef int label_id(self, str label) except -1
    cdef tuple cursor(self)


# The only way to make a `State`: with everything that its methods read, and without any arcs. owner: the
# object that the struct of the system is part of.
cdef State new_state(str name, object owner, const SystemC* system, int n)
