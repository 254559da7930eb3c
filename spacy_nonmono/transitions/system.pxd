"""A transition system: which moves a configuration allows and what they do. Knows no gold tree.

What another package needs for a system of its own is here, in `moves.pxd`, `positions.pxd`, `state.pxd`
and `structs.pxd`; see docs/extending.md. A system numbers its moves in an order of its own: those that
build no arc come first.
"""

from ..state cimport State
from ..structs cimport SystemC


cdef class TransitionSystem:
    cdef SystemC c
    cdef readonly str name
    cdef readonly tuple positions   # names of the positions that the system fills
    cdef readonly tuple moves       # names, in the order of their numbers
    # What people who look at derivations want to know of moves, by name: those that do nothing but pass
    # by a pair of words, and those that may put a word back to the buffer for a repair.
    cdef readonly tuple passing_moves
    cdef readonly tuple unshifting_moves
    cdef readonly bint limited      # of the trees with crossing arcs it can build some, not all
    # Called by `__cinit__` of a subclass: the names of its moves, those that build arcs apart.
    cdef int name_moves(self, tuple plain, tuple arcs) except -1
    cdef int check(self, State state) except -1
    cdef int find_valid(self, State state, move) except -1
    cdef int find(self, State state, move) except -2
    cdef list valid_actions(self, State state)
    cdef object action_name(self, int action)
