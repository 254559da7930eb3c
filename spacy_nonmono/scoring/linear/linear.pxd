"""The linear scorer in C: features of templates, weights of sparse rows, summed."""

from libc.stdint cimport uint64_t

from ...structs cimport StateC, SystemC
from ..positions cimport CollocatesC
from .templates cimport TemplatesC
from .weights cimport AveragedC, WeightsC


cdef enum:
    N_MEMOS = 256         # a power of 2; which one was not measured


cdef struct LinearC:
    int nO                # classes
    const TemplatesC* templates
    const WeightsC* current    # weights under training; NULL: the averaged ones
    const AveragedC* averaged
    const int* first      # [n_sentences] row of a sentence's first word in the matrix
    const uint64_t* matrix  # [words, n_columns] mixed values
    int n_columns
    const float* roots    # [words] score of a word as the root of its sentence
    CollocatesC collocates
    # Where all collocates count: how many features they can fire; 0: templates see the nearest ones.
    int n_room
    # What follows is written, so it belongs to one batch.
    const uint64_t** seen  # [rows] the features of what was looked at
    uint64_t* values      # [atoms of the templates] scratch
    uint64_t* found       # [templates + n_room] scratch
    # What the templates of one focus word gave before, by the sum of their features: the same word is
    # looked at again and again. Not used while weights change.
    uint64_t* memo_keys   # [N_MEMOS] 0: empty
    float* memos          # [N_MEMOS, nO]


# An input is the features of the templates, [n], 0 where one does not fire. With `n_room` there follow
# those that collocates fire, [n_room], and the number of them.
cdef inline int n_seen(const LinearC* scorer, const uint64_t* features) noexcept nogil:
    """How many features of an input count, from the first one on."""
    cdef int n = scorer.templates.n
    return n + <int>features[n + scorer.n_room] if scorer.n_room else n


cdef inline size_t input_length(const LinearC* scorer) noexcept nogil:
    return scorer.templates.n + scorer.n_room + (scorer.n_room > 0)


# The features that collocates can fire at a focus at most: what `n_room` is. collocates: as the batches
# take them.
cdef int room_for_collocates(const TemplatesC* templates, collocates) except -1

# The functions of a `ScorerC` whose `self` is a `LinearC`.
cdef void look_linear(
    void* self, const SystemC* system, const StateC* st, int focus, int sentence, void* input,
    int row
) noexcept nogil
cdef void score_linear(void* self, int row, int n, float* scores) noexcept nogil
cdef float root_linear(void* self, int sentence, int word) noexcept nogil

# The features of a word at `word` of `n` words whose matrix this is, seen by itself: window templates.
# values: scratch, [atoms of the templates].
cdef void extract_window(
    const TemplatesC* templates, const uint64_t* matrix, int n_columns, int n, int word,
    uint64_t* values, uint64_t* features
) noexcept nogil
