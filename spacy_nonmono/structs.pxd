# The C structs that every layer shares. They hold data only; who may change a field is said there.


cdef enum:
    UNKNOWN_HEAD = -2     # a gold head that is not annotated

cdef enum:
    N_SEEN = 4            # what `SystemC.seen` tells is less

cdef enum:                # the kinds of systems, by where a move is made
    STACK_AND_BUFFER      # at the top of the stack and the front of the buffer
    LIST                  # at one of several foci, two neighbours of the list of pending words
    PAIRS                 # at a pair of words (i, j); one pair after the other is looked at


cdef struct StateC:
    # A configuration: the arcs built so far, which all systems share, the cursor of one kind of system,
    # and what one system remembers beside it.
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

    # Cursor of the systems with a stack and a buffer.
    int* stack            # [depth] the top is stack[depth - 1]; ROOT is -1
    int* buffer           # [rest] reversed: the front is buffer[rest - 1]; ROOT is -1
    int depth
    int rest

    # Cursor of the list systems.
    int* pending          # [n_pending] the words without a head, in their order; ROOT is -1
    int n_pending

    # Cursor of the systems of pairs: left and right focus word. i = -1: no left focus word is left.
    int i
    int j

    # Memory of the system's own, for what its moves must remember beside the cursor; zero at first. It
    # is part of the configuration, so that what is not in use any more must be zero again.
    int* own              # [n_own]
    int n_own             # own_fixed + own_per_word * n
    int own_fixed         # those of `SystemC`
    int own_per_word

    # Where words are, and which have gone elsewhere, for whoever keeps counts; written by
    # `state.move_word`.
    signed char* where    # [n] IN_BUFFER, IN_STACK or GONE; list systems: GONE once it has a head
    int* moved            # [n_moved] oldest first; there is room for 2 * n
    int n_moved
    unsigned int epoch    # renewed whenever `moved` starts again: it tells no more what happened before


# focus: where a move is made in a list system, as the index of the left one of two neighbours in the
# list; 0 in all other systems, which do not read it.
ctypedef void (*start_f)(StateC*) noexcept nogil
ctypedef bint (*valid_f)(const StateC*, int focus, int move) noexcept nogil
ctypedef void (*apply_f)(StateC*, int focus, int move, int label) noexcept nogil
ctypedef void (*positions_f)(const StateC*, int focus, int* positions) noexcept nogil
ctypedef void (*arc_f)(const StateC*, int focus, int move, int* head, int* dependent) noexcept nogil
ctypedef int (*seen_f)(const StateC*) noexcept nogil
ctypedef void (*set_pair_f)(StateC*, int left, int right) noexcept nogil
ctypedef int (*foci_f)(const StateC*, int* first) noexcept nogil
ctypedef int (*pass_by_f)(const StateC*, int left) noexcept nogil


cdef struct SystemC:
    # A transition system. No function is NULL.
    int kind              # STACK_AND_BUFFER, LIST or PAIRS
    int own_fixed         # ints of memory of its own that a configuration has,
    int own_per_word      # and how many more for each word
    # Moves, by `TransitionSystem.name_moves`.
    int n_moves
    int n_plain           # the moves 0 .. n_plain - 1 take no label, the others build an arc with one
    int left_arc          # the arcs between S0 and N0 by the name of the move; -1: none
    int right_arc
    start_f start         # from an emptied state to the initial configuration
    valid_f is_valid
    apply_f apply         # the move must be valid; only arcs read the label
    positions_f positions  # fills those that the system has, in `positions.pxd`; the others are -1
    # The two words that a valid move joins: no move changes the heads of others. Asked of moves that
    # take a label, and of the others if the system `inserts`. head -1: ROOT. Both are -1 when it is
    # called, so that a move that joins none leaves them alone.
    arc_f arc
    # What a scorer is to see of a configuration beside its words and arcs: a number below N_SEEN.
    seen_f seen
    # Systems that leave words over, or insert arcs: puts the cursor on two words (left < right), so that
    # an arc between them can be scored and gets its label.
    set_pair_f set_pair
    foci_f foci           # list systems: the first focus where a move can be made, and how many
    # Systems of pairs: the move that passes by the pair of the focus words, where `left` is the next
    # word on the left that is looked at; -1: none is.
    pass_by_f pass_by
    bint single_root      # every output is one tree with one root
    bint projective       # arcs never cross
    bint inserts          # moves without a label build arcs, too, which get theirs in the end


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
