"""Words that scorers look at beside the positions of the transition systems."""

from ..structs cimport StateC
from ..transitions.system cimport N_POSITIONS


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


cdef struct CollocatesC:
    const int* starts     # [words + 1] those of word w are partners[starts[w]:starts[w + 1]]; NULL: none
    const int* partners   # within the sentence


# A view of arrays as the batches take them, (N + 1,) and (M,) int32, or of None.
cdef CollocatesC view_collocates(collocates) except *

# positions: [N_ALL_POSITIONS] word of each position, -1 for none; those of the system are there already.
# S0lc, S0rc, N0lc.
cdef void fill_closest(const StateC* st, int* positions) noexcept nogil
# S0kl to N0kr. first: row of the sentence's first word in `starts`.
cdef void fill_collocates(
    const CollocatesC* collocates, const StateC* st, int first, int* positions
) noexcept nogil
