"""The sentences of one batch, ready to be decoded."""

from cymem.cymem cimport Pool
from libcpp.vector cimport vector

import numpy

from ..scoring.scorer cimport ScorerC, n_arcs
from ..state cimport MAX_WORDS, state_bytes, state_init
from ..structs cimport LIST, StateC, SystemC
from ..transitions.moves cimport action_focus, action_move
from ..transitions.system cimport TransitionSystem
from .arc_scores cimport NO_SCORE, ArcScoresC, note_heads, score_heads, score_rest
from .choice cimport CandidateC
from .greedy cimport ObserverC, SentenceC, decode_sentences, silent_observer
from .slots cimport SlotC, WorkC

from ..errors import Errors
from ..shapes import check_heads, check_lengths, check_values


cdef struct MadeC:
    # A move that was made.
    int sentence
    int action
    int label
    float probability


cdef void log_move(
    void* log, int sentence, const StateC* st, int action, int label, float probability
) noexcept nogil:
    cdef MadeC made
    made.sentence = sentence
    made.action = action
    made.label = label
    made.probability = probability
    (<vector[MadeC]*>log).push_back(made)


cdef class Batch:
    """The sentences of a batch, ready to be decoded. There is a subclass for each kind of scorer."""

    cdef int check(self) except -1:
        if self.scorer.look == NULL:
            makers = "LinearBatch or NeuralBatch, and all of their arguments"
            raise TypeError(Errors.NM018.format(found=f"A {type(self).__name__}", makers=makers))
        return 0

    cdef void set_up(self, system, const int[::1] lengths, int max_distance) except *:
        cdef TransitionSystem typed = system
        cdef Pool mem = Pool()
        cdef int s
        cdef int first = 0
        self.scorer.look = NULL
        self.scorer.arc = NULL
        self.scorer.next_left = NULL
        self.scorer.n_changes = 0
        if system is None or system.name is None:
            raise TypeError(Errors.NM018.format(found="A TransitionSystem", makers="get_system"))
        # The labels of words that are left over, and of arcs that are inserted, come from these moves.
        asks = not typed.c.single_root or typed.c.inserts
        if asks and (typed.c.left_arc < 0 or typed.c.right_arc < 0):
            raise ValueError(Errors.NM038.format(system=system.name, found=", ".join(system.arc_moves)))
        check_lengths(lengths, sum(lengths), MAX_WORDS)
        check_values("max_distance", max_distance, 0, MAX_WORDS)
        self.mem = mem
        self.system = system
        self.c_system = &typed.c
        self.max_distance = max_distance
        self.n_sentences = lengths.shape[0]
        self.sentences = <SentenceC*>mem.alloc(self.n_sentences + 1, sizeof(SentenceC))
        self.firsts = <int*>mem.alloc(self.n_sentences + 1, sizeof(int))
        self.longest = max(lengths, default=0)
        self.n_words = sum(lengths)
        self.n_rows = self.scorer.n_slots
        if typed.c.kind == LIST:
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
            self.firsts[s] = first
            first += lengths[s]

    cdef int count_labels(self, int n_classes) noexcept:
        cdef const SystemC* system = self.c_system
        return max((n_classes - system.n_plain) // max(n_arcs(system), 1), 1)

    def parse(self, *, bint scores=False):
        """Parse the sentences: fill `heads` and `labels`.

        scores: whether to fill `scores` as well: of each word how likely the model finds its arc.

        Raises ValueError (NM056) if the model has no probabilities to tell.
        """
        cdef ObserverC observer
        self.check()
        if scores:
            self.decode_scored()
        else:
            observer = silent_observer()
            self.decode(&observer)

    cdef void decode_scored(self) except *:
        cdef Pool mem = Pool()
        cdef ArcScoresC noted
        cdef ObserverC observer
        cdef float[::1] scores = numpy.full((self.n_words + 1,), NO_SCORE, dtype="f")
        cdef int s
        if self.scorer.arc == NULL:
            raise ValueError(Errors.NM056)
        noted.system = self.c_system
        noted.scores = <float**>mem.alloc(self.n_sentences + 1, sizeof(float*))
        for s in range(self.n_sentences):
            noted.scores[s] = &scores[self.firsts[s]]
        observer = silent_observer()
        observer.self = &noted
        observer.before_move = note_heads
        observer.after_move = score_heads
        self.decode(&observer)
        for s in range(self.n_sentences):
            score_rest(
                &self.scorer, s, self.sentences[s].n, self.sentences[s].heads, noted.scores[s]
            )
        self.scores = numpy.asarray(scores)[:self.n_words]

    def arc_probs(self, const int[:, ::1] heads not None):
        """Compute how likely the arc scores find arcs, whether or not they were found.

        heads: (M, N) int32, a head of each word in each row: within the sentence, -1 for the root.
        Returns (M, N) float32. Raises ValueError: NM020 for heads that cannot be, NM056 if the model has
        no probabilities to tell.
        """
        cdef int m, s, d, h
        cdef int first = 0
        self.check()
        if self.scorer.arc == NULL:
            raise ValueError(Errors.NM056)
        lengths = numpy.array([self.sentences[s].n for s in range(self.n_sentences)], dtype="i")
        for m in range(heads.shape[0]):
            check_heads(f"heads[{m}]", heads[m], lengths)
        cdef float[:, ::1] probs = numpy.zeros((heads.shape[0], self.n_words + 1), dtype="f")
        for m in range(heads.shape[0]):
            for s in range(self.n_sentences):
                first = self.firsts[s]
                for d in range(self.sentences[s].n):
                    h = heads[m, first + d]
                    probs[m, first + d] = (
                        self.scorer.root(self.scorer.self, s, d) if h < 0
                        else self.scorer.arc(self.scorer.self, s, h, d)
                    )
        return numpy.asarray(probs)[:, :self.n_words]

    def derivations(self):
        """Parse the sentences, and list the moves of each: (move, focus, label, probability), the first
        three as numbers (labels: -1 for none)."""
        cdef ObserverC observer
        cdef vector[MadeC] log
        cdef MadeC made
        self.check()
        observer = silent_observer()
        observer.self = &log
        observer.before_move = log_move
        self.decode(&observer)
        moves = [[] for _ in range(self.n_sentences)]
        for made in log:
            moves[made.sentence].append((
                action_move(made.action), action_focus(made.action), made.label, made.probability,
            ))
        return moves

    cdef void decode(self, const ObserverC* observer) except *:
        cdef Pool mem = Pool()
        cdef WorkC work
        cdef SlotC* slot
        cdef const ScorerC* scorer = &self.scorer
        cdef const SystemC* system = self.c_system
        cdef int n_foci = self.longest + 1
        cdef int k
        work.n_rows = self.n_rows - 1
        work.slots = <SlotC*>mem.alloc(scorer.n_slots, sizeof(SlotC))
        for k in range(scorer.n_slots):
            slot = &work.slots[k]
            state_init(
                &slot.state, system, mem.alloc(1, state_bytes(system, self.longest)), self.longest
            )
            if system.kind == LIST:
                slot.known = <bint*>mem.alloc(n_foci, sizeof(bint))
                slot.inputs = <char*>mem.alloc(n_foci, scorer.n_input)
                slot.scores = <float*>mem.alloc(<size_t>n_foci * scorer.nO, sizeof(float))
        work.active = <int*>mem.alloc(scorer.n_slots, sizeof(int))
        work.candidates = <CandidateC*>mem.alloc(n_foci, sizeof(CandidateC))
        work.inputs = <char*>mem.alloc(self.n_rows, scorer.n_input)
        work.scores = <float*>mem.alloc(<size_t>self.n_rows * scorer.nO, sizeof(float))
        with nogil:
            self.n_choices = decode_sentences(
                scorer, system, self.sentences, self.n_sentences, self.max_distance, &work,
                observer,
            )
