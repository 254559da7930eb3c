# The C structs that every layer shares. They hold data only; who may change a field is said there.


cdef struct StateC:
    # A configuration: the arcs built so far, which all systems share, and the cursor of one system.
    # Every array has room for `capacity` words and lives in one block (`state.state_carve`).
    int capacity
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

    # Cursor of the stack systems. A word is in exactly one place.
    signed char* place    # [n] IN_BUFFER, IN_STACK or GONE; list systems: GONE once it has a head
    signed char* shifted  # [n] arc_eager_unshift: 1 iff Shift has pushed the word before (its "bit")
    int* insert_label     # [n] label for an arc inserted by Reduce (arc_eager_repair); -1: none
    int* stack            # [depth] the top is stack[depth - 1]; ROOT is -1. List systems: the list
    int* buffer           # [rest] reversed: the front is buffer[rest - 1]; ROOT is -1
    int depth
    int rest
    bint end              # arc_eager_tree_constrained: the buffer has been empty once

    # Which words have changed their place, for whoever keeps counts; written by `state.move_word`.
    int* moved            # [n_moved] oldest first; there is room for 2 * capacity
    int n_moved
    unsigned int epoch    # renewed whenever `moved` starts again: it tells no more what happened before

    # Cursor of Covington's systems: left and right focus word. i = -1: no left focus word is left.
    int i
    int j

    # Cursor of the list systems: the focus stands on stack[i] and stack[i + 1]; -1: nowhere.
    bint attached         # yamada_matsumoto: something was attached in this pass
    bint forced           # yamada_matsumoto: nothing was in the last one, so that now something must


cdef struct TallyC:
    # The gold dependents of every word by place, as of the configuration that was counted last. Only
    # `oracles/places.pxd` writes here.
    const StateC* state   # that configuration; NULL: none yet
    unsigned int epoch    # its epoch then
    int n_moved           # how much of its `moved` has been read
    int* kids             # [n, N_TALLIES]
    signed char* place    # [n] where a word was counted


cdef struct GoldC:
    # The gold tree of one sentence, with what the oracles ask of it.
    int n
    int* head             # [n] gold head; -1: root; UNKNOWN_HEAD: not annotated
    int* label            # [n] gold label id; -1: not annotated, or labels are not scored
    int* kids_start       # [n + 1] the gold dependents of h are kids[kids_start[h]:kids_start[h + 1]]
    int* kids             # [n]
    int* scratch          # [GOLD_SCRATCH * (n + 1)] free space for an oracle's own sums
    TallyC* tally         # written by oracles, as `scratch` is
