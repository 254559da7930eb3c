"""The moves of the arc-eager family, and what some of its systems remember."""


cdef enum:
    SHIFT
    REDUCE                # also stands for Unshift, and for the arc that Reduce inserts
    LEFT_ARC
    RIGHT_ARC


cdef enum:                # memory of the systems with Unshift
    ENDED                 # 1 iff the buffer has been empty once
    N_ENDED               # behind it arc_eager_unshift has the bit of each word
