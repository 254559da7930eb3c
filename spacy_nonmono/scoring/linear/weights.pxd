"""Sparse weights of a linear model: a row a feature, an entry a class that it has been updated for."""

from libc.stdint cimport uint64_t
from libcpp.vector cimport vector
from preshed.maps cimport MapStruct, PreshMap


cdef enum:
    N_BITS = 16           # of the number of cells of a feature
    MAX_CLASSES = 1 << N_BITS


cdef struct EntryC:
    int c                 # class
    float w               # current weight
    double late           # sum of the updates, each times the clock then; mean: w - late / clock


cdef struct RowC:
    int n                 # entries
    int capacity
    int n_updates         # in how many updates the feature has taken part
    EntryC* entries       # [capacity] in the order of their first update


cdef struct WeightsC:
    void* owner           # the `Weights`
    const MapStruct* rows_of  # feature -> index of its row, plus 1
    vector[RowC]* rows
    double clock          # examples seen so far
    int n_classes         # greatest class that was updated, plus 1


cdef struct CellC:
    float w
    int c


cdef struct AveragedC:
    # Shared by batches, so all of it is const.
    # Feature -> first cell << N_BITS | number of cells; where there are many, number of a row << N_BITS.
    const MapStruct* cells_of
    const CellC* cells
    const float* rows     # [rows, width] every class
    int width             # greatest class, plus 1


# A feature is a 64-bit number; 0 stands for none.
# Adds `delta` to the weight of a class for every feature.
cdef void update(
    WeightsC* weights, const uint64_t* features, int n, int c, float delta
) noexcept nogil
# scores[c] += the weights of the features. `found` is scratch: [n].
cdef void add_current(
    const WeightsC* weights, const uint64_t* features, int n, uint64_t* found, float* scores
) noexcept nogil
cdef void add_averaged(
    const AveragedC* weights, const uint64_t* features, int n, uint64_t* found, float* scores
) noexcept nogil
# Asks the memory for what `add_...` will look up first.
cdef void prefetch(const MapStruct* table, const uint64_t* features, int n) noexcept nogil


cdef class Weights:
    """Weights under training."""
    cdef WeightsC c
    cdef PreshMap rows_of
    cdef vector[RowC] rows


cdef class AveragedWeights:
    """The averages of weights, to be read only."""
    cdef AveragedC c
    cdef PreshMap cells_of
    cdef readonly object features   # (F,) uint64
    cdef readonly object n_cells    # (F,) uint16
    cdef readonly object cells      # (M,) of CELL
    cdef object rows
    cdef void check(
        self, const uint64_t[::1] features, const unsigned short[::1] n_cells, const CellC[::1] cells,
        int n_classes
    ) except *
