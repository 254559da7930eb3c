"""The sentences that are under way at the same time, and what is known of each.

A list system has something to score at every focus of its list; what an attachment leaves alone is not
scored again.
"""

from libc.string cimport memcpy, memset

from ..scoring.scorer cimport ScorerC
from ..state cimport find_foci, state_reset
from ..structs cimport LIST, PAIRS, StateC, SystemC
from ..transitions.moves cimport action_focus, action_move, make_action
from .choice cimport CandidateC


cdef void start_sentence(const SystemC* system, SlotC* slot, int sentence, int n) noexcept nogil:
    slot.sentence = sentence
    state_reset(&slot.state, n)
    system.start(&slot.state)
    if system.kind == LIST:
        memset(slot.known, 0, (n + 1) * sizeof(bint))


cdef int skip_pairs(
    const ScorerC* scorer, const SystemC* system, SlotC* slot, int max_distance, bint in_steps
) noexcept nogil:
    cdef StateC* st = &slot.state
    cdef int left = st.i
    if system.kind != PAIRS or st.i < 0 or st.j >= st.n:
        return -1
    if scorer.next_left != NULL:
        left = scorer.next_left(scorer.self, slot.sentence, st.i, st.j)
    if max_distance > 0 and st.j - left > max_distance:
        left = -1
    if left == st.i:
        return -1
    if left >= 0 and not in_steps:
        system.set_pair(st, left, st.j)
        return -1
    return system.pass_by(st, left)


cdef int look_at_slot(
    const ScorerC* scorer, const SystemC* system, SlotC* slot, WorkC* work, int n_rows
) noexcept nogil:
    cdef const StateC* st = &slot.state
    cdef int first, n_foci, focus, word
    if system.kind != LIST:
        scorer.look(
            scorer.self, system, st, 0, slot.sentence, work.inputs + n_rows * scorer.n_input, n_rows
        )
        return n_rows + 1
    if slot.n_changes != scorer.n_changes:
        memset(slot.known, 0, (st.n + 1) * sizeof(bint))
        slot.n_changes = scorer.n_changes
    n_foci = find_foci(system, st, &first)
    for focus in range(first, first + n_foci):
        word = st.pending[focus] + 1
        if slot.known[word]:
            continue
        if n_rows == work.n_rows:
            return -1
        scorer.look(
            scorer.self, system, st, focus, slot.sentence, slot.inputs + word * scorer.n_input, n_rows
        )
        n_rows += 1
    return n_rows


cdef int take_candidates(
    const ScorerC* scorer, const SystemC* system, SlotC* slot, WorkC* work, int* row
) noexcept nogil:
    cdef const StateC* st = &slot.state
    cdef CandidateC* candidate = work.candidates
    cdef int first, n_foci, focus, word
    if system.kind != LIST:
        candidate.focus = 0
        candidate.input = work.inputs + row[0] * scorer.n_input
        candidate.scores = work.scores + row[0] * scorer.nO
        row[0] += 1
        return 1
    n_foci = find_foci(system, st, &first)
    for focus in range(first, first + n_foci):
        word = st.pending[focus] + 1
        if not slot.known[word]:
            memcpy(
                slot.scores + word * scorer.nO, work.scores + row[0] * scorer.nO,
                scorer.nO * sizeof(float),
            )
            slot.known[word] = True
            row[0] += 1
        candidate.focus = focus
        candidate.input = slot.inputs + word * scorer.n_input
        candidate.scores = slot.scores + word * scorer.nO
        candidate += 1
    return n_foci


cdef void forget_nearby(const ScorerC* scorer, SlotC* slot, int focus) noexcept nogil:
    """An attachment at a focus changes what is seen from the three foci before and the two behind
    it; on a short list the length too is seen from everywhere."""
    cdef const StateC* st = &slot.state
    cdef bint everywhere = scorer.sees_everywhere or st.n_pending <= 4
    cdef int first = 0 if everywhere or focus < 3 else focus - 3
    cdef int end = st.n_pending if everywhere or focus + 3 > st.n_pending else focus + 3
    cdef int k
    for k in range(first, end):
        slot.known[st.pending[k] + 1] = False


cdef void make_move(
    const ScorerC* scorer, const SystemC* system, SlotC* slot, int action, int label
) noexcept nogil:
    make_action(system, &slot.state, action, label)
    if system.kind == LIST and action_move(action) >= system.n_plain:
        forget_nearby(scorer, slot, action_focus(action))
