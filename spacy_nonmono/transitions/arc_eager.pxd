"""The moves of the arc-eager family."""


cdef enum:
    SHIFT
    REDUCE                # also stands for Unshift, and for the arc that Reduce inserts
    LEFT_ARC
    RIGHT_ARC
