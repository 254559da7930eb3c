"""Words that scorers look at beside the positions of the transition systems."""

from ..structs cimport StateC
from ..transitions.positions cimport N_POSITIONS


cdef enum:
    S0lc = N_POSITIONS    # closest dependents
    S0rc
    N0lc
    S0kl                  # nearest collocates that wait outside of the context
    S0kr
    N0kl
    N0kr
    W_FIRST               # the words around a word, from 3 before it on
    N_ALL_POSITIONS = W_FIRST + 7


cdef enum:
    WIDEST_WINDOW = 2            # pending words on either side of the focus words that templates see


cdef struct CollocatesC:
    const int* starts     # [words + 1] those of word w are partners[starts[w]:starts[w + 1]]; NULL: none
    const int* partners   # within the sentence
    int window            # pending words that belong to the context on either side of the focus words


cdef struct ContextC:
    # The first and the last word that belong to the context.
    int first
    int last


# A view of arrays as the batches take them, (N + 1,) and (M,) int32, or of None. Raises ValueError
# (NM020) for a window that is less than 0 or more than WIDEST_WINDOW.
cdef CollocatesC view_collocates(collocates, int window=*) except *

# The context of the focus words. positions: [N_POSITIONS] of the system.
cdef ContextC find_context(const CollocatesC* collocates, const int* positions) noexcept nogil


cdef inline int waiting_side(const StateC* st, const ContextC* context, int w) noexcept nogil:
    """Of a word that waits for a head outside of the context: -1 left of it, 1 right; 0 for others."""
    if st.head[w] >= 0:
        return 0
    return -1 if w < context.first else w > context.last


# positions: [N_ALL_POSITIONS] word of each position, -1 for none; those of the system are there already.
# S0lc, S0rc, N0lc.
cdef void fill_closest(const StateC* st, int* positions) noexcept nogil
# S0kl to N0kr. first: row of the sentence's first word in `starts`.
cdef void fill_collocates(
    const CollocatesC* collocates, const StateC* st, int first, int* positions
) noexcept nogil
