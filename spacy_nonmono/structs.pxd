# The C structs that every layer shares. They hold data only; who may change a field is said there.


cdef enum:
    UNKNOWN_HEAD = -2     # a gold head that is not annotated


cdef struct StateC:
    # A configuration: the arcs built so far, which all systems share, and the cursor of one system.
    void* block           # holds the arrays; `state.state_reset` lays them out in it
    int capacity          # the number of words that the block has room for
    int n                 # words of the sentence; indices are 0-based

    # Arcs; changed only through `state.set_head` and `state.clear_head`.
    int* head             # [n] head of a word; -1: root or not attached
    int* label            # [n] label id of the arc to the head; -1 without one
    int* first            # [n] first (leftmost) dependent of a word, left ones included; -1: none
    int* last             # [n] last (rightmost) dependent; -1: none
    int* next             # [n] the next dependent of the same head, in sentence order; -1: none
    int* prev             # [n] the one before; -1: none
    int* n_left           # [n] number of dependents on the left of a word
    int* n_right          # [n] number of dependents on its right

    # Cursor of the stack systems.
    signed char* where    # [n] IN_BUFFER, IN_STACK or GONE; list systems: GONE once it has a head
    signed char* shifted  # [n] arc_eager_unshift: 1 iff Shift has pushed the word before (its "bit")
    int* insert_label     # [n] label for an arc inserted by Reduce (arc_eager_repair); -1: none
    int* stack            # [depth] the top is stack[depth - 1]; ROOT is -1. List systems: the list
    int* buffer           # [rest] reversed: the front is buffer[rest - 1]; ROOT is -1
    int depth
    int rest
    bint end              # arc-eager family: the buffer has been empty once

    # Which words have gone elsewhere, for whoever keeps counts; written by `state.move_word`.
    int* moved            # [n_moved] oldest first; there is room for 2 * n
    int n_moved
    unsigned int epoch    # renewed whenever `moved` starts again: it tells no more what happened before

    # Cursor of Covington's systems: left and right focus word. i = -1: no left focus word is left.
    int i
    int j

    # Cursor of yamada_matsumoto: the pass looks at stack[i] and stack[i + 1].
    bint attached         # something was attached in this pass
    bint forced           # nothing was in the last one, so that now something must


cdef struct TallyC:
    # The gold dependents of every word by where they are, in the configuration that was counted last.
    # Only `oracles/tally.pxd` writes here.
    const StateC* state   # that configuration; NULL: none yet
    unsigned int epoch    # its epoch then
    int n_moved           # how much of its `moved` has been read
    int* kids             # [n, N_TALLIES]
    signed char* where    # [n] as what a word was counted


cdef struct GoldC:
    # The gold tree of one sentence, with what the oracles ask of it.
    int n
    int* head             # [n] gold head; -1: root; UNKNOWN_HEAD: not annotated
    int* label            # [n] gold label id; -1: not annotated, or labels are not scored
    int* kids_start       # [n + 1] the gold dependents of h are kids[kids_start[h]:kids_start[h + 1]]
    int* kids             # [n]
    int* scratch          # [GOLD_SCRATCH * (n + 1)] free space for an oracle's own sums
    TallyC* tally         # written by oracles, as `scratch` is
