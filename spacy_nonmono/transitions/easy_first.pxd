"""The moves of easy-first."""


cdef enum:
    LEFT_ARC
    RIGHT_ARC
