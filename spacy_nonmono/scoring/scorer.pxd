"""What a scorer is to the decoder: classes, and functions that look at configurations and score them.

Any number of threads may parse with one pipeline. The rule that makes this safe: what parsing writes
belongs to its batch; what batches share is const. A struct that batches share (`TemplatesC`, `AtomC`,
`AveragedC`, `CellC`, `ArcWeightsC`, `SystemC`) has no pointer through which one could write, and a test
reads that off the `.pxd` files; scratch space lies in the struct of the batch (`LinearC`, `NeuralC`).
"""

from ..structs cimport StateC, SystemC


cdef struct ScorerC:
    void* self
    int nO                # classes
    size_t n_input        # bytes that describe what was looked at
    int n_slots           # sentences that are worth being under way at once
    bint sees_everywhere  # an attachment may change what is seen at any other focus of a list
    unsigned int n_changes  # of the weights; whoever makes one counts it here
    # Looks at a focus of a configuration of a sentence of the batch: writes the input, and remembers
    # under the number of the row what `score` needs. The input stays where it is until then.
    void (*look)(
        void* self, const SystemC* system, const StateC* st, int focus, int sentence, void* input,
        int row
    ) noexcept nogil
    # Scores the classes of `n` rows from `row` on: [n, nO].
    void (*score)(void* self, int row, int n, float* scores) noexcept nogil
    # How likely a word is the root of its sentence; any increasing measure will do.
    float (*root)(void* self, int sentence, int word) noexcept nogil
    # How likely a word is the head of another one, the same; NULL: no opinion.
    float (*arc)(void* self, int sentence, int head, int dependent) noexcept nogil
    # Covington's systems: the first word from `left` on to the left that may be joined to `right`; -1:
    # none. NULL: any word may.
    int (*next_left)(void* self, int sentence, int left, int right) noexcept nogil


# The classes of a system: the moves that build no arc, then the arcs with the first label, and so on.
cdef inline int n_arcs(const SystemC* system) noexcept nogil:
    """From one class of an arc move to the next one."""
    return system.n_moves - system.n_plain


cdef inline int n_classes_of(const SystemC* system, int n_labels) noexcept nogil:
    return system.n_plain + n_arcs(system) * n_labels


cdef inline int class_move(const SystemC* system, int c) noexcept nogil:
    return c if c < system.n_plain else system.n_plain + (c - system.n_plain) % n_arcs(system)


cdef inline int class_label(const SystemC* system, int c) noexcept nogil:
    return -1 if c < system.n_plain else (c - system.n_plain) // n_arcs(system)


cdef inline int class_of(const SystemC* system, int move, int label) noexcept nogil:
    return move if move < system.n_plain else move + n_arcs(system) * label


cdef inline int end_of_classes(const SystemC* system, int move, int nO) noexcept nogil:
    """The classes of a move are every `n_arcs`-th one from its number on, up to this one."""
    return move + 1 if move < system.n_plain else nO


cdef inline int distance_bucket(int left, int right) noexcept nogil:
    """The distance of two words: 1 to 5, 6-7, 8-10, 11-20, 21 and more, as 1 to 9.

    The edges are a guess and were not tuned. Those of `signed_bucket`, for arc scores, are another
    guess. The two stay apart since saved weights are of the buckets of each."""
    cdef int distance = right - left if right > left else left - right
    if distance <= 5:
        return distance
    if distance <= 7:
        return 6
    if distance <= 10:
        return 7
    return 8 if distance <= 20 else 9
