"""The linear scorer: sums of sparse weights of the features that templates find."""

from libc.string cimport memset

import numpy

from ..state cimport MAX_WORDS, State
from ..transitions.system cimport N_POSITIONS, TransitionSystem
from .positions cimport N_ALL_POSITIONS, W_FIRST, fill_closest, fill_collocates, view_collocates
from .templates cimport Templates, extract, mix
from .weights cimport (
    AveragedC, AveragedWeights, Weights, WeightsC, add_averaged, add_current, prefetch,
)

from ..shapes import check_at_least, check_collocates, check_lengths, check_shape, check_values
from .weights import check_room

cdef extern from "kernels.h" namespace "nonmono" nogil:
    void add_row(float* total, const float* row, int n)


cdef void see(
    const LinearC* scorer, const SystemC* system, const StateC* st, int focus, int sentence,
    uint64_t* features
) noexcept nogil:
    """The features of a configuration."""
    cdef int first = scorer.first[sentence]
    cdef int[N_ALL_POSITIONS] positions
    cdef int k
    system.positions(st, focus, positions)
    for k in range(N_POSITIONS, N_ALL_POSITIONS):
        positions[k] = -1
    if scorer.templates.closest:
        fill_closest(st, positions)
    if scorer.collocates.starts != NULL:
        fill_collocates(&scorer.collocates, st, first, positions)
    extract(
        scorer.templates, st, positions, scorer.matrix + <size_t>first * scorer.n_columns,
        scorer.n_columns, scorer.values, features,
    )


cdef inline uint64_t memo_key(const uint64_t* features, int n) noexcept nogil:
    cdef uint64_t key = 0
    cdef int k
    for k in range(n):
        key += features[k]
    return key


cdef void look_linear(
    void* self, const SystemC* system, const StateC* st, int focus, int sentence, void* input,
    int row
) noexcept nogil:
    cdef LinearC* scorer = <LinearC*>self
    cdef const TemplatesC* templates = scorer.templates
    cdef uint64_t* features = <uint64_t*>input
    cdef uint64_t key
    cdef int first = 0
    cdef int n, side
    see(scorer, system, st, focus, sentence, features)
    scorer.seen[row] = features
    if scorer.current != NULL:
        prefetch(scorer.current.rows_of, features, templates.n)
        return
    for side in range(2):
        n = templates.n_right if side else templates.n_left
        key = memo_key(features + first, n)
        if scorer.memo_keys[key & (N_MEMOS - 1)] != key:
            prefetch(scorer.averaged.cells_of, features + first, n)
        first += n
    prefetch(scorer.averaged.cells_of, features + first, templates.n - first)


cdef void score_side(LinearC* scorer, const uint64_t* features, int n, float* scores) noexcept nogil:
    """Add what the templates of one focus word give."""
    cdef uint64_t key = memo_key(features, n)
    cdef int index = key & (N_MEMOS - 1)
    cdef float* memo = scorer.memos + index * scorer.nO
    if scorer.memo_keys[index] != key:
        scorer.memo_keys[index] = key
        memset(memo, 0, scorer.nO * sizeof(float))
        add_averaged(scorer.averaged, features, n, scorer.found, memo)
    add_row(scores, memo, scorer.nO)


cdef void score_linear(void* self, int row, int n, float* scores) noexcept nogil:
    cdef LinearC* scorer = <LinearC*>self
    cdef const TemplatesC* templates = scorer.templates
    cdef int n_left = templates.n_left
    cdef int n_one = n_left + templates.n_right
    cdef const uint64_t* features
    cdef int k
    memset(scores, 0, n * scorer.nO * sizeof(float))
    for k in range(row, row + n):
        features = scorer.seen[k]
        if scorer.current != NULL:
            add_current(scorer.current, features, templates.n, scorer.found, scores)
        else:
            score_side(scorer, features, n_left, scores)
            score_side(scorer, features + n_left, templates.n_right, scores)
            add_averaged(
                scorer.averaged, features + n_one, templates.n - n_one, scorer.found, scores
            )
        scores += scorer.nO


cdef float root_linear(void* self, int sentence, int word) noexcept nogil:
    cdef LinearC* scorer = <LinearC*>self
    return scorer.roots[scorer.first[sentence] + word]


cdef void extract_window(
    const TemplatesC* templates, const uint64_t* matrix, int n_columns, int n, int word,
    uint64_t* values, uint64_t* features
) noexcept nogil:
    cdef int[N_ALL_POSITIONS] positions
    cdef int k, w
    for k in range(N_ALL_POSITIONS):
        w = word + k - W_FIRST - 3
        positions[k] = w if k >= W_FIRST and 0 <= w < n else -1
    extract(templates, NULL, positions, matrix, n_columns, values, features)


def mix_values(uint64_t[:, ::1] matrix not None):
    """Prepare the values of words (N, n_columns) for `Templates`, in place; 0 is a missing value."""
    cdef size_t k
    cdef size_t n = matrix.shape[0] * matrix.shape[1]
    cdef uint64_t* values
    if n:
        values = &matrix[0, 0]
        for k in range(n):
            values[k] = mix(values[k])


def window_scores(
    Templates templates not None, weights, const uint64_t[:, ::1] matrix not None,
    const int[::1] lengths not None,
):
    """(N,) float32: the score of every word by what is around it in its doc or sentence.

    weights: AveragedWeights, or Weights, which are under training. matrix: (N, n_columns), mixed.
    lengths: words of each doc or sentence.

    Raises ValueError (NM020, NM021, NM036) if these do not fit each other.
    """
    cdef int nT = templates.c.n
    cdef uint64_t[::1] features = numpy.zeros((2 * nT + 1,), dtype="uint64")
    cdef uint64_t[::1] values = numpy.zeros((templates.c.n_atoms + 1,), dtype="uint64")
    cdef float[::1] scores = numpy.zeros((matrix.shape[0] + 1,), dtype="f")
    cdef int n_columns = matrix.shape[1]
    cdef const WeightsC* current = NULL
    cdef const AveragedC* averaged = NULL
    cdef int first = 0
    cdef int k, w
    check_lengths(lengths, matrix.shape[0], MAX_WORDS)
    check_at_least("matrix", matrix, 1, templates.n_columns)
    check_room(weights, 1)
    if isinstance(weights, Weights):
        current = &(<Weights>weights).c
    else:
        averaged = &(<AveragedWeights?>weights).c
    with nogil:
        for k in range(lengths.shape[0]):
            for w in range(lengths[k]):
                extract_window(
                    &templates.c, &matrix[first, 0], n_columns, lengths[k], w, &values[0],
                    &features[0],
                )
                if current != NULL:
                    add_current(current, &features[0], nT, &features[nT], &scores[first + w])
                else:
                    add_averaged(averaged, &features[0], nT, &features[nT], &scores[first + w])
            first += lengths[k]
    return numpy.asarray(scores)[:matrix.shape[0]]


def state_features(
    Templates templates not None, TransitionSystem system not None, State state not None,
    const uint64_t[:, ::1] matrix not None, collocates=None, Py_ssize_t focus=0,
):
    """(n_templates,) uint64: the features of a configuration of a sentence of one word or more.

    matrix: (n, n_columns), mixed. collocates: as for `LinearBatch`. focus: of a list system.
    """
    cdef LinearC scorer
    cdef int first = 0
    cdef uint64_t[::1] features = numpy.zeros((templates.c.n + 1,), dtype="uint64")
    cdef uint64_t[::1] values = numpy.zeros((templates.c.n_atoms + 1,), dtype="uint64")
    system.check(state)
    check_shape("matrix", matrix, state.c.n, matrix.shape[1])
    check_at_least("matrix", matrix, 0, 1)
    check_at_least("matrix", matrix, 1, max(templates.n_columns, 1))
    check_collocates(collocates, [state.c.n])
    check_values("focus", focus, 0, state.c.n)
    scorer.templates = &templates.c
    scorer.values = &values[0]
    scorer.first = &first
    scorer.matrix = &matrix[0, 0]
    scorer.n_columns = matrix.shape[1]
    scorer.collocates = view_collocates(collocates)
    see(&scorer, &system.c, &state.c, focus, 0, &features[0])
    return numpy.asarray(features)[:templates.c.n]
