"""Greedy decoding without the GIL.

A fixed number of sentences is under way at any time, one in each slot; a slot that is finished takes the
next sentence. A step looks at every slot's state, scores all of them together, and makes one move in
each. Moves without an alternative are made, not scored.
"""

from libc.string cimport memcpy

from ..scoring.scorer cimport ScorerC, class_label, class_move
from ..structs cimport StateC
from ..transitions.system cimport SystemC, action_of
from .choice cimport best_choice, best_label, forced_action, probability
from .leftovers cimport attach_leftovers
from .slots cimport (
    SlotC, WorkC, look_at_slot, make_move, skip_pairs, start_sentence, take_candidates,
)


cdef void finish(
    const ScorerC* scorer, const SystemC* system, SlotC* slot, SentenceC* sentences, WorkC* work,
    int row
) noexcept nogil:
    """Write the tree of a finished slot. The row is free."""
    cdef StateC* st = &slot.state
    cdef SentenceC* sentence = &sentences[slot.sentence]
    if not system.single_root:
        attach_leftovers(
            scorer, system, st, slot.sentence, work.inputs + row * scorer.n_input,
            work.scores + row * scorer.nO, row,
        )
    memcpy(sentence.heads, st.head, st.n * sizeof(int))
    memcpy(sentence.labels, st.label, st.n * sizeof(int))
    slot.sentence = -1


cdef long decode_sentences(
    const ScorerC* scorer, const SystemC* system, SentenceC* sentences, int n_sentences,
    int max_distance, WorkC* work, const ObserverC* observer
) noexcept nogil:
    cdef int waiting = 0              # the next sentence to start
    cdef int k, a, n_active, n_rows, row, rows_then
    cdef bint listened = observer != NULL and observer.before_move != NULL
    cdef int move, action, n_candidates, choice, label, insert_label
    cdef long n_choices = 0
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
                move = skip_pairs(scorer, system, slot, max_distance, listened)
                action = action_of(0, move) if move >= 0 else forced_action(system, &slot.state)
                if action == -1:
                    break
                if action >= 0:
                    if listened:
                        observer.before_move(
                            observer.self, slot.sentence, &slot.state, action, -1, -1, 1.0
                        )
                    make_move(scorer, system, slot, action, -1, -1)
                    continue
                finish(scorer, system, slot, sentences, work, n_rows)
            if slot.sentence >= 0:
                rows_then = look_at_slot(scorer, system, slot, work, n_rows)
                if rows_then >= 0:
                    # Without room for its rows a sentence waits for the next step.
                    n_rows = rows_then
                    work.active[n_active] = k
                    n_active += 1
        if n_active == 0:
            return n_choices
        n_choices += n_active
        scorer.score(scorer.self, 0, n_rows, work.scores)
        row = 0
        for a in range(n_active):
            slot = &work.slots[work.active[a]]
            n_candidates = take_candidates(scorer, system, slot, work, &row)
            choice = best_choice(system, &slot.state, work.candidates, n_candidates, scorer.nO)
            insert_label = -1
            if system.inserts:
                insert_label = best_label(
                    system, work.candidates[0].scores, scorer.nO, system.right_arc
                )
            if observer != NULL and observer.choose != NULL:
                choice = observer.choose(
                    observer.self, slot.sentence, &slot.state, work.candidates, n_candidates, choice,
                    &insert_label,
                )
                if choice == STAY:
                    continue
            action = action_of(
                work.candidates[choice // scorer.nO].focus, class_move(system, choice % scorer.nO)
            )
            label = class_label(system, choice % scorer.nO)
            if listened:
                p = probability(
                    system, &slot.state, work.candidates, n_candidates, scorer.nO, choice
                )
                observer.before_move(
                    observer.self, slot.sentence, &slot.state, action, label, insert_label, p
                )
            make_move(scorer, system, slot, action, label, insert_label)
            if observer != NULL and observer.after_move != NULL:
                observer.after_move(observer.self, slot.sentence, &slot.state)
