"""A batch of sentences with the neural scorer."""

from cymem.cymem cimport Pool

import numpy

from ..scoring.neural.arcs cimport (
    N_SIGNED_BUCKETS, ArcTableC, ArcWeightsC, arc_table_carve, arc_table_floats, fill_arc_table,
)
from ..scoring.neural.atoms cimport N_ATOMS
from ..scoring.neural.neural cimport (
    CLASS_BLOCK, arc_neural, look_neural, next_left_neural, root_neural, score_neural,
)
from ..scoring.positions cimport W_FIRST, view_collocates
from ..scoring.scorer cimport n_classes_of
from ..transitions.positions cimport N_POSITIONS
from ..transitions.system cimport TransitionSystem
from .batch cimport Batch

from ..scoring.neural.atoms import n_atom_rows
from ..scoring.positions import ALL_POSITION_NAMES
from ..shapes import check_at_least, check_collocates, check_shape, check_values

# So many states fill a matrix product.
cdef enum:
    N_SLOTS = 64


cdef class NeuralBatch(Batch):
    """The sentences of a batch with the neural scorer, ready to be decoded.

    lengths: (n_sentences,) int32, words of each sentence, in the order of the rows. products: of each
    member of a committee, or of one, (nF, N + 1, width); the widths are nH together. head_vectors,
    dep_vectors: (N, nA), of the arc scores. weights: the parameters "atoms", "bias", "out_W", "out_b",
    "root", "distance" by name. All float32. slots: indices of the positions that are looked at.
    collocates: None, or where the collocates of each word begin (N + 1,) and which they are (M,), within
    the sentence, int32. max_distance: 0 is no bound.

    Raises ValueError (NM020) if these do not fit each other.
    """

    def __cinit__(
        self, TransitionSystem system not None, const int[::1] lengths not None,
        list products not None, const float[:, ::1] head_vectors not None,
        const float[:, ::1] dep_vectors not None, dict weights not None,
        const int[::1] slots not None,
        collocates=None, int max_distance=0, float pair_threshold=0,
    ):
        cdef int f
        self.scorer.n_slots = N_SLOTS
        self.set_up(system, lengths, max_distance)
        # Positions that nothing fills are not to be looked at.
        last = N_POSITIONS - 1 if collocates is None else W_FIRST - 1
        check_values("slots", slots, 0, last)
        check_values("number of slots", len(slots), 1, len(ALL_POSITION_NAMES))
        check_collocates(collocates, lengths)
        self.arrays = (tuple(products), head_vectors, dep_vectors, weights, collocates)
        self.neural.nF = slots.shape[0]
        self.neural.n_words = self.n_words
        for f in range(slots.shape[0]):
            self.neural.slots[f] = slots[f]
        self.neural.collocates = view_collocates(collocates)
        self.neural.kept = NULL
        self.take_weights(weights)
        self.take_products(products)
        self.find_arc_probs(lengths, head_vectors, dep_vectors, weights, pair_threshold)
        self.scorer.self = &self.neural
        self.scorer.nO = self.neural.nO
        self.scorer.n_input = (self.neural.nF + N_ATOMS) * sizeof(int)
        # A word that was attached waits for none of its collocates any more.
        self.scorer.sees_everywhere = collocates is not None
        self.scorer.score = score_neural
        self.scorer.root = root_neural
        self.scorer.arc = arc_neural
        if pair_threshold > 0:
            self.scorer.next_left = next_left_neural
        self.scorer.look = look_neural

    cdef void take_products(self, list products) except *:
        cdef const float[:, :, ::1] of_member
        cdef Pool mem = self.mem
        cdef int m
        cdef int n = len(products)
        cdef int total = 0
        self.neural.n_members = n
        self.neural.widths = <int*>mem.alloc(n + 1, sizeof(int))
        self.neural.products = <const float**>mem.alloc(n + 1, sizeof(float*))
        for m in range(n):
            of_member = products[m]
            check_shape(
                "products", of_member, self.neural.nF, self.n_words + 1, of_member.shape[2]
            )
            self.neural.widths[m] = of_member.shape[2]
            self.neural.products[m] = &of_member[0, 0, 0]
            total += of_member.shape[2]
        check_values("hidden units of the products", [total], self.neural.nH, self.neural.nH)

    cdef void take_weights(self, dict weights) except *:
        """Of the layers behind the products; the output weights are copied, transposed and padded."""
        cdef const float[:, ::1] atoms = weights["atoms"]
        cdef const float[::1] bias = weights["bias"]
        cdef int nO = len(weights["out_b"])
        cdef int nH = bias.shape[0]
        cdef int width = (nO + CLASS_BLOCK - 1) // CLASS_BLOCK * CLASS_BLOCK
        cdef float[:, ::1] out_W = numpy.zeros((nH, width), dtype="f")
        cdef float[::1] out_b = numpy.zeros((width,), dtype="f")
        cdef Pool mem = self.mem
        n_labels = self.count_labels(nO)
        check_shape("out_b", weights["out_b"], n_classes_of(self.c_system, n_labels))
        check_shape("out_W", weights["out_W"], nO, nH)
        check_shape("bias", bias, nH)
        check_shape("atoms", atoms, n_atom_rows(n_labels), nH)
        numpy.asarray(out_W)[:, :nO] = weights["out_W"].T
        numpy.asarray(out_b)[:nO] = weights["out_b"]
        self.arrays += (out_W, out_b)
        self.neural.nH = nH
        self.neural.nO = nO
        self.neural.width = width
        self.neural.atoms = &atoms[0, 0]
        self.neural.bias = &bias[0]
        self.neural.out_W = &out_W[0, 0]
        self.neural.out_b = &out_b[0]
        self.neural.pre = <float*>mem.alloc(bias.shape[0], sizeof(float))
        self.neural.units = <int*>mem.alloc(nH, sizeof(int))
        self.neural.hidden = <float*>mem.alloc(self.n_rows * nH, sizeof(float))

    cdef void find_arc_probs(
        self, const int[::1] lengths, const float[:, ::1] head_vectors,
        const float[:, ::1] dep_vectors, dict weights, float pair_threshold,
    ) except *:
        """How likely each word is the head of each other one of its sentence."""
        cdef Pool mem = self.mem
        cdef const float[::1] root = weights["root"]
        cdef const float[::1] distance = weights["distance"]
        cdef ArcWeightsC arc_weights
        cdef size_t floats = 0
        cdef int s, first
        cdef float* block
        check_at_least("root", root, 0, 1)
        check_shape("head_vectors", head_vectors, self.n_words, len(root))
        check_shape("dep_vectors", dep_vectors, self.n_words, len(root))
        check_shape("distance", distance, N_SIGNED_BUCKETS)
        self.neural.first = self.firsts
        self.neural.arcs = <ArcTableC*>mem.alloc(self.n_sentences + 1, sizeof(ArcTableC))
        for s in range(self.n_sentences):
            floats += arc_table_floats(lengths[s])
        block = <float*>mem.alloc(floats + 1, sizeof(float))
        arc_weights.nA = root.shape[0]
        arc_weights.root = &root[0]
        arc_weights.distance = &distance[0]
        with nogil:
            for s in range(self.n_sentences):
                first = self.firsts[s]
                if lengths[s] > 0:
                    arc_table_carve(&self.neural.arcs[s], block, lengths[s])
                    fill_arc_table(
                        &self.neural.arcs[s], &arc_weights, &head_vectors[first, 0],
                        &dep_vectors[first, 0], pair_threshold,
                    )
                    block += arc_table_floats(lengths[s])
