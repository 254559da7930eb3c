"""The positions: words of a configuration that a scorer may look at.

docs/extending.md says how to add one. A position that nothing fills is missing.
"""

from ..structs cimport StateC, SystemC


# S0, S1, S2: stack from the top (Covington: the left focus word i, then i-1, i-2); N0, N1, N2:
# buffer from the front (Covington: the right focus word j, j+1, j+2). Where an arc joins two stack
# or list words, S0 and N0 are these two, in any order. Suffixes: h head, h2 head of
# the head, l / r leftmost / rightmost dependent, l2 / r2 the second one. S0_next and N0_prev, in
# templates S0+ and N0-: the words next to S0 and before N0 in the sentence. CL, CR: first and last word
# between the focus words whose head lies outside of the interval (Fernandez-Gonzalez & Gomez-Rodriguez
# 2017, table 2).
cdef enum:
    S0, S1, S2, N0, N1, N2,
    S0h, S0h2, S0l, S0r, S0l2, S0r2,
    S1h, S1l, S1r,
    N0h, N0h2, N0l, N0l2, N0r,
    S0_next, N0_prev,
    CL, CR,
    N_POSITIONS


cdef inline void find_positions(
    const SystemC* system, const StateC* st, int focus, int* positions
) noexcept nogil:
    """The word of every position, -1 for those that are missing. positions: [N_POSITIONS]."""
    cdef int k
    for k in range(N_POSITIONS):
        positions[k] = -1
    system.positions(st, focus, positions)


# For the `positions` of a `SystemC`: those of a stack and a buffer, and what follows from them.
cdef void stack_positions(const StateC* st, int focus, int* positions) noexcept nogil

# Fills every position that follows from the two focus words and the arcs: heads, dependents,
# neighbours in the sentence. The caller has set S0, S1 and N0.
cdef void fill_related(const StateC* st, int* positions) noexcept nogil
