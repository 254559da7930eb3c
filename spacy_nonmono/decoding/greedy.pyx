"""Greedy decoding without the GIL.

A fixed number of sentences is under way at any time, one in each slot; a slot that is finished takes the
next sentence. A step gathers the rows of every slot's state, scores all of them with one matrix
product, and makes one move in each. Moves without an alternative are made, not scored.
"""

from cymem.cymem cimport Pool

import numpy

from ..scoring.arcs cimport (
    ArcWeightsC, arc_prob, arc_table_carve, arc_table_floats, fill_arc_table,
)
from ..scoring.neural cimport (
    N_ATOMS, class_label, class_move, class_of, fill_atom_rows, fill_token_rows, maxout, sum_rows,
)
from ..state cimport N_MOVES, leads_to, set_head, state_bytes, state_carve, state_reset
from ..transitions.system cimport (
    LEFT_ARC, N_POSITIONS, RIGHT_ARC, SHIFT,
)
from thinc.backends.cblas cimport sgemm

cdef enum:
    N_SLOTS = 64


cdef struct SlotC:
    StateC state
    int sentence          # -1: idle


cdef struct WorkC:
    # Memory of one decoding run; row k belongs to the k-th active slot of the step.
    SlotC* slots          # [N_SLOTS]
    int* active           # [N_SLOTS] indices of the slots that are scored in this step
    int* token_rows       # [N_SLOTS, nF]
    int* atom_rows        # [N_SLOTS, N_ATOMS]
    float* pre            # [nP * nH]
    float* hidden         # [N_SLOTS, nH]
    float* scores         # [N_SLOTS, nO]
    sgemm_ptr gemm


cdef int best_class(
    const SystemC* system, const StateC* st, const float* scores, int nO
) noexcept nogil:
    """The best class whose move is valid; the configuration is not final."""
    cdef bint[N_MOVES] valid
    cdef int best = -1
    cdef int c, move
    for move in range(N_MOVES):
        valid[move] = system.is_valid(st, move)
    for c in range(nO):
        if valid[class_move(c)] and (best < 0 or scores[c] > scores[best]):
            best = c
    return best


cdef int best_label(const float* scores, int nO, int move) noexcept nogil:
    """The label that scores best with an arc move, -1 if there are no labels."""
    cdef int best = -1
    cdef int c
    for c in range(class_of(move, 0), nO, 2):
        if best < 0 or scores[c] > scores[best]:
            best = c
    return class_label(best) if best >= 0 else -1


cdef int forced_move(const SystemC* system, const StateC* st, int max_distance) noexcept nogil:
    """The move to make without scoring, -1 if there is a choice, -2 if the state is final."""
    cdef int only = -2
    cdef int move
    for move in range(N_MOVES):
        if system.is_valid(st, move):
            if only >= 0:
                only = -1
                break
            only = move
    # An arc needs a label, unless it comes from ROOT, which the arc-eager buffer ends in.
    if only == RIGHT_ARC or (only == LEFT_ARC and st.buffer[st.rest - 1] >= 0):
        return -1
    if only == -1 and max_distance > 0 and st.i >= 0 and st.j - st.i > max_distance:
        return SHIFT
    return only


cdef void score_state(
    const ScorerC* scorer, const SystemC* system, const StateC* st, const SentenceC* sentence,
    int* token_rows, int* atom_rows, float* pre, float* hidden
) noexcept nogil:
    cdef int[N_POSITIONS] positions
    system.positions(st, positions)
    fill_token_rows(scorer, positions, sentence.first, token_rows)
    fill_atom_rows(st, positions, &sentence.arcs, atom_rows)
    sum_rows(scorer, token_rows, atom_rows, pre)
    maxout(scorer, pre, hidden)


cdef void score_classes(const ScorerC* scorer, WorkC* work, int n_states) noexcept nogil:
    """scores = hidden . out_W + out_b, for the first rows."""
    cdef int k, c
    for k in range(n_states):
        for c in range(scorer.nO):
            work.scores[k * scorer.nO + c] = scorer.out_b[c]
    work.gemm(
        False, True, n_states, scorer.nO, scorer.nH, 1.0, work.hidden, scorer.nH,
        scorer.out_W, scorer.nH, 1.0, work.scores, scorer.nO,
    )


cdef void attach_rest(
    const ScorerC* scorer, const SystemC* system, StateC* st, const SentenceC* sentence, WorkC* work
) noexcept nogil:
    """Leave one word without a head, the likeliest root, and attach the others.

    Projective systems attach them to the root, which crosses nothing; the others to the likeliest word
    that closes no cycle. The scorer gives the label, with its focus on the two words.
    """
    cdef int root = -1
    cdef int d, h, best
    for d in range(st.n):
        if st.head[d] < 0 and (root < 0 or sentence.arcs.root[d] > sentence.arcs.root[root]):
            root = d
    for d in range(st.n):
        if st.head[d] >= 0 or d == root:
            continue
        best = root
        if not system.projective:
            for h in range(st.n):
                if (
                    arc_prob(&sentence.arcs, h, d) > arc_prob(&sentence.arcs, best, d)
                    and not leads_to(st, d, h)
                ):
                    best = h
        system.focus(st, d if d < best else best, best if d < best else d)
        score_state(
            scorer, system, st, sentence, work.token_rows, work.atom_rows, work.pre, work.hidden
        )
        score_classes(scorer, work, 1)
        set_head(st, best, d, best_label(
            work.scores, scorer.nO, LEFT_ARC if d < best else RIGHT_ARC
        ))


cdef void finish(
    const ScorerC* scorer, const SystemC* system, StateC* st, SentenceC* sentence, WorkC* work
) noexcept nogil:
    cdef int d
    if not system.single_root:
        attach_rest(scorer, system, st, sentence, work)
    for d in range(st.n):
        sentence.heads[d] = st.head[d]
        sentence.labels[d] = st.label[d]


cdef void run(
    const ScorerC* scorer, const SystemC* system, SentenceC* sentences, int n_sentences,
    int max_distance, WorkC* work, const ObserverC* observer
) noexcept nogil:
    cdef int waiting = 0              # the next sentence to start
    cdef int k, a, c, move, n_active, insert_label
    cdef SlotC* slot
    cdef SentenceC* sentence
    cdef float* scores
    for k in range(N_SLOTS):
        work.slots[k].sentence = -1
    while True:
        n_active = 0
        for k in range(N_SLOTS):
            slot = &work.slots[k]
            while True:
                if slot.sentence < 0:
                    if waiting == n_sentences:
                        break
                    slot.sentence = waiting
                    waiting += 1
                    state_reset(&slot.state, sentences[slot.sentence].n)
                    system.start(&slot.state)
                move = forced_move(system, &slot.state, max_distance)
                if move == -1:
                    break
                if move >= 0:
                    system.apply(&slot.state, move, -1, -1)
                    continue
                finish_slot(scorer, system, slot, sentences, work, n_active)
            if slot.sentence >= 0:
                sentence = &sentences[slot.sentence]
                score_state(
                    scorer, system, &slot.state, sentence,
                    work.token_rows + n_active * scorer.nF, work.atom_rows + n_active * N_ATOMS,
                    work.pre, work.hidden + n_active * scorer.nH,
                )
                work.active[n_active] = k
                n_active += 1
        if n_active == 0:
            return
        score_classes(scorer, work, n_active)
        for a in range(n_active):
            slot = &work.slots[work.active[a]]
            scores = work.scores + a * scorer.nO
            c = best_class(system, &slot.state, scores, scorer.nO)
            insert_label = best_label(scores, scorer.nO, RIGHT_ARC) if system.inserts else -1
            if observer != NULL:
                c = observer.choose(
                    observer.self, slot.sentence, &slot.state,
                    work.token_rows + a * scorer.nF, work.atom_rows + a * N_ATOMS, scores, c,
                    &insert_label,
                )
            system.apply(&slot.state, class_move(c), class_label(c), insert_label)


cdef void finish_slot(
    const ScorerC* scorer, const SystemC* system, SlotC* slot, SentenceC* sentences,
    WorkC* work, int n_active
) noexcept nogil:
    """Write the tree of a finished slot, using the rows behind those that are in use."""
    cdef WorkC spare = work[0]
    spare.token_rows += n_active * scorer.nF
    spare.atom_rows += n_active * N_ATOMS
    spare.hidden += n_active * scorer.nH
    spare.scores += n_active * scorer.nO
    finish(scorer, system, &slot.state, &sentences[slot.sentence], &spare)
    slot.sentence = -1


cdef class Batch:
    """Sentences ready to be decoded.

    ops: thinc's CPU ops. lengths: (n_sentences,) int32, words of each sentence, in the order of the
    rows. products: (N + 1, nF, nP * nH). heads, deps: (N, nA), the vectors of the arc scores. weights:
    the parameters "atoms", "bias", "out_W", "out_b", "root", "distance" by name. All float32.
    """

    def __init__(
        self, TransitionSystem system, ops, const int[::1] lengths,
        const float[:, :, ::1] products, const float[:, ::1] heads, const float[:, ::1] deps,
        dict weights, const int[::1] slots, int n_pieces, int max_distance=0,
    ):
        cdef const float[:, ::1] atoms = weights["atoms"]
        cdef const float[::1] bias = weights["bias"]
        cdef const float[:, ::1] out_W = weights["out_W"]
        cdef const float[::1] out_b = weights["out_b"]
        cdef const float[::1] root = weights["root"]
        cdef const float[::1] distance = weights["distance"]
        cdef Pool mem = Pool()
        cdef ArcWeightsC arc_weights
        cdef int N = products.shape[0] - 1
        cdef int[::1] out_heads = numpy.full((N + 1,), -1, dtype="i")
        cdef int[::1] out_labels = numpy.full((N + 1,), -1, dtype="i")
        cdef size_t floats = 0
        cdef float* block
        cdef int s, f
        cdef int first = 0
        self.mem = mem
        self.buffers = (products, heads, deps, weights, out_heads, out_labels)
        self.system = system
        self.blas = ops.cblas()
        self.max_distance = max_distance
        self.heads = numpy.asarray(out_heads)[:N]
        self.labels = numpy.asarray(out_labels)[:N]
        self.scorer.nF = slots.shape[0]
        self.scorer.nP = n_pieces
        self.scorer.nH = bias.shape[0] // n_pieces
        self.scorer.nO = out_b.shape[0]
        self.scorer.n_words = N
        self.scorer.products = &products[0, 0, 0]
        self.scorer.atoms = &atoms[0, 0]
        self.scorer.bias = &bias[0]
        self.scorer.out_W = &out_W[0, 0]
        self.scorer.out_b = &out_b[0]
        for f in range(slots.shape[0]):
            self.scorer.slots[f] = slots[f]
        self.n_sentences = lengths.shape[0]
        self.sentences = <SentenceC*>mem.alloc(self.n_sentences + 1, sizeof(SentenceC))
        self.longest = 0
        for s in range(self.n_sentences):
            floats += arc_table_floats(lengths[s])
            self.longest = max(self.longest, lengths[s])
        block = <float*>mem.alloc(floats + 1, sizeof(float))
        arc_weights.nA = root.shape[0]
        arc_weights.root = &root[0]
        arc_weights.distance = &distance[0]
        with nogil:
            for s in range(self.n_sentences):
                self.sentences[s].first = first
                self.sentences[s].n = lengths[s]
                self.sentences[s].heads = &out_heads[first]
                self.sentences[s].labels = &out_labels[first]
                if lengths[s] > 0:
                    arc_table_carve(&self.sentences[s].arcs, block, lengths[s])
                    fill_arc_table(
                        &self.sentences[s].arcs, &arc_weights, &heads[first, 0], &deps[first, 0]
                    )
                    block += arc_table_floats(lengths[s])
                first += lengths[s]

    def parse(self):
        """Decode; fills `heads` and `labels`."""
        self.decode(NULL)

    cdef void decode(self, const ObserverC* observer) except *:
        cdef Pool mem = Pool()
        cdef WorkC work
        cdef int k
        cdef int nH = self.scorer.nH
        work.slots = <SlotC*>mem.alloc(N_SLOTS, sizeof(SlotC))
        for k in range(N_SLOTS):
            state_carve(
                &work.slots[k].state, mem.alloc(1, state_bytes(self.longest)), self.longest
            )
        # One row more than slots: a sentence that is finished is scored behind the rows in use.
        work.active = <int*>mem.alloc(N_SLOTS, sizeof(int))
        work.token_rows = <int*>mem.alloc((N_SLOTS + 1) * self.scorer.nF, sizeof(int))
        work.atom_rows = <int*>mem.alloc((N_SLOTS + 1) * N_ATOMS, sizeof(int))
        work.pre = <float*>mem.alloc(self.scorer.nP * nH, sizeof(float))
        work.hidden = <float*>mem.alloc((N_SLOTS + 1) * nH, sizeof(float))
        work.scores = <float*>mem.alloc((N_SLOTS + 1) * self.scorer.nO, sizeof(float))
        work.gemm = sgemm(self.blas)
        with nogil:
            run(
                &self.scorer, &self.system.c, self.sentences, self.n_sentences,
                self.max_distance, &work, observer,
            )
