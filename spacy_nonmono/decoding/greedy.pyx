"""Greedy decoding without the GIL.

A fixed number of sentences is under way at any time, one in each slot; a slot that is finished takes the
next sentence. A step gathers the rows of every slot's state, scores all of them with one matrix
product, and makes one move in each. Moves without an alternative are made, not scored. A list system
has a state at every place of its list; what an attachment leaves alone is not scored again.
"""

from cymem.cymem cimport Pool
from libc.math cimport exp
from libc.string cimport memcpy, memset
from libcpp.vector cimport vector

import numpy

from ..scoring.arcs cimport (
    ArcWeightsC, arc_prob, arc_table_carve, arc_table_floats, fill_arc_table,
)
from ..scoring.neural cimport (
    N_ATOMS, class_label, class_move, class_of, fill_atom_rows, fill_token_rows, maxout, sum_rows,
)
from ..state cimport N_MOVES, leads_to, set_head, state_bytes, state_carve, state_reset
from ..transitions.system cimport (
    LEFT_ARC, N_POSITIONS, RIGHT_ARC, SHIFT, action_move, action_place,
    find_places, look_at, make_action,
)
from thinc.backends.cblas cimport sgemm

cdef enum:
    N_SLOTS = 64


cdef struct SlotC:
    StateC state
    int sentence          # -1: idle
    # List systems: what is known of a place, by the word on its left (0: ROOT); it stays so until an
    # attachment nearby.
    bint* known           # [longest + 1]
    int* token_rows       # [longest + 1, nF]
    int* atom_rows        # [longest + 1, N_ATOMS]
    float* scores         # [longest + 1, nO]


cdef struct WorkC:
    # Memory of one decoding run. A row is a place to be scored in this step.
    SlotC* slots          # [N_SLOTS]
    int* active           # [N_SLOTS] indices of the slots that make a move in this step
    int n_rows            # room for so many rows, and one more
    int* token_rows       # [n_rows, nF]; list systems: in the slots
    int* atom_rows        # [n_rows, N_ATOMS]
    float* pre            # [nP * nH]
    float* hidden         # [n_rows, nH]
    float* scores         # [n_rows, nO]
    CandidateC* candidates  # [longest + 1] of one slot
    sgemm_ptr gemm


cdef int best_class(
    const SystemC* system, const StateC* st, const float* scores, int nO
) noexcept nogil:
    """The best class whose move is valid, -1 if none is."""
    cdef bint[N_MOVES] valid
    cdef int best = -1
    cdef int c, move
    for move in range(N_MOVES):
        valid[move] = system.is_valid(st, move)
    for c in range(nO):
        if valid[class_move(c)] and (best < 0 or scores[c] > scores[best]):
            best = c
    return best


cdef int best_choice(
    const SystemC* system, StateC* st, const CandidateC* candidates, int n_candidates, int nO
) noexcept nogil:
    """The best class at any place: number of the candidate * nO + class."""
    cdef int best = -1
    cdef float best_score = 0
    cdef int k, c
    for k in range(n_candidates):
        look_at(system, st, candidates[k].place)
        c = best_class(system, st, candidates[k].scores, nO)
        if c >= 0 and (best < 0 or candidates[k].scores[c] > best_score):
            best = k * nO + c
            best_score = candidates[k].scores[c]
    return best


cdef float probability(
    const SystemC* system, StateC* st, const CandidateC* candidates, int n_candidates, int nO,
    int choice
) noexcept nogil:
    """Of a choice among all that are valid."""
    cdef float chosen = candidates[choice // nO].scores[choice % nO]
    cdef double total = 0
    cdef int k, c
    for k in range(n_candidates):
        look_at(system, st, candidates[k].place)
        for c in range(nO):
            if system.is_valid(st, class_move(c)):
                total += exp(candidates[k].scores[c] - chosen)
    return 1 / total


cdef int best_label(const float* scores, int nO, int move) noexcept nogil:
    """The label that scores best with an arc move, -1 if there are no labels."""
    cdef int best = -1
    cdef int c
    for c in range(class_of(move, 0), nO, 2):
        if best < 0 or scores[c] > scores[best]:
            best = c
    return class_label(best) if best >= 0 else -1


cdef int forced_move(const SystemC* system, StateC* st, int max_distance) noexcept nogil:
    """The move to make without scoring, its place included; -1 if there is a choice, -2 if the state
    is final."""
    cdef int first
    cdef int n_places = find_places(system, st, &first)
    cdef int at_rest = st.i
    cdef int only = -2
    cdef int place, move, h, d
    for place in range(first, first + n_places):
        look_at(system, st, place)
        for move in range(N_MOVES):
            if only != -1 and system.is_valid(st, move):
                only = -1 if only >= 0 else place * N_MOVES + move
                if move == LEFT_ARC or move == RIGHT_ARC:
                    system.arc(st, move, &h, &d)
                    if h >= 0:
                        # An arc needs a label, unless it comes from ROOT.
                        only = -1
        if only == -1:
            break
    st.i = at_rest
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


cdef int add_rows(
    const ScorerC* scorer, const SystemC* system, SlotC* slot, const SentenceC* sentence, WorkC* work,
    int n_rows
) noexcept nogil:
    """Gather what is to be scored of a slot; the number of rows then, -1 if there is no room."""
    cdef StateC* st = &slot.state
    cdef int at_rest = st.i
    cdef int first = 0
    cdef int n_focuses, place, word
    if system.focuses == NULL:
        score_state(
            scorer, system, st, sentence, work.token_rows + n_rows * scorer.nF,
            work.atom_rows + n_rows * N_ATOMS, work.pre, work.hidden + n_rows * scorer.nH,
        )
        return n_rows + 1
    n_focuses = system.focuses(st, &first)
    for place in range(first, first + n_focuses):
        word = st.stack[place] + 1
        if slot.known[word]:
            continue
        if n_rows == work.n_rows:
            st.i = at_rest
            return -1
        st.i = place
        score_state(
            scorer, system, st, sentence, slot.token_rows + word * scorer.nF,
            slot.atom_rows + word * N_ATOMS, work.pre, work.hidden + n_rows * scorer.nH,
        )
        n_rows += 1
    st.i = at_rest
    return n_rows


cdef int take_rows(
    const ScorerC* scorer, const SystemC* system, SlotC* slot, WorkC* work, int* row
) noexcept nogil:
    """Fill `candidates` of a slot, whose rows begin at `row`, which is moved on; returns how many."""
    cdef StateC* st = &slot.state
    cdef CandidateC* candidate = work.candidates
    cdef int first = 0
    cdef int n_focuses, place, word
    if system.focuses == NULL:
        candidate.place = 0
        candidate.token_rows = work.token_rows + row[0] * scorer.nF
        candidate.atom_rows = work.atom_rows + row[0] * N_ATOMS
        candidate.scores = work.scores + row[0] * scorer.nO
        row[0] += 1
        return 1
    n_focuses = system.focuses(st, &first)
    for place in range(first, first + n_focuses):
        word = st.stack[place] + 1
        if not slot.known[word]:
            memcpy(
                slot.scores + word * scorer.nO, work.scores + row[0] * scorer.nO,
                scorer.nO * sizeof(float),
            )
            slot.known[word] = True
            row[0] += 1
        candidate.place = place
        candidate.token_rows = slot.token_rows + word * scorer.nF
        candidate.atom_rows = slot.atom_rows + word * N_ATOMS
        candidate.scores = slot.scores + word * scorer.nO
        candidate += 1
    return n_focuses


cdef void forget_nearby(SlotC* slot, int place) noexcept nogil:
    """An attachment at a place changes what is seen from the three places before and the two behind
    it; on a short list the length too is seen from everywhere."""
    cdef StateC* st = &slot.state
    cdef int first = place - 3 if st.depth > 4 and place > 3 else 0
    cdef int end = place + 3 if st.depth > 4 and place + 3 < st.depth else st.depth
    cdef int k
    for k in range(first, end):
        slot.known[st.stack[k] + 1] = False


cdef void make_move(
    const SystemC* system, SlotC* slot, int action, int label, int insert_label
) noexcept nogil:
    cdef int move = action_move(action)
    make_action(system, &slot.state, action, label, insert_label)
    if system.focuses != NULL and (move == LEFT_ARC or move == RIGHT_ARC):
        forget_nearby(slot, action_place(action))


cdef void start_sentence(
    const SystemC* system, SlotC* slot, int s, const SentenceC* sentence
) noexcept nogil:
    slot.sentence = s
    state_reset(&slot.state, sentence.n)
    system.start(&slot.state)
    if system.focuses != NULL:
        memset(slot.known, 0, (sentence.n + 1) * sizeof(bint))


cdef void run(
    const ScorerC* scorer, const SystemC* system, SentenceC* sentences, int n_sentences,
    int max_distance, WorkC* work, const ObserverC* observer
) noexcept nogil:
    cdef int waiting = 0              # the next sentence to start
    cdef int k, a, n_active, n_rows, row, rows_then
    cdef int action, n_candidates, choice, label, insert_label
    cdef float p
    cdef SlotC* slot
    for k in range(N_SLOTS):
        work.slots[k].sentence = -1
    while True:
        n_active = 0
        n_rows = 0
        for k in range(N_SLOTS):
            slot = &work.slots[k]
            while True:
                if slot.sentence < 0:
                    if waiting == n_sentences:
                        break
                    start_sentence(system, slot, waiting, &sentences[waiting])
                    waiting += 1
                action = forced_move(system, &slot.state, max_distance)
                if action == -1:
                    break
                if action >= 0:
                    if observer != NULL and observer.tell != NULL:
                        observer.tell(observer.self, slot.sentence, action, -1, -1, 1.0)
                    make_move(system, slot, action, -1, -1)
                    continue
                finish_slot(scorer, system, slot, sentences, work, n_rows)
            if slot.sentence >= 0:
                rows_then = add_rows(
                    scorer, system, slot, &sentences[slot.sentence], work, n_rows
                )
                if rows_then >= 0:
                    # Without room for its rows a sentence waits for the next step.
                    n_rows = rows_then
                    work.active[n_active] = k
                    n_active += 1
        if n_active == 0:
            return
        score_classes(scorer, work, n_rows)
        row = 0
        for a in range(n_active):
            slot = &work.slots[work.active[a]]
            n_candidates = take_rows(scorer, system, slot, work, &row)
            choice = best_choice(system, &slot.state, work.candidates, n_candidates, scorer.nO)
            insert_label = -1
            if system.inserts:
                insert_label = best_label(work.candidates[0].scores, scorer.nO, RIGHT_ARC)
            if observer != NULL and observer.choose != NULL:
                choice = observer.choose(
                    observer.self, slot.sentence, &slot.state, work.candidates, n_candidates, choice,
                    &insert_label,
                )
            action = work.candidates[choice // scorer.nO].place * N_MOVES + class_move(
                choice % scorer.nO
            )
            label = class_label(choice % scorer.nO)
            if observer != NULL and observer.tell != NULL:
                p = probability(
                    system, &slot.state, work.candidates, n_candidates, scorer.nO, choice
                )
                observer.tell(observer.self, slot.sentence, action, label, insert_label, p)
            make_move(system, slot, action, label, insert_label)


cdef void finish_slot(
    const ScorerC* scorer, const SystemC* system, SlotC* slot, SentenceC* sentences,
    WorkC* work, int n_rows
) noexcept nogil:
    """Write the tree of a finished slot, using the rows behind those that are in use."""
    cdef WorkC spare = work[0]
    spare.token_rows += n_rows * scorer.nF
    spare.atom_rows += n_rows * N_ATOMS
    spare.hidden += n_rows * scorer.nH
    spare.scores += n_rows * scorer.nO
    finish(scorer, system, &slot.state, &sentences[slot.sentence], &spare)
    slot.sentence = -1


cdef struct MadeC:
    # A move that was made.
    int sentence
    int action
    int label
    int insert_label
    float probability


cdef void log_move(
    void* log, int sentence, int action, int label, int insert_label, float probability
) noexcept nogil:
    cdef MadeC made
    made.sentence = sentence
    made.action = action
    made.label = label
    made.insert_label = insert_label
    made.probability = probability
    (<vector[MadeC]*>log).push_back(made)


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

    def derivations(self):
        """Decode; for each sentence its moves: (move, place, label, kept label, probability), the first
        four as numbers (labels: -1 for none)."""
        cdef ObserverC observer
        cdef vector[MadeC] log
        cdef MadeC made
        observer.self = &log
        observer.choose = NULL
        observer.tell = log_move
        self.decode(&observer)
        moves = [[] for _ in range(self.n_sentences)]
        for made in log:
            moves[made.sentence].append((
                action_move(made.action), action_place(made.action), made.label, made.insert_label,
                made.probability,
            ))
        return moves

    cdef void decode(self, const ObserverC* observer) except *:
        cdef Pool mem = Pool()
        cdef WorkC work
        cdef int k
        cdef int nH = self.scorer.nH
        cdef bint list_based = self.system.c.focuses != NULL
        cdef int places = self.longest + 1
        work.n_rows = max(N_SLOTS, places) if list_based else N_SLOTS
        work.slots = <SlotC*>mem.alloc(N_SLOTS, sizeof(SlotC))
        for k in range(N_SLOTS):
            state_carve(
                &work.slots[k].state, mem.alloc(1, state_bytes(self.longest)), self.longest
            )
            if list_based:
                work.slots[k].known = <bint*>mem.alloc(places, sizeof(bint))
                work.slots[k].token_rows = <int*>mem.alloc(places * self.scorer.nF, sizeof(int))
                work.slots[k].atom_rows = <int*>mem.alloc(places * N_ATOMS, sizeof(int))
                work.slots[k].scores = <float*>mem.alloc(places * self.scorer.nO, sizeof(float))
        # One row more: a sentence that is finished is scored behind the rows in use.
        work.active = <int*>mem.alloc(N_SLOTS, sizeof(int))
        work.candidates = <CandidateC*>mem.alloc(places, sizeof(CandidateC))
        work.token_rows = <int*>mem.alloc((work.n_rows + 1) * self.scorer.nF, sizeof(int))
        work.atom_rows = <int*>mem.alloc((work.n_rows + 1) * N_ATOMS, sizeof(int))
        work.pre = <float*>mem.alloc(self.scorer.nP * nH, sizeof(float))
        work.hidden = <float*>mem.alloc((work.n_rows + 1) * nH, sizeof(float))
        work.scores = <float*>mem.alloc((work.n_rows + 1) * self.scorer.nO, sizeof(float))
        work.gemm = sgemm(self.blas)
        with nogil:
            run(
                &self.scorer, &self.system.c, self.sentences, self.n_sentences,
                self.max_distance, &work, observer,
            )
