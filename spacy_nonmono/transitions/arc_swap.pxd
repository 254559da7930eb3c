"""The moves of arc-standard with Swap."""


cdef enum:
    SHIFT
    SWAP
    LEFT_ARC
    RIGHT_ARC
