"""The moves of Yamada & Matsumoto's system that build no arc. Only fine-grained shift has the last
two."""


cdef enum:
    SHIFT
    SHIFT_LEFT            # between a word and its head on the right
    SHIFT_RIGHT           # between a word and its head on the left
