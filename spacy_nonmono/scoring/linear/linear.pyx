"""The linear scorer: sums of sparse weights of the features that templates find."""

from libc.string cimport memset

import numpy

from ...state cimport MAX_WORDS, State
from ...transitions.positions cimport N0, N_POSITIONS, S0, find_positions
from ...transitions.system cimport TransitionSystem
from ..positions cimport (
    N0kl, N0kr, N_ALL_POSITIONS, S0kl, S0kr, W_FIRST, WIDEST_WINDOW, ContextC, fill_closest,
    fill_collocates, find_context, view_collocates, waiting_side,
)
from .templates cimport Templates, extract, extract_repeated, mix
from .weights cimport (
    AveragedC, AveragedWeights, Weights, WeightsC, add_averaged, add_current, prefetch,
)

from ...shapes import check_at_least, check_collocates, check_lengths, check_shape, check_values
from .weights import check_room

cdef extern from "../kernels.h" namespace "nonmono" nogil:
    void add_row(float* total, const float* row, int n)


cdef void see(
    const LinearC* scorer, const SystemC* system, const StateC* st, int focus, int sentence,
    uint64_t* features
) noexcept nogil:
    """The features of a configuration."""
    cdef int first = scorer.first[sentence]
    cdef int[N_ALL_POSITIONS] positions
    cdef int k
    find_positions(system, st, focus, positions)
    for k in range(N_POSITIONS, N_ALL_POSITIONS):
        positions[k] = -1
    if scorer.templates.closest:
        fill_closest(st, positions)
    if scorer.collocates.starts != NULL and scorer.n_room == 0:
        fill_collocates(&scorer.collocates, st, first, positions)
    extract(
        scorer.templates, st, positions, scorer.matrix + <size_t>first * scorer.n_columns,
        scorer.n_columns, scorer.values, features,
    )
    if scorer.n_room:
        see_collocates(scorer, st, first, positions, features + scorer.templates.n)


cdef void see_collocates(
    const LinearC* scorer, const StateC* st, int first, int* positions, uint64_t* features
) noexcept nogil:
    """The features of all collocates of the focus words that wait outside of the context."""
    cdef const int* starts = scorer.collocates.starts + first
    cdef const int* partners = scorer.collocates.partners
    cdef ContextC context = find_context(&scorer.collocates, positions)
    cdef int n = 0
    cdef int f, k, word, side
    for f in range(2):
        word = positions[N0 if f else S0]
        if word < 0:
            continue
        for k in range(starts[word], starts[word + 1]):
            side = waiting_side(st, &context, partners[k])
            if side == 0:
                continue
            if f == 0:
                side = S0kl if side < 0 else S0kr
            else:
                side = N0kl if side < 0 else N0kr
            n = extract_repeated(
                scorer.templates, st, positions,
                scorer.matrix + <size_t>first * scorer.n_columns, scorer.n_columns, scorer.values,
                side, partners[k], features, n,
            )
    features[scorer.n_room] = n


cdef int room_for_collocates(const TemplatesC* templates, collocates) except -1:
    cdef int[4] n_templates
    cdef int k
    if collocates is None or templates.n_repeated == 0:
        return 0
    for k in range(4):
        n_templates[k] = 0
    for k in range(templates.n_repeated):
        n_templates[templates.repeated[k] - S0kl] += 1
    # A collocate of a focus word is on one side of it
    n_fired = max(n_templates[0], n_templates[1]) + max(n_templates[2], n_templates[3])
    return numpy.diff(collocates[0]).max(initial=0) * n_fired


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
        prefetch(scorer.current.rows_of, features, n_seen(scorer, features))
        return
    for side in range(2):
        n = templates.n_right if side else templates.n_left
        key = memo_key(features + first, n)
        if scorer.memo_keys[key & (N_MEMOS - 1)] != key:
            prefetch(scorer.averaged.cells_of, features + first, n)
        first += n
    prefetch(scorer.averaged.cells_of, features + first, n_seen(scorer, features) - first)


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
            add_current(
                scorer.current, features, n_seen(scorer, features), scorer.found, scores
            )
        else:
            score_side(scorer, features, n_left, scores)
            score_side(scorer, features + n_left, templates.n_right, scores)
            add_averaged(
                scorer.averaged, features + n_one, n_seen(scorer, features) - n_one, scorer.found,
                scores,
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
    """Score every word by what is around it in its doc or sentence: (N,) float32.

    weights: AveragedWeights, or Weights, which are under training. matrix: (N, n_columns), mixed.
    lengths: words of each doc or sentence.

    Raises ValueError (NM020) if these do not fit each other.
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
    int collocate_window=WIDEST_WINDOW,
):
    """Find the features of a configuration of a sentence of one word or more: (n_templates,) uint64.
    Where templates see all collocates, as many as these fire are in their place at the end.

    matrix: (n, n_columns), mixed. collocates, collocate_window: as for `LinearBatch`. focus: of a list
    system.
    """
    cdef LinearC scorer
    cdef int first = 0
    cdef uint64_t[::1] features
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
    scorer.collocates = view_collocates(collocates, collocate_window)
    scorer.n_room = room_for_collocates(&templates.c, collocates)
    features = numpy.zeros((input_length(&scorer) + 1,), dtype="uint64")
    see(&scorer, &system.c, &state.c, focus, 0, &features[0])
    return numpy.asarray(features)[:n_seen(&scorer, &features[0])]
