"""What a scorer is to the decoder: classes, and functions that look at configurations and score them.

Any number of threads may parse with one pipeline. The rule that makes this safe: what parsing writes
belongs to its batch; what batches share is const. A struct that batches share (`TemplatesC`, `AtomC`,
`AveragedC`, `CellC`, `ArcWeightsC`, `SystemC`) has no pointer through which one could write, and a test
reads that off the `.pxd` files; scratch space lies in the struct of the batch (`LinearC`, `NeuralC`).
"""

from ..structs cimport StateC
from ..transitions.system cimport SystemC


cdef enum:
    N_FIXED_CLASSES = 5   # the moves before left_arc; then left_arc and right_arc of every label


cdef struct ScorerC:
    void* self
    int nO                # classes
    size_t n_input        # bytes that describe what was looked at
    int n_slots           # sentences that are worth being under way at once
    bint far              # an attachment may change what is seen at any other place of a list
    unsigned int n_changes  # of the weights; whoever makes one counts it here
    # Looks at a configuration of a sentence of the batch: writes the input, and remembers under the
    # number of the row what `score` needs. The input stays where it is until then.
    void (*look)(
        void* self, const SystemC* system, const StateC* st, int sentence, void* input, int row
    ) noexcept nogil
    # Scores the classes of `n` rows from `row` on: [n, nO].
    void (*score)(void* self, int row, int n, float* scores) noexcept nogil
    # How likely a word is the root of its sentence; any increasing measure will do.
    float (*root)(void* self, int sentence, int word) noexcept nogil
    # How likely a word is the head of another one, the same; NULL: no opinion.
    float (*arc)(void* self, int sentence, int head, int dependent) noexcept nogil


# The classes of an arc move are every second one from its number on.
cdef inline bint is_arc(int move) noexcept nogil:
    return move >= N_FIXED_CLASSES


cdef inline int class_move(int c) noexcept nogil:
    """The move of a class: 5 + 2 l left_arc, 6 + 2 l right_arc with label l, the others by number."""
    return c if c < N_FIXED_CLASSES else N_FIXED_CLASSES + (c - N_FIXED_CLASSES) % 2


cdef inline int class_label(int c) noexcept nogil:
    return -1 if c < N_FIXED_CLASSES else (c - N_FIXED_CLASSES) // 2


cdef inline int class_of(int move, int label) noexcept nogil:
    return move if move < N_FIXED_CLASSES else move + 2 * label


cdef inline int n_classes_of(int n_labels) noexcept nogil:
    return N_FIXED_CLASSES + 2 * n_labels


cdef inline int distance_bucket(int distance) noexcept nogil:
    """1 to 5, 6-7, 8-10, 11-20, 21 and more, as 1 to 9."""
    if distance <= 5:
        return distance
    if distance <= 7:
        return 6
    if distance <= 10:
        return 7
    return 8 if distance <= 20 else 9
