"""A system that the decoder must refuse."""

from .two_planar cimport TwoPlanar


cdef class Lopsided(TwoPlanar):
    """Several roots, but no move called right_arc."""

    def __cinit__(self):
        self.name = "lopsided"
        self.name_moves(("shift", "reduce", "switch"), ("left_arc", "attach"))
