"""A batch of sentences with the linear scorer."""

from cymem.cymem cimport Pool
from libc.stdint cimport uint64_t

from ..scoring.linear.linear cimport (
    N_MEMOS, input_length, look_linear, room_for_collocates, root_linear, score_linear,
)
from ..scoring.positions cimport WIDEST_WINDOW, view_collocates
from ..scoring.linear.templates cimport Templates
from ..scoring.scorer cimport n_classes_of
from ..scoring.linear.weights cimport MAX_CLASSES, AveragedWeights, Weights
from ..transitions.system cimport TransitionSystem
from .batch cimport Batch

from ..scoring.linear.weights import check_room
from ..shapes import check_at_least, check_collocates, check_shape, check_values

# While some sentences wait for the memory, features of the others are looked up.
cdef enum:
    N_SLOTS = 8


cdef class LinearBatch(Batch):
    """The sentences of a batch with the linear scorer, ready to be decoded.

    weights: AveragedWeights, or Weights, which may change meanwhile. lengths: (n_sentences,) int32,
    words of each sentence. matrix: (N, n_columns) uint64, mixed values of the words. roots: (N,)
    float32, scores of the words as roots. collocates: None, or where the collocates of each word begin
    (N + 1,) and which they are (M,), within the sentence, int32. max_distance: 0 is no bound.
    collocate_window: pending words on either side of the focus words that are not looked at as
    collocates, 0 to 2.

    Raises ValueError (NM020) if these do not fit each other.
    """

    def __cinit__(
        self, TransitionSystem system not None, Templates templates not None, weights, int n_classes,
        const int[::1] lengths not None, const uint64_t[:, ::1] matrix not None,
        const float[::1] roots not None, collocates=None, int max_distance=0,
        int collocate_window=WIDEST_WINDOW,
    ):
        cdef bint training = isinstance(weights, Weights)
        # An update must be seen by the next move.
        self.scorer.n_slots = 1 if training else N_SLOTS
        self.set_up(system, lengths, max_distance)
        check_shape("matrix", matrix, self.n_words)
        check_at_least("matrix", matrix, 1, max(templates.n_columns, 1))
        check_shape("roots", roots, self.n_words)
        expected = n_classes_of(&system.c, self.count_labels(n_classes))
        check_values("n_classes", n_classes, expected, min(expected, MAX_CLASSES))
        check_room(weights, n_classes)
        check_collocates(collocates, lengths)
        self.arrays = (templates, weights, matrix, roots, collocates)
        cdef Pool mem = self.mem
        self.linear.nO = n_classes
        self.linear.templates = &templates.c
        self.linear.current = NULL
        self.linear.averaged = NULL
        if training:
            self.linear.current = &(<Weights>weights).c
        else:
            self.linear.averaged = &(<AveragedWeights?>weights).c
        self.linear.first = self.firsts
        self.linear.n_columns = matrix.shape[1]
        if self.n_words:
            self.linear.matrix = &matrix[0, 0]
            self.linear.roots = &roots[0]
        self.linear.collocates = view_collocates(collocates, collocate_window)
        self.linear.n_room = room_for_collocates(&templates.c, collocates)
        self.linear.seen = <const uint64_t**>mem.alloc(self.n_rows, sizeof(uint64_t*))
        self.linear.values = <uint64_t*>mem.alloc(templates.c.n_atoms + 1, sizeof(uint64_t))
        self.linear.found = <uint64_t*>mem.alloc(
            input_length(&self.linear) + 1, sizeof(uint64_t)
        )
        self.linear.memo_keys = <uint64_t*>mem.alloc(N_MEMOS, sizeof(uint64_t))
        self.linear.memos = <float*>mem.alloc(N_MEMOS * n_classes, sizeof(float))
        self.scorer.self = &self.linear
        self.scorer.nO = n_classes
        self.scorer.n_input = input_length(&self.linear) * sizeof(uint64_t)
        # A word that was attached waits for none of its collocates any more.
        self.scorer.sees_everywhere = collocates is not None
        self.scorer.score = score_linear
        self.scorer.root = root_linear
        self.scorer.look = look_linear
