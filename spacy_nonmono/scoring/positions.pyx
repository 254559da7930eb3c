"""Words that scorers look at beside the positions of the transition systems."""

from ..state cimport leftmost, rightmost
from ..transitions.positions cimport N0, S0

from ..shapes import check_values
from ..transitions.positions import POSITION_NAMES

CLOSEST_POSITIONS = ("S0lc", "S0rc", "N0lc")
COLLOCATE_POSITIONS = ("S0kl", "S0kr", "N0kl", "N0kr")
ALL_POSITION_NAMES = (
    *POSITION_NAMES, *CLOSEST_POSITIONS, *COLLOCATE_POSITIONS,
    "W-3", "W-2", "W-1", "W+0", "W+1", "W+2", "W+3",
)

# For Python
MAX_WINDOW = WIDEST_WINDOW


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


cdef CollocatesC view_collocates(collocates, int window=WIDEST_WINDOW) except *:
    cdef CollocatesC view
    cdef const int[::1] starts, partners
    check_values("collocate_window", window, 0, WIDEST_WINDOW)
    view.window = window
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
    cdef const int* starts = collocates.starts + first
    cdef const int* partners = collocates.partners
    cdef ContextC context = find_context(collocates, positions)
    find_nearest(
        st, starts, partners, positions[S0], &context, &positions[S0kl], &positions[S0kr]
    )
    find_nearest(
        st, starts, partners, positions[N0], &context, &positions[N0kl], &positions[N0kr]
    )


cdef ContextC find_context(const CollocatesC* collocates, const int* positions) noexcept nogil:
    """From S2 to N2 in the widest window, as far as they exist."""
    cdef ContextC context
    cdef int left = S0 + collocates.window
    cdef int right = N0 + collocates.window
    while left > S0 and positions[left] < 0:
        left -= 1
    while right > N0 and positions[right] < 0:
        right -= 1
    context.first = positions[left] if positions[left] >= 0 else positions[N0]
    context.last = positions[right] if positions[right] >= 0 else positions[S0]
    return context


cdef void find_nearest(
    const StateC* st, const int* starts, const int* partners, int word, const ContextC* context,
    int* nearest_left, int* nearest_right
) noexcept nogil:
    """Of a word's collocates that wait the nearest ones to the left and to the right of the context."""
    cdef int k, w, side
    nearest_left[0] = -1
    nearest_right[0] = -1
    if word < 0:
        return
    for k in range(starts[word], starts[word + 1]):
        w = partners[k]
        side = waiting_side(st, context, w)
        if side < 0 and w > nearest_left[0]:
            nearest_left[0] = w
        elif side > 0 and (nearest_right[0] < 0 or w < nearest_right[0]):
            nearest_right[0] = w
