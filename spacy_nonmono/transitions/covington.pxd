"""The moves of Covington's systems."""


cdef enum:
    SHIFT
    NO_ARC
    LEFT_ARC
    RIGHT_ARC
