"""Greedy decoding without the GIL.

A fixed number of sentences is under way at any time, one in each slot; a slot that is finished takes the
next sentence. A step looks at every slot's state, scores all of them together, and makes one move in
each. Moves without an alternative are made, not scored.
"""

from libc.string cimport memcpy

from ..scoring.scorer cimport ScorerC, class_label, class_move
from ..structs cimport StateC, SystemC
from ..transitions.moves cimport action_move, action_of
from .choice cimport CHOICE, FINAL, best_choice, forced_action, probability
from .leftovers cimport attach_leftovers, label_inserted
from .slots cimport (
    SlotC, WorkC, look_at_slot, make_move, skip_pairs, start_sentence, take_candidates,
)


cdef struct RunC:
    const ScorerC* scorer
    const SystemC* system
    SentenceC* sentences
    int n_sentences
    int waiting           # the next sentence to start
    int max_distance
    WorkC* work
    const ObserverC* observer


cdef ObserverC silent_observer() noexcept nogil:
    cdef ObserverC observer
    observer.self = NULL
    observer.choose = NULL
    observer.see_inserted = NULL
    observer.before_move = NULL
    observer.sees_arcs_only = False
    observer.after_move = NULL
    return observer


# --- one sentence --------------------------------------------------------------------------------

cdef bint take_sentence(RunC* run, SlotC* slot) noexcept nogil:
    """Start the next sentence that waits; whether there is one."""
    if run.waiting == run.n_sentences:
        return False
    start_sentence(run.system, slot, run.waiting, run.sentences[run.waiting].n)
    run.waiting += 1
    return True


cdef bint sees_move(const RunC* run, int move) noexcept nogil:
    return run.observer.before_move != NULL and not (
        run.observer.sees_arcs_only and move < run.system.n_plain and not run.system.inserts
    )


cdef void go_on(RunC* run, SlotC* slot, int action, int label, float p) noexcept nogil:
    """Make a move, and tell the observer."""
    cdef bint is_seen = sees_move(run, action_move(action))
    if is_seen:
        run.observer.before_move(run.observer.self, slot.sentence, &slot.state, action, label, p)
    make_move(run.scorer, run.system, slot, action, label)
    if is_seen and run.observer.after_move != NULL:
        run.observer.after_move(run.observer.self, slot.sentence, &slot.state)


cdef void finish(RunC* run, SlotC* slot, int row) noexcept nogil:
    """Write the tree of a slot. The row is free."""
    cdef const ScorerC* scorer = run.scorer
    cdef StateC* st = &slot.state
    cdef SentenceC* sentence = &run.sentences[slot.sentence]
    cdef void* input = run.work.inputs + row * scorer.n_input
    cdef float* scores = run.work.scores + row * scorer.nO
    if run.system.inserts:
        label_inserted(scorer, run.system, st, slot.sentence, input, scores, row, run.observer)
    if not run.system.single_root:
        attach_leftovers(scorer, run.system, st, slot.sentence, input, scores, row)
    memcpy(sentence.heads, st.head, st.n * sizeof(int))
    memcpy(sentence.labels, st.label, st.n * sizeof(int))
    slot.sentence = -1


cdef bint reach_choice(RunC* run, SlotC* slot, int row) noexcept nogil:
    """Make the moves without an alternative, finish what is final, take what waits, until there is
    something to choose; whether there is. The row is free."""
    cdef bint sees_all = run.observer.before_move != NULL and not run.observer.sees_arcs_only
    cdef int move, action
    while slot.sentence >= 0 or take_sentence(run, slot):
        move = skip_pairs(run.scorer, run.system, slot, run.max_distance, sees_all)
        action = action_of(0, move) if move >= 0 else forced_action(run.system, &slot.state)
        if action == CHOICE:
            return True
        if action == FINAL:
            finish(run, slot, row)
        else:
            go_on(run, slot, action, -1, 1.0)
    return False


# --- a step of all of them -----------------------------------------------------------------------

cdef int look_at_all(RunC* run, int* n_rows) noexcept nogil:
    """Look at what is to be scored in this step; how many slots make a move in it."""
    cdef SlotC* slot
    cdef int k, rows_then
    cdef int n_active = 0
    n_rows[0] = 0
    for k in range(run.scorer.n_slots):
        slot = &run.work.slots[k]
        if not reach_choice(run, slot, n_rows[0]):
            continue
        rows_then = look_at_slot(run.scorer, run.system, slot, run.work, n_rows[0])
        if rows_then >= 0:
            # Without room for its rows a sentence waits for the next step.
            n_rows[0] = rows_then
            run.work.active[n_active] = k
            n_active += 1
    return n_active


cdef void choose_and_go_on(RunC* run, SlotC* slot, int n_candidates) noexcept nogil:
    """Make the move that the model or the observer chooses, if it is not to stay."""
    cdef const CandidateC* candidates = run.work.candidates
    cdef int nO = run.scorer.nO
    cdef float p = 1.0
    cdef int action
    cdef int choice = best_choice(run.system, &slot.state, candidates, n_candidates, nO)
    if run.observer.choose != NULL:
        choice = run.observer.choose(
            run.observer.self, slot.sentence, &slot.state, candidates, n_candidates, choice
        )
    if choice == STAY:
        return
    action = action_of(candidates[choice // nO].focus, class_move(run.system, choice % nO))
    if sees_move(run, action_move(action)):
        p = probability(run.system, &slot.state, candidates, n_candidates, nO, choice)
    go_on(run, slot, action, class_label(run.system, choice % nO), p)


cdef long decode_sentences(
    const ScorerC* scorer, const SystemC* system, SentenceC* sentences, int n_sentences,
    int max_distance, WorkC* work, const ObserverC* observer
) noexcept nogil:
    cdef RunC run
    cdef long n_choices = 0
    cdef int k, n_active, n_rows, n_candidates
    cdef int row
    cdef SlotC* slot
    run.scorer = scorer
    run.system = system
    run.sentences = sentences
    run.n_sentences = n_sentences
    run.waiting = 0
    run.max_distance = max_distance
    run.work = work
    run.observer = observer
    for k in range(scorer.n_slots):
        work.slots[k].sentence = -1
    while True:
        n_active = look_at_all(&run, &n_rows)
        if n_active == 0:
            return n_choices
        n_choices += n_active
        scorer.score(scorer.self, 0, n_rows, work.scores)
        row = 0
        for k in range(n_active):
            slot = &work.slots[work.active[k]]
            n_candidates = take_candidates(scorer, system, slot, work, &row)
            choose_and_go_on(&run, slot, n_candidates)
