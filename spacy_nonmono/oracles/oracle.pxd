"""What a move costs, given the gold tree. What another package needs to write an oracle is here."""

from cymem.cymem cimport Pool
from libc.stdint cimport int64_t

from ..structs cimport GoldC, StateC, SystemC
from ..state cimport State
from ..transitions.moves cimport MAX_MOVES


cdef enum:
    GOLD_SCRATCH = 16     # ints of scratch per word


cdef struct CostsC:
    # Of every move; what stands at a move that is not valid has no meaning.
    bint valid[MAX_MOVES]
    int cost[MAX_MOVES]       # arcs lost by the move if its arc takes its best label
    int tie_cost[MAX_MOVES]   # among moves of equal cost the least is preferred
    bint gold_arc[MAX_MOVES]  # the move builds an arc between a word and its gold head
    int gold_label[MAX_MOVES]  # the gold label of that arc; -1: not annotated


cdef struct CountsC:
    # How hard an oracle had to work.
    int64_t searches      # losses that it computed
    int64_t nodes         # steps of all these searches
    int64_t cap_hits      # searches given up, for a bound
    # Training sentences left out, as often as training came to them.
    int64_t underivable   # a static oracle has no derivation of the gold tree
    int64_t too_long      # longer than `max_words`


cdef struct OracleC:
    # `costs` finds `valid` filled and the other fields zero (gold_label: -1).
    void (*costs)(
        const OracleC*, const SystemC*, const StateC*, int focus, const GoldC*, CostsC*
    ) noexcept nogil
    # Words that get a wrong head at best from here on.
    int (*loss)(const OracleC*, const StateC*, const GoldC*) noexcept nogil
    # Static oracles only: the next move of the derivation as an action; -1: none.
    int (*next_move)(const SystemC*, const StateC*, const GoldC*) noexcept nogil
    int bound                 # Covington's non-monotonic oracles: which bound
    int cycle_cap             # and at how many cycles they fall back to the lower one
    int max_words             # longer sentences it cannot take: tables or recursion grow too large
    CountsC* counts


# Carving of a block into the arrays of a gold tree; then, once heads and labels are set, the index.
cdef size_t gold_bytes(int capacity) noexcept nogil
cdef void gold_carve(GoldC* gold, void* block, int capacity) noexcept nogil
cdef void gold_index(GoldC* gold) noexcept nogil

# Costs of all valid moves at a focus, and those of the least (cost, tie_cost) as bits: 1 << move.
cdef void get_costs(
    const OracleC* oracle, const SystemC* system, const StateC* st, int focus, const GoldC* gold,
    CostsC* costs
) noexcept nogil
cdef int optimal_moves(const SystemC* system, const CostsC* costs) noexcept nogil

# Static oracles: whether the derivation from an initial configuration ends in the gold tree.
cdef bint rebuilds_gold(
    const OracleC* oracle, const SystemC* system, StateC* st, const GoldC* gold
) noexcept nogil


cdef inline void set_gold_arc(CostsC* costs, const GoldC* gold, int move, int h, int d) noexcept nogil:
    """Note whether the arc that `move` builds, from h to d, is gold. h = -1: ROOT."""
    if gold.head[d] == h:
        costs.gold_arc[move] = True
        costs.gold_label[move] = gold.label[d] if h >= 0 else -1


cdef inline bint is_built(
    const int* head, const int* label, const GoldC* gold, int d
) noexcept nogil:
    """The gold arc to d is among arcs given by the head and the label of each word, label included."""
    return (
        gold.head[d] >= 0
        and head[d] == gold.head[d]
        and (gold.label[d] < 0 or label[d] == gold.label[d])
    )


cdef inline bint built(const StateC* st, const GoldC* gold, int d) noexcept nogil:
    """The configuration has the gold arc to d, label included."""
    return is_built(st.head, st.label, gold, d)


cdef class Gold:
    # A gold tree in the form that the oracles read, made for one call.
    cdef Pool mem
    cdef GoldC c


cdef class Oracle:
    cdef OracleC c
    cdef CountsC counts
    cdef readonly str name
    cdef readonly object system     # a `TransitionSystem`
    cdef const SystemC* c_system    # its struct
    cdef readonly bint is_cubic     # costs take cubic time in the words of the sentence
    # Called by `__cinit__` of a subclass: the system must be one of those that it knows, by name; else
    # it raises ValueError, or TypeError if it is no system.
    cdef int serve(self, system, str name, tuple known) except -1
    # Raises TypeError if no subclass has called `serve`, ValueError if it was for another system.
    cdef int check(self, system) except -1
    # The gold tree of a state of the oracle's system; both are checked.
    cdef Gold read_gold(self, State state, heads, labels)
    cdef list all_costs(self, State state, Gold gold)


cdef class StaticOracle(Oracle):
    pass
