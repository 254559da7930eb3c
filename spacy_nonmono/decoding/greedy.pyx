"""Greedy decoding without the GIL.

A fixed number of sentences is under way at any time, one in each slot; a slot that is finished takes the
next sentence. A step looks at every slot's state, scores all of them together, and makes one move in
each. Moves without an alternative are made, not scored. A list system has a state at every place of its
list; what an attachment leaves alone is not scored again.
"""

from cymem.cymem cimport Pool
from libc.math cimport exp
from libc.string cimport memcpy, memset
from libcpp.vector cimport vector

import numpy

from ..scoring.scorer cimport class_label, class_move, class_of, is_arc
from ..state cimport MAX_WORDS, N_MOVES, leads_to, set_head, state_bytes, state_carve, state_reset
from ..transitions.system cimport (
    LEFT_ARC, RIGHT_ARC, SHIFT, action_move, action_place, find_places, look_at, make_action,
)
from .arc_scores cimport NO_SCORE, ArcScoresC, note_heads, score_heads, score_rest

from ..errors import Errors
from ..shapes import check_lengths, check_values


cdef struct SlotC:
    StateC state
    int sentence          # -1: idle
    # List systems: what is known of a place, by the word on its left (0: ROOT); it stays so until an
    # attachment nearby, or a change of the weights.
    unsigned int n_changes
    bint* known           # [longest + 1]
    char* inputs          # [longest + 1, n_input]
    float* scores         # [longest + 1, nO]


cdef struct WorkC:
    # Memory of one decoding run. A row is a place to be scored in this step.
    SlotC* slots          # [n_slots]
    int* active           # [n_slots] indices of the slots that make a move in this step
    int n_rows            # room for so many rows, and one more
    char* inputs          # [n_rows, n_input]; list systems: in the slots
    float* scores         # [n_rows, nO]
    CandidateC* candidates  # [longest + 1] of one slot


cdef int best_class(
    const SystemC* system, const StateC* st, const float* scores, int nO
) noexcept nogil:
    """The best class whose move is valid, the first one where several are; -1 if none is."""
    cdef int best = -1
    cdef int c, move
    for move in range(N_MOVES):
        if not system.is_valid(st, move):
            continue
        for c in range(move, nO if is_arc(move) else move + 1, 2):
            if best < 0 or scores[c] > scores[best] or (scores[c] == scores[best] and c < best):
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
    cdef int k, c, move
    for k in range(n_candidates):
        look_at(system, st, candidates[k].place)
        for move in range(N_MOVES):
            if not system.is_valid(st, move):
                continue
            for c in range(move, nO if is_arc(move) else move + 1, 2):
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


cdef int best_head(
    const ScorerC* scorer, const SystemC* system, const StateC* st, int sentence, int root, int d
) noexcept nogil:
    """Where to attach a word that is left over: projective systems to the root, which crosses nothing;
    the others to the likeliest word that closes no cycle, if the scorer has an opinion."""
    cdef int best = root
    cdef float highest, score
    cdef int h
    if system.projective or scorer.arc == NULL:
        return root
    highest = scorer.arc(scorer.self, sentence, root, d)
    for h in range(st.n):
        score = scorer.arc(scorer.self, sentence, h, d)
        if score > highest and not leads_to(st, d, h):
            best = h
            highest = score
    return best


cdef void attach_rest(
    const ScorerC* scorer, const SystemC* system, StateC* st, int sentence, WorkC* work, int row
) noexcept nogil:
    """Leave one word without a head, the likeliest root, and attach the others. The scorer gives the
    label, with its focus on the two words."""
    cdef void* input = work.inputs + row * scorer.n_input
    cdef float* scores = work.scores + row * scorer.nO
    cdef int root = -1
    cdef int d, h
    for d in range(st.n):
        if st.head[d] < 0 and (root < 0 or (
            scorer.root(scorer.self, sentence, d) > scorer.root(scorer.self, sentence, root)
        )):
            root = d
    for d in range(st.n):
        if st.head[d] >= 0 or d == root:
            continue
        h = best_head(scorer, system, st, sentence, root, d)
        system.focus(st, d if d < h else h, h if d < h else d)
        scorer.look(scorer.self, system, st, sentence, input, row)
        scorer.score(scorer.self, row, 1, scores)
        set_head(st, h, d, best_label(scores, scorer.nO, LEFT_ARC if d < h else RIGHT_ARC))


cdef void finish(
    const ScorerC* scorer, const SystemC* system, SlotC* slot, SentenceC* sentences, WorkC* work,
    int row
) noexcept nogil:
    """Write the tree of a finished slot. The row is free."""
    cdef StateC* st = &slot.state
    cdef SentenceC* sentence = &sentences[slot.sentence]
    if not system.single_root:
        attach_rest(scorer, system, st, slot.sentence, work, row)
    memcpy(sentence.heads, st.head, st.n * sizeof(int))
    memcpy(sentence.labels, st.label, st.n * sizeof(int))
    slot.sentence = -1


cdef int add_rows(
    const ScorerC* scorer, const SystemC* system, SlotC* slot, WorkC* work, int n_rows
) noexcept nogil:
    """Look at what is to be scored of a slot; the number of rows then, -1 if there is no room."""
    cdef StateC* st = &slot.state
    cdef int at_rest = st.i
    cdef int first = 0
    cdef int n_focuses, place, word
    if system.focuses == NULL:
        scorer.look(
            scorer.self, system, st, slot.sentence, work.inputs + n_rows * scorer.n_input, n_rows
        )
        return n_rows + 1
    if slot.n_changes != scorer.n_changes:
        memset(slot.known, 0, (st.n + 1) * sizeof(bint))
        slot.n_changes = scorer.n_changes
    n_focuses = system.focuses(st, &first)
    for place in range(first, first + n_focuses):
        word = st.stack[place] + 1
        if slot.known[word]:
            continue
        if n_rows == work.n_rows:
            st.i = at_rest
            return -1
        st.i = place
        scorer.look(
            scorer.self, system, st, slot.sentence, slot.inputs + word * scorer.n_input, n_rows
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
        candidate.input = work.inputs + row[0] * scorer.n_input
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
        candidate.input = slot.inputs + word * scorer.n_input
        candidate.scores = slot.scores + word * scorer.nO
        candidate += 1
    return n_focuses


cdef void forget_nearby(const ScorerC* scorer, SlotC* slot, int place) noexcept nogil:
    """An attachment at a place changes what is seen from the three places before and the two behind
    it; on a short list the length too is seen from everywhere."""
    cdef StateC* st = &slot.state
    cdef bint everywhere = scorer.far or st.depth <= 4
    cdef int first = 0 if everywhere or place < 3 else place - 3
    cdef int end = st.depth if everywhere or place + 3 > st.depth else place + 3
    cdef int k
    for k in range(first, end):
        slot.known[st.stack[k] + 1] = False


cdef void make_move(
    const ScorerC* scorer, const SystemC* system, SlotC* slot, int action, int label, int insert_label
) noexcept nogil:
    cdef int move = action_move(action)
    make_action(system, &slot.state, action, label, insert_label)
    if system.focuses != NULL and (move == LEFT_ARC or move == RIGHT_ARC):
        forget_nearby(scorer, slot, action_place(action))


cdef void start_sentence(
    const SystemC* system, SlotC* slot, int s, int n
) noexcept nogil:
    slot.sentence = s
    state_reset(&slot.state, n)
    system.start(&slot.state)
    if system.focuses != NULL:
        memset(slot.known, 0, (n + 1) * sizeof(bint))


cdef void run(
    const ScorerC* scorer, const SystemC* system, SentenceC* sentences, int n_sentences,
    int max_distance, WorkC* work, const ObserverC* observer
) noexcept nogil:
    cdef int waiting = 0              # the next sentence to start
    cdef int k, a, n_active, n_rows, row, rows_then
    cdef int action, n_candidates, choice, label, insert_label
    cdef float p
    cdef SlotC* slot
    for k in range(scorer.n_slots):
        work.slots[k].sentence = -1
    while True:
        n_active = 0
        n_rows = 0
        for k in range(scorer.n_slots):
            slot = &work.slots[k]
            while True:
                if slot.sentence < 0:
                    if waiting == n_sentences:
                        break
                    start_sentence(system, slot, waiting, sentences[waiting].n)
                    waiting += 1
                action = forced_move(system, &slot.state, max_distance)
                if action == -1:
                    break
                if action >= 0:
                    if observer != NULL and observer.tell != NULL:
                        observer.tell(
                            observer.self, slot.sentence, &slot.state, action, -1, -1, 1.0
                        )
                    make_move(scorer, system, slot, action, -1, -1)
                    continue
                finish(scorer, system, slot, sentences, work, n_rows)
            if slot.sentence >= 0:
                rows_then = add_rows(scorer, system, slot, work, n_rows)
                if rows_then >= 0:
                    # Without room for its rows a sentence waits for the next step.
                    n_rows = rows_then
                    work.active[n_active] = k
                    n_active += 1
        if n_active == 0:
            return
        scorer.score(scorer.self, 0, n_rows, work.scores)
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
                observer.tell(
                    observer.self, slot.sentence, &slot.state, action, label, insert_label, p
                )
            make_move(scorer, system, slot, action, label, insert_label)
            if observer != NULL and observer.made != NULL:
                observer.made(observer.self, slot.sentence, &slot.state)


cdef struct MadeC:
    # A move that was made.
    int sentence
    int action
    int label
    int insert_label
    float probability


cdef void log_move(
    void* log, int sentence, StateC* st, int action, int label, int insert_label, float probability
) noexcept nogil:
    cdef MadeC made
    made.sentence = sentence
    made.action = action
    made.label = label
    made.insert_label = insert_label
    made.probability = probability
    (<vector[MadeC]*>log).push_back(made)


cdef class Batch:
    """Sentences ready to be decoded; a subclass for each kind of scorer."""

    cdef int check(self) except -1:
        if self.scorer.look == NULL:
            makers = "LinearBatch or NeuralBatch, and all of their arguments"
            raise TypeError(Errors.NM018.format(found=f"A {type(self).__name__}", makers=makers))
        return 0

    cdef void set_up(self, TransitionSystem system, const int[::1] lengths, int max_distance) except *:
        cdef Pool mem = Pool()
        cdef int s
        cdef int first = 0
        self.scorer.look = NULL
        if system is None or system.name is None:
            raise TypeError(Errors.NM018.format(found="A TransitionSystem", makers="get_system"))
        check_lengths(lengths, sum(lengths), MAX_WORDS)
        check_values("max_distance", max_distance, 0, MAX_WORDS)
        self.mem = mem
        self.system = system
        self.max_distance = max_distance
        self.n_sentences = lengths.shape[0]
        self.sentences = <SentenceC*>mem.alloc(self.n_sentences + 1, sizeof(SentenceC))
        self.longest = max(lengths, default=0)
        self.n_words = sum(lengths)
        self.n_rows = self.scorer.n_slots
        if system.list_based:
            self.n_rows = max(self.n_rows, self.longest + 1)
        # One row more: a sentence that is finished is scored behind the rows in use.
        self.n_rows += 1
        cdef int[::1] heads = numpy.full((self.n_words + 1,), -1, dtype="i")
        cdef int[::1] labels = numpy.full((self.n_words + 1,), -1, dtype="i")
        self.heads = numpy.asarray(heads)[:self.n_words]
        self.labels = numpy.asarray(labels)[:self.n_words]
        for s in range(self.n_sentences):
            self.sentences[s].n = lengths[s]
            self.sentences[s].heads = &heads[first]
            self.sentences[s].labels = &labels[first]
            first += lengths[s]

    def parse(self, *, bint scores=False):
        """Decode; fills `heads` and `labels`.

        scores: whether to fill `scores` as well: of each word how likely the model finds its arc.

        Raises ValueError (NM056) if the model has no probabilities to tell.
        """
        self.check()
        if scores:
            self.decode_scored()
        else:
            self.decode(NULL)

    cdef void decode_scored(self) except *:
        cdef Pool mem = Pool()
        cdef ArcScoresC noted
        cdef ObserverC observer
        cdef float[::1] scores = numpy.full((self.n_words + 1,), NO_SCORE, dtype="f")
        cdef int first = 0
        cdef int s
        if self.scorer.arc == NULL:
            raise ValueError(Errors.NM056)
        noted.system = &self.system.c
        noted.scores = <float**>mem.alloc(self.n_sentences + 1, sizeof(float*))
        for s in range(self.n_sentences):
            noted.scores[s] = &scores[first]
            first += self.sentences[s].n
        observer.self = &noted
        observer.choose = NULL
        observer.tell = note_heads
        observer.made = score_heads
        self.decode(&observer)
        for s in range(self.n_sentences):
            score_rest(
                &self.scorer, s, self.sentences[s].n, self.sentences[s].heads, noted.scores[s]
            )
        self.scores = numpy.asarray(scores)[:self.n_words]

    def derivations(self):
        """Decode; for each sentence its moves: (move, place, label, kept label, probability), the first
        four as numbers (labels: -1 for none)."""
        cdef ObserverC observer
        cdef vector[MadeC] log
        cdef MadeC made
        self.check()
        observer.self = &log
        observer.choose = NULL
        observer.tell = log_move
        observer.made = NULL
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
        cdef SlotC* slot
        cdef const ScorerC* scorer = &self.scorer
        cdef int places = self.longest + 1
        cdef int k
        work.n_rows = self.n_rows - 1
        work.slots = <SlotC*>mem.alloc(scorer.n_slots, sizeof(SlotC))
        for k in range(scorer.n_slots):
            slot = &work.slots[k]
            state_carve(&slot.state, mem.alloc(1, state_bytes(self.longest)), self.longest)
            if self.system.list_based:
                slot.known = <bint*>mem.alloc(places, sizeof(bint))
                slot.inputs = <char*>mem.alloc(places, scorer.n_input)
                slot.scores = <float*>mem.alloc(<size_t>places * scorer.nO, sizeof(float))
        work.active = <int*>mem.alloc(scorer.n_slots, sizeof(int))
        work.candidates = <CandidateC*>mem.alloc(places, sizeof(CandidateC))
        work.inputs = <char*>mem.alloc(self.n_rows, scorer.n_input)
        work.scores = <float*>mem.alloc(<size_t>self.n_rows * scorer.nO, sizeof(float))
        with nogil:
            run(
                scorer, &self.system.c, self.sentences, self.n_sentences, self.max_distance, &work,
                observer,
            )
