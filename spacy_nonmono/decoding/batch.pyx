"""The sentences of one batch, ready to be decoded."""

from cymem.cymem cimport Pool
from libc.string cimport memcpy
from libcpp.vector cimport vector

from math import inf

import numpy

from ..scoring.scorer cimport ScorerC, n_arcs
from ..state cimport MAX_WORDS, state_bytes, state_init
from ..structs cimport LIST, StateC, SystemC
from ..transitions.moves cimport action_focus, action_move
from ..transitions.system cimport TransitionSystem
from .arc_scores cimport NO_SCORE, ArcScoresC, note_heads, score_heads, score_rest
from .choice cimport CandidateC
from .crossing cimport ExchangeC, build_tree, exchange_arcs
from .greedy cimport ObserverC, SentenceC, decode_sentences, silent_observer
from .leftovers cimport label_exchanged
from .slots cimport SlotC, WorkC

from ..errors import Errors
from ..shapes import check_lengths, check_values


cdef struct MadeC:
    # A move that was made.
    int sentence
    int action
    int label
    float probability


cdef void log_move(
    void* all_made, int sentence, const StateC* st, int action, int label, float probability
) noexcept nogil:
    cdef MadeC made
    made.sentence = sentence
    made.action = action
    made.label = label
    made.probability = probability
    (<vector[MadeC]*>all_made).push_back(made)


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

    def parse(self, *, bint scores=False, double worth=inf):
        """Parse the sentences: fill `heads` and `labels`.

        scores: whether to fill `scores` as well: of each word how likely the model finds its arc.
        worth: of arcs that cross others, beside the odds of each. An arc that is worth less than 0 gives
            way to one that crosses none, if the model has probabilities; by default none does.

        Raises ValueError (NM056) if the model has no probabilities to tell.
        """
        cdef const SystemC* system = self.c_system
        cdef ObserverC observer
        self.check()
        self.scores = None
        uncross = worth < inf and self.scorer.arc != NULL and not system.projective
        if not scores and not uncross:
            observer = silent_observer()
            self.decode(&observer)
            return
        arc_scores = self.decode_scored()
        if uncross:
            self.uncross(arc_scores, worth)
        if scores:
            self.scores = arc_scores

    cdef object decode_scored(self):
        """Parse, and return `scores`."""
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
        observer.sees_arcs_only = True
        self.decode(&observer)
        for s in range(self.n_sentences):
            score_rest(
                &self.scorer, s, self.sentences[s].n, self.sentences[s].heads, noted.scores[s]
            )
        return numpy.asarray(scores)[:self.n_words]

    cdef void uncross(self, float[::1] scores, double worth) except *:
        """Exchange arcs that cross in the trees that were found; give the new ones labels and scores."""
        cdef Pool mem = Pool()
        cdef ExchangeC exchange
        cdef StateC st
        cdef SentenceC* sentence
        cdef int s, root
        if self.n_words == 0:
            return
        exchange.scorer = &self.scorer
        exchange.worth = worth
        state_init(
            &st, self.c_system, mem.alloc(1, state_bytes(self.c_system, self.longest)), self.longest
        )
        input = mem.alloc(1, self.scorer.n_input)
        class_scores = <float*>mem.alloc(self.scorer.nO, sizeof(float))
        with nogil:
            for s in range(self.n_sentences):
                sentence = &self.sentences[s]
                root = build_tree(&st, sentence.heads, sentence.labels, sentence.n)
                exchange.sentence = s
                exchange.scores = &scores[self.firsts[s]]
                exchange_arcs(&st, root, &exchange)
                label_exchanged(
                    &self.scorer, self.c_system, &st, s, sentence.heads, sentence.labels, input,
                    class_scores, &scores[self.firsts[s]],
                )
                memcpy(sentence.heads, st.head, st.n * sizeof(int))
                memcpy(sentence.labels, st.label, st.n * sizeof(int))

    def derivations(self):
        """Parse the sentences, and list the moves of each: (move, focus, label, probability), the first
        three as numbers (labels: -1 for none)."""
        cdef ObserverC observer
        cdef vector[MadeC] all_made
        cdef MadeC made
        self.check()
        observer = silent_observer()
        observer.self = &all_made
        observer.before_move = log_move
        self.decode(&observer)
        moves = [[] for _ in range(self.n_sentences)]
        for made in all_made:
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
