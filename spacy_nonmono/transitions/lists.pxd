"""What the list systems share: a list of pending words, in which a word is attached to a neighbour.

A focus i stands for the pending words i and i + 1.
"""

from ..structs cimport StateC


cdef inline bint is_focus(const StateC* st, int i) noexcept nogil:
    return 0 <= i < st.n_pending - 1


# The words of an arc at a focus; left: the dependent is the left one.
cdef inline void join(const StateC* st, int i, bint left, int* head, int* dependent) noexcept nogil:
    head[0] = st.pending[i + 1] if left else st.pending[i]
    dependent[0] = st.pending[i] if left else st.pending[i + 1]


# Build the arc and take the dependent from the list; a child of ROOT keeps no head.
cdef void attach(StateC* st, int i, bint left, int label) noexcept nogil

cdef void fill_positions(const StateC* st, int i, int* positions) noexcept nogil
