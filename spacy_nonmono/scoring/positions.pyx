"""Words that scorers look at beside the positions of the transition systems."""

from ..state cimport leftmost, rightmost
from ..transitions.system cimport N0, N1, N2, S0, S1, S2

from ..transitions.system import POSITION_NAMES

COLLOCATES = ("S0kl", "S0kr", "N0kl", "N0kr")
ALL_POSITION_NAMES = (
    *POSITION_NAMES, "S0lc", "S0rc", "N0lc", *COLLOCATES,
    "W-3", "W-2", "W-1", "W+0", "W+1", "W+2", "W+3",
)


cdef void fill_closest(const StateC* st, int* positions) noexcept nogil:
    cdef int s0 = positions[S0]
    cdef int n0 = positions[N0]
    cdef int kid
    kid = leftmost(st, s0)
    while kid >= 0 and 0 <= st.next[kid] < s0:
        kid = st.next[kid]
    positions[S0lc] = kid
    kid = rightmost(st, s0)
    while kid >= 0 and st.prev[kid] > s0:
        kid = st.prev[kid]
    positions[S0rc] = kid
    kid = leftmost(st, n0)
    while kid >= 0 and 0 <= st.next[kid] < n0:
        kid = st.next[kid]
    positions[N0lc] = kid


cdef CollocatesC view_collocates(collocates) except *:
    cdef CollocatesC view
    cdef const int[::1] starts, partners
    view.starts = NULL
    view.partners = NULL
    if collocates is not None:
        starts, partners = collocates
        view.starts = &starts[0]
        if partners.shape[0]:
            view.partners = &partners[0]
    return view


cdef void fill_collocates(
    const CollocatesC* collocates, const StateC* st, int first, int* positions
) noexcept nogil:
    """The context is what lies between S2 and N2, as far as they exist."""
    cdef const int* starts = collocates.starts + first
    cdef const int* partners = collocates.partners
    cdef int s0 = positions[S0]
    cdef int n0 = positions[N0]
    cdef int left = positions[S2] if positions[S2] >= 0 else positions[S1] if positions[S1] >= 0 else s0
    cdef int right = positions[N2] if positions[N2] >= 0 else positions[N1] if positions[N1] >= 0 else n0
    if left < 0:
        left = n0
    if right < 0:
        right = s0
    find_nearest(st, starts, partners, s0, left, right, &positions[S0kl], &positions[S0kr])
    find_nearest(st, starts, partners, n0, left, right, &positions[N0kl], &positions[N0kr])


cdef void find_nearest(
    const StateC* st, const int* starts, const int* partners, int word, int left, int right,
    int* nearest_left, int* nearest_right
) noexcept nogil:
    """Of a word's collocates those without a head that are nearest to the left of `left`, to the right
    of `right`."""
    cdef int k, w
    nearest_left[0] = -1
    nearest_right[0] = -1
    if word < 0:
        return
    for k in range(starts[word], starts[word + 1]):
        w = partners[k]
        if st.head[w] >= 0:
            continue
        if w < left and w > nearest_left[0]:
            nearest_left[0] = w
        elif w > right and (nearest_right[0] < 0 or w < nearest_right[0]):
            nearest_right[0] = w
