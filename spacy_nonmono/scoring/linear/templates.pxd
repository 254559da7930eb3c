"""Feature templates in C: from a configuration to an array of features."""

from libc.stdint cimport uint64_t

from ...structs cimport StateC


cdef enum:                # kind of an atom
    COLUMN                # of the matrix
    LABEL                 # of the arc to the head
    N_LEFT                # number of left dependents
    N_RIGHT
    LEFT_LABELS           # set of the labels of the left dependents
    RIGHT_LABELS
    DISTANCE              # between S0 and N0


cdef struct AtomC:
    int kind
    int position
    int column
    uint64_t factor       # odd; tells the atoms of one value apart


cdef struct TemplatesC:
    # Shared by batches, so all of it is const.
    int n                 # templates
    int n_left            # the first ones look at S0 and what belongs to it only
    int n_right           # those behind them at N0 and what belongs to it only
    # [n + n_repeated + 1] template t joins the atoms members[starts[t]:starts[t + 1]]
    const int* starts
    const int* members
    int n_atoms
    const AtomC* atoms    # [n_atoms]
    bint closest          # whether any atom is of a closest dependent, which takes a walk to find
    # Behind the templates above those that every collocate of a kind of position fires, not one alone.
    int n_repeated
    const int* repeated   # [n_repeated] which position; it is in `starts`, too
    int n_single_atoms    # the first ones, which the templates above have


# One value of a matrix column, or of another atom, mixed: so that sums of them are keys of a hash table.
# 0, a missing value, stays 0.
cdef uint64_t mix(uint64_t value) noexcept nogil

# Features of a configuration: [n], 0 where a template does not fire. positions: [N_ALL_POSITIONS] word
# of each position, -1 for none. matrix: [words, n_columns] mixed, of the sentence. st: may be NULL if
# no atom asks for arcs. values: scratch, [n_atoms].
cdef void extract(
    const TemplatesC* templates, const StateC* st, const int* positions, const uint64_t* matrix,
    int n_columns, uint64_t* values, uint64_t* features
) noexcept nogil


# Add the features of a collocate of the sentence at a position, but for those that are there already,
# to the `n_found` features at `found`; how many there are then. values: as `extract` has left them.
cdef int extract_repeated(
    const TemplatesC* templates, const StateC* st, int* positions, const uint64_t* matrix,
    int n_columns, uint64_t* values, int position, int word, uint64_t* found, int n_found
) noexcept nogil


cdef class Templates:
    """Compiled templates."""
    cdef object mem
    cdef TemplatesC c
    cdef readonly tuple names     # (n + n_repeated,) in the order of the features
    cdef readonly bint collocates  # whether any asks for a collocate
