"""The window of Brown clustering: what is counted of its clusters, and the losses of their mergers."""

from cymem.cymem cimport Pool
from libc.stdint cimport int64_t


cdef enum:
    OUT = 0               # bigrams as the first word sees them
    IN = 1                # and as the second does
    COMPARED_BITS = 20         # losses are compared in units of 2 ** -20 nats
    MAX_CLUSTERS = 46000  # so that the square of `width` fits into an int


# Slots, `width` of them, number the rows and columns of the matrices: C + 1 for clusters, and two more.
cdef struct WindowC:
    int width                  # C + 3
    int rest                   # the slot of the types that have not entered
    int empty                  # the slot that stays empty
    int n_active               # clusters in the window
    int* order                 # (width,) their slots, by their most frequent type
    int* free_slots            # (width,) a stack of those without a cluster
    int n_free                 # how many
    # Bigrams of types: of type w those at starts[side][w] .. starts[side][w + 1]
    const int* starts[2]       # (V + 1,)
    const int* partners[2]     # (B,) the other type of each
    const int* counts[2]       # (B,) how often it occurs
    # Types and clusters
    int* slot                  # (V,) of the class that the type is in
    int* next                  # (V,) the next type of the same cluster, -1: none
    int* first                 # (width,) the most frequent type of the cluster
    int* last                  # (width,) the end of the list that `next` makes
    # Bigrams of classes; rows and columns of slots that are free are 0
    int* joint[2]              # (width, width): joint[OUT][i, j] = joint[IN][j, i] = n_ij
    int* total[2]              # (width,): l and r; not of the rest
    # Losses of clusters, in units
    int64_t* loss              # (width, width): read and written by `pair`, lower triangle
    int64_t* best              # (width,) `level` of the least loss of a merger with an earlier cluster
    int* best_with             # (width,) that cluster; -1: to be searched
    int64_t* F                 # (F_SIZE,) n ln n of small n, in units
    double scale               # units of a nat
    int shift                  # units are 2 ** -shift of those in which losses are compared
    # Room for one step
    int64_t* shared            # (width,) what the merged cluster shares with each other one
    int* near                  # (width,) clusters that are neighbours of d or p, those of p first
    int* before                # (width,) their bigrams with d
    int* added                 # (width,) and with p
    int64_t* lost              # (width,) g of both


cdef inline int64_t* pair(const WindowC* w, int i, int j) noexcept nogil:
    """Where the loss of the slots i and j stands."""
    return &w.loss[i * w.width + j] if i > j else &w.loss[j * w.width + i]


cdef inline int64_t level(const WindowC* w, int64_t loss) noexcept nogil:
    """The loss as it is compared."""
    return (loss + ((<int64_t>1 << w.shift) >> 1)) >> w.shift


# Make an empty window of C clusters: all V types are in the rest. Its memory belongs to `mem` and to the
# arrays that are returned: both are to be kept.
# firsts, seconds, counts: (B,) int32, the bigrams of types. exponent: units are 2 ** -exponent nats.
cdef list open_window(
    WindowC* w, Pool mem, firsts, seconds, counts, int n_types, int n_clusters, int exponent
)

# Fill `shared`: what d and p share, once they are one, with each cluster but d and p.
cdef void share(WindowC* w, int d, int p) noexcept nogil

# Update the losses of pairs of other clusters, whose terms of d and of p become one.
# sign: 1; -1 if on the contrary one class has become d and p. side: OUT or IN, both are to be done.
cdef void join_columns(WindowC* w, int d, int p, int side, int sign) noexcept nogil

# Write the losses of i and each other cluster; `shared` holds what i shares with them.
cdef void set_losses(WindowC* w, int i) noexcept nogil
