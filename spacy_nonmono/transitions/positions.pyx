"""The positions: words of a configuration that a scorer may look at."""

from ..state cimport (
    buffer_at, head_of, leftmost, rightmost, second_leftmost, second_rightmost, stack_at,
)

# As templates and `TransitionSystem.positions` name them, in the order of the enum
POSITION_NAMES = (
    "S0", "S1", "S2", "N0", "N1", "N2",
    "S0h", "S0h2", "S0l", "S0r", "S0l2", "S0r2",
    "S1h", "S1l", "S1r",
    "N0h", "N0h2", "N0l", "N0l2", "N0r",
    "S0+", "N0-",
    "CL", "CR",
)
assert len(POSITION_NAMES) == N_POSITIONS


cdef void stack_positions(const StateC* st, int focus, int* positions) noexcept nogil:
    positions[S0] = stack_at(st, 0)
    positions[S1] = stack_at(st, 1)
    positions[S2] = stack_at(st, 2)
    positions[N0] = buffer_at(st, 0)
    positions[N1] = buffer_at(st, 1)
    positions[N2] = buffer_at(st, 2)
    fill_related(st, positions)


cdef void fill_related(const StateC* st, int* positions) noexcept nogil:
    cdef int s0 = positions[S0]
    cdef int s1 = positions[S1]
    cdef int n0 = positions[N0]
    positions[S0h] = head_of(st, s0)
    positions[S0h2] = head_of(st, positions[S0h])
    positions[S0l] = leftmost(st, s0)
    positions[S0r] = rightmost(st, s0)
    positions[S0l2] = second_leftmost(st, s0)
    positions[S0r2] = second_rightmost(st, s0)
    positions[S1h] = head_of(st, s1)
    positions[S1l] = leftmost(st, s1)
    positions[S1r] = rightmost(st, s1)
    positions[N0h] = head_of(st, n0)
    positions[N0h2] = head_of(st, positions[N0h])
    positions[N0l] = leftmost(st, n0)
    positions[N0l2] = second_leftmost(st, n0)
    positions[N0r] = rightmost(st, n0)
    positions[S0_next] = s0 + 1 if 0 <= s0 < st.n - 1 else -1
    positions[N0_prev] = n0 - 1
