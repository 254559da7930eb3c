"""Sparse weights of a linear model, and their averages.

Averages are lazy: beside each weight w stands the sum of its updates, each multiplied by the time at
which it was made; at time T the mean of w is w - sum / T (Daume 2006, Practical Structured Learning
Techniques for Natural Language Processing, section 2.1). Time counts the examples: the mean is that of
the weights with which each example was scored.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, realloc
from preshed.maps cimport map_get, map_iter, map_set

import numpy

from ...errors import Errors
from ...shapes import unfit

cdef extern from "../../compiler.h" nogil:
    void NONMONO_PREFETCH(const void* address) noexcept

cdef extern from "../kernels.h" namespace "nonmono" nogil:
    void add_rows(float* total, const float** rows, int n_rows, int n)

cdef enum:
    DENSE = 12            # from so many cells on a row of all classes is added: one vector after another
    MASK = (1 << N_BITS) - 1
    LOADED = 1 << 30      # updates that a feature counts as having had, when it has survived pruning

CELL = numpy.dtype([("w", "f4"), ("c", "i4")])
MOST_CLASSES = MAX_CLASSES


cdef void prefetch(const MapStruct* table, const uint64_t* features, int n) noexcept nogil:
    cdef int k
    for k in range(n):
        NONMONO_PREFETCH(&table.cells[features[k] & (table.length - 1)])


cdef int insert_row(WeightsC* weights, uint64_t feature) noexcept with gil:
    cdef Weights owner = <Weights>weights.owner
    owner.rows.push_back(RowC(n=0, capacity=0, n_updates=0, entries=NULL))
    owner.rows_of.set(feature, <void*><size_t>owner.rows.size())
    return owner.rows.size()


cdef EntryC* find_entry(RowC* row, int c) noexcept nogil:
    """The entry of a class; a new one if there is none."""
    cdef int k
    for k in range(row.n):
        if row.entries[k].c == c:
            return &row.entries[k]
    if row.n == row.capacity:
        row.capacity = 2 * row.capacity if row.capacity else 2
        row.entries = <EntryC*>realloc(row.entries, row.capacity * sizeof(EntryC))
    row.entries[row.n].c = c
    row.entries[row.n].w = 0
    row.entries[row.n].late = 0
    row.n += 1
    return &row.entries[row.n - 1]


cdef void update(
    WeightsC* weights, const uint64_t* features, int n, int c, float delta
) noexcept nogil:
    cdef RowC* row
    cdef EntryC* entry
    cdef size_t index
    cdef int k
    if c >= weights.n_classes:
        weights.n_classes = c + 1
    for k in range(n):
        if features[k] == 0:
            continue
        index = <size_t>map_get(weights.rows_of, features[k])
        if index == 0:
            index = insert_row(weights, features[k])
        row = &weights.rows[0][index - 1]
        row.n_updates += 1
        entry = find_entry(row, c)
        entry.w += delta
        entry.late += delta * weights.clock


cdef void add_current(
    const WeightsC* weights, const uint64_t* features, int n, uint64_t* found, float* scores
) noexcept nogil:
    cdef const RowC* row
    cdef int k, e
    cdef int n_found = 0
    cdef size_t index
    for k in range(n):
        if features[k]:
            index = <size_t>map_get(weights.rows_of, features[k])
            if index:
                found[n_found] = <uint64_t>&weights.rows[0][index - 1]
                NONMONO_PREFETCH(<void*>found[n_found])
                n_found += 1
    for k in range(n_found):
        NONMONO_PREFETCH((<const RowC*>found[k]).entries)
    for k in range(n_found):
        row = <const RowC*>found[k]
        for e in range(row.n):
            scores[row.entries[e].c] += row.entries[e].w


cdef void add_averaged(
    const AveragedC* weights, const uint64_t* features, int n, uint64_t* found, float* scores
) noexcept nogil:
    cdef const float** rows = <const float**>found   # from the front
    cdef const CellC* cell
    cdef const CellC* end
    cdef int k
    cdef int n_rows = 0
    cdef int n_sparse = 0                            # from the back
    cdef uint64_t value
    for k in range(n):
        if features[k]:
            value = <uint64_t>map_get(weights.cells_of, features[k])
            if value & MASK:
                NONMONO_PREFETCH(&weights.cells[value >> N_BITS])
                n_sparse += 1
                found[n - n_sparse] = value
            elif value:
                rows[n_rows] = &weights.rows[(value >> N_BITS) * weights.width]
                NONMONO_PREFETCH(rows[n_rows])
                n_rows += 1
    add_rows(scores, rows, n_rows, weights.width)
    for k in range(n - n_sparse, n):
        cell = &weights.cells[found[k] >> N_BITS]
        end = cell + (found[k] & MASK)
        while cell < end:
            scores[cell.c] += cell.w
            cell += 1


cdef class Weights:
    """The weights under training; there are none at first."""

    def __cinit__(self):
        self.rows_of = PreshMap(1 << 16)
        self.c.owner = <void*>self
        self.c.rows_of = self.rows_of.c_map
        self.c.rows = &self.rows
        self.c.clock = 0
        self.c.n_classes = 0

    def __dealloc__(self):
        cdef size_t k
        for k in range(self.rows.size()):
            free(self.rows[k].entries)

    def __len__(self):
        """The number of features."""
        return self.rows.size()

    @property
    def n_classes(self):
        """Get the greatest class that was updated, plus 1."""
        return self.c.n_classes

    @staticmethod
    def from_averages(AveragedWeights averages not None):
        """Make weights whose current values are averages, to go on from."""
        cdef Weights self = Weights()
        cdef const uint64_t[::1] features = averages.features
        cdef const unsigned short[::1] n_cells = averages.n_cells
        cdef const CellC* cell = averages.c.cells
        cdef int k
        for k in range(features.shape[0]):
            for _ in range(n_cells[k]):
                update(&self.c, &features[k], 1, cell.c, cell.w)
                cell += 1
            self.rows[k].n_updates = LOADED
        return self

    def update(self, const uint64_t[::1] features, int c, float delta):
        """Add `delta` to the weight of a class for every feature that is not 0. features: (n,).

        Raises ValueError (NM037) for a class below 0 or above 65,535.
        """
        if not 0 <= c < MAX_CLASSES:
            raise damaged(f"class {c}", f"0 to {MAX_CLASSES - 1}")
        if features.shape[0]:
            update(&self.c, &features[0], features.shape[0], c, delta)

    def tick(self):
        """Count one more example that has been seen."""
        self.c.clock += 1

    def averages(self, int min_updates=0):
        """Compute the averages over all examples seen, as AveragedWeights.

        min_updates: features that have taken part in fewer updates are left out.
        """
        cdef double clock = max(self.c.clock, 1)
        cdef size_t n_features = 0
        cdef size_t n_cells = 0
        cdef size_t k
        cdef int e, i, n
        cdef uint64_t feature
        cdef void* value
        cdef const RowC* row
        for k in range(self.rows.size()):
            n_features += 1
            n_cells += self.rows[k].n
        cdef uint64_t[::1] features = numpy.empty((n_features,), dtype="uint64")
        cdef unsigned short[::1] sizes = numpy.empty((n_features,), dtype="uint16")
        array = numpy.empty((n_cells,), dtype=CELL)
        cdef CellC[::1] cells = array
        cdef float w
        n_features = 0
        n_cells = 0
        i = 0
        with nogil:
            while map_iter(self.rows_of.c_map, &i, &feature, &value):
                row = &self.rows[<size_t>value - 1]
                if row.n_updates < min_updates:
                    continue
                n = 0
                for e in range(row.n):
                    w = row.entries[e].w - row.entries[e].late / clock
                    if w != 0:
                        cells[n_cells].c = row.entries[e].c
                        cells[n_cells].w = w
                        n_cells += 1
                        n += 1
                if n > 0:
                    features[n_features] = feature
                    sizes[n_features] = n
                    n_features += 1
        return AveragedWeights(
            numpy.asarray(features)[:n_features].copy(),
            numpy.asarray(sizes)[:n_features].copy(),
            array[:n_cells].copy(),
        )


cdef read_only(array):
    """A view that cannot be written."""
    view = array.view()
    view.flags.writeable = False
    return view


cdef damaged(found, expected):
    return ValueError(Errors.NM037.format(found=found, expected=expected))


def check_room(weights, int n_classes):
    """Raises ValueError (NM020) if a model of so many classes has no room for the weights."""
    if weights.n_classes > n_classes:
        raise unfit("the number of classes", weights.n_classes, f"at most {n_classes}")


cdef class AveragedWeights:
    """The averages of weights, which only predict.

    features: (F,) uint64, each once, none of them 0. n_cells: (F,) uint16, number of cells of each
    feature, one at least. cells: (M,) of CELL, finite weights and their classes, feature by feature.
    n_classes: how many classes there are.

    Raises ValueError (NM037) where the arrays are not so or do not fit each other.
    """

    def __cinit__(self, features, n_cells, cells, int n_classes=MAX_CLASSES):
        cdef const uint64_t[::1] keys = features
        cdef const unsigned short[::1] sizes = n_cells
        cdef const CellC[::1] pairs = cells
        cdef uint64_t first = 0
        cdef uint64_t n_rows = 1      # row 0 stays empty: 0 in the map stands for nothing
        cdef uint64_t value
        cdef size_t k
        cdef int e
        cdef size_t room = 16
        self.check(keys, sizes, pairs, n_classes)
        while room * 3 <= (<size_t>keys.shape[0] + 1) * 5:
            room *= 2
        self.features, self.n_cells, self.cells = [
            read_only(array) for array in (features, n_cells, cells)
        ]
        self.cells_of = PreshMap(room)
        self.c.cells_of = self.cells_of.c_map
        self.c.cells = &pairs[0] if pairs.shape[0] else NULL
        cdef float[:, ::1] rows = numpy.zeros(
            (1 + numpy.count_nonzero(n_cells >= DENSE), self.c.width), dtype="f"
        )
        self.rows = rows
        self.c.rows = &rows[0, 0] if self.c.width else NULL
        for k in range(<size_t>keys.shape[0]):
            value = first << N_BITS | sizes[k]
            if sizes[k] >= DENSE:
                for e in range(sizes[k]):
                    rows[n_rows, pairs[first + e].c] = pairs[first + e].w
                value = n_rows << N_BITS
                n_rows += 1
            map_set(self.cells_of.mem, self.cells_of.c_map, keys[k], <void*>value)
            first += sizes[k]
        # The map holds the key 1 beside its table and does not count it.
        n_keys = len(self.cells_of) + self.cells_of.c_map.is_del_key_set
        if n_keys != len(keys):
            raise damaged(f"{n_keys} features", f"{len(keys)}, each once")

    cdef void check(
        self, const uint64_t[::1] features, const unsigned short[::1] n_cells, const CellC[::1] cells,
        int n_classes
    ) except *:
        """What scoring relies on; also finds the width."""
        cdef uint64_t n = 0
        cdef Py_ssize_t k
        cdef int highest = -1
        cdef int lowest = 0
        cdef float sum = 0            # NaN as soon as one weight is not finite
        cdef bint no_feature = False
        cdef bint no_cells = False
        if n_cells.shape[0] != features.shape[0]:
            found = f"{n_cells.shape[0]} numbers of cells"
            raise damaged(found, f"{features.shape[0]}, one per feature")
        with nogil:
            for k in range(features.shape[0]):
                n += n_cells[k]
                no_feature |= features[k] == 0
                no_cells |= n_cells[k] == 0
            for k in range(cells.shape[0]):
                highest = cells[k].c if cells[k].c > highest else highest
                lowest = cells[k].c if cells[k].c < lowest else lowest
                sum += cells[k].w * 0
        if n != <uint64_t>cells.shape[0]:
            raise damaged(f"{cells.shape[0]} cells", n)
        if no_feature or no_cells:
            raise damaged("a feature 0, or one without cells", "neither")
        if lowest < 0 or highest >= min(n_classes, MAX_CLASSES):
            raise damaged(f"classes from {lowest} to {highest}", f"0 to {n_classes - 1}")
        if sum != 0:
            raise damaged("weights that are not finite", "numbers")
        self.c.width = highest + 1

    @property
    def n_classes(self):
        """Get the greatest class with a weight, plus 1."""
        return self.c.width

    def __len__(self):
        """The number of features."""
        return len(self.features)


def class_scores(weights, const uint64_t[::1] features, int n_classes):
    """Sum the weights of features (n,) for each class: (n_classes,) float32.

    weights: AveragedWeights, or Weights, of which the current ones count.

    Raises ValueError (NM020) if there are weights of more classes.
    """
    cdef float[::1] scores = numpy.zeros((n_classes,), dtype="f")
    cdef uint64_t[::1] found = numpy.empty((features.shape[0] + 1,), dtype="uint64")
    cdef int n = features.shape[0]
    check_room(weights, n_classes)
    if n and isinstance(weights, Weights):
        add_current(&(<Weights>weights).c, &features[0], n, &found[0], &scores[0])
    elif n:
        add_averaged(&(<AveragedWeights?>weights).c, &features[0], n, &found[0], &scores[0])
    return numpy.asarray(scores)
