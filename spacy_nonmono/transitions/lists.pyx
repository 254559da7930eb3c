"""What the list systems share: a list of pending words, in which a word is attached to a neighbour."""

from libc.string cimport memmove

from ..state cimport GONE, move_word, set_head
from ..structs cimport StateC
from .positions cimport N0, N1, N2, S0, S1, S2, fill_related


# The positions that are filled: a pending word has no head.
POSITIONS = (
    "S0", "S1", "S2", "N0", "N1", "N2", "S0l", "S0r", "S0l2", "S0r2", "S1l", "S1r",
    "N0l", "N0l2", "N0r", "S0+", "N0-",
)


cdef inline int pending_at(const StateC* st, int k) noexcept nogil:
    """The k-th pending word, -1 if there is none or it is ROOT."""
    return st.pending[k] if 0 <= k < st.n_pending else -1


cdef void fill_positions(const StateC* st, int i, int* positions) noexcept nogil:
    positions[S0] = pending_at(st, i)
    positions[S1] = pending_at(st, i - 1)
    positions[S2] = pending_at(st, i - 2)
    positions[N0] = pending_at(st, i + 1)
    positions[N1] = pending_at(st, i + 2)
    positions[N2] = pending_at(st, i + 3)
    fill_related(st, positions)


cdef void attach(StateC* st, int i, bint left, int label) noexcept nogil:
    cdef int k = i if left else i + 1
    cdef int h, d
    join(st, i, left, &h, &d)
    move_word(st, d, GONE)
    if h >= 0:
        set_head(st, h, d, label)
    st.n_pending -= 1
    memmove(&st.pending[k], &st.pending[k + 1], (st.n_pending - k) * sizeof(int))
