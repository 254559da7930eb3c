"""What is missing in the end: heads of words that are left over, labels of arcs without one."""

from ..scoring.scorer cimport ScorerC
from ..state cimport count_crossed, leads_to, set_head
from ..structs cimport StateC, SystemC
from .choice cimport CandidateC, best_label
from .greedy cimport ObserverC


cdef int likeliest_root(const ScorerC* scorer, const StateC* st, int sentence) noexcept nogil:
    cdef int root = -1
    cdef int d
    for d in range(st.n):
        if st.head[d] < 0 and (root < 0 or (
            scorer.root(scorer.self, sentence, d) > scorer.root(scorer.self, sentence, root)
        )):
            root = d
    return root


cdef int likeliest_head(
    const ScorerC* scorer, const SystemC* system, const StateC* st, int sentence, int root, int d
) noexcept nogil:
    """Where to attach a word that is left over: projective systems to the root, which crosses nothing;
    the others to the likeliest word that closes no cycle, if the scorer has an opinion: one that crosses
    no arc, if there is such a word. A probability of 0 is none: the words are too far apart."""
    cdef int best = root
    cdef float highest, score
    cdef bint crosses, crosses_least
    cdef int h
    if system.projective or scorer.arc == NULL:
        return root
    highest = scorer.arc(scorer.self, sentence, root, d)
    crosses_least = count_crossed(st, d if d < root else root, root if d < root else d, 1)
    for h in range(st.n):
        score = scorer.arc(scorer.self, sentence, h, d)
        if score == 0 or (score <= highest and not crosses_least):
            continue
        crosses = count_crossed(st, d if d < h else h, h if d < h else d, 1)
        if (crosses < crosses_least or (crosses == crosses_least and score > highest)) and not (
            leads_to(st, d, h)
        ):
            best = h
            highest = score
            crosses_least = crosses
    return best


cdef int score_pair(
    const ScorerC* scorer, const SystemC* system, StateC* st, int sentence, void* input,
    float* scores, int row, int h, int d
) noexcept nogil:
    """Score an arc with the cursor on its two words; the move that would build it."""
    system.set_pair(st, d if d < h else h, h if d < h else d)
    scorer.look(scorer.self, system, st, 0, sentence, input, row)
    scorer.score(scorer.self, row, 1, scores)
    return system.left_arc if d < h else system.right_arc


cdef void label_inserted(
    const ScorerC* scorer, const SystemC* system, StateC* st, int sentence, void* input,
    float* scores, int row, const ObserverC* observer
) noexcept nogil:
    cdef CandidateC candidate
    cdef int d, h, move
    candidate.focus = 0
    candidate.input = input
    candidate.scores = scores
    for d in range(st.n):
        h = st.head[d]
        if h >= 0 and st.label[d] < 0:
            move = score_pair(scorer, system, st, sentence, input, scores, row, h, d)
            st.label[d] = best_label(system, scores, scorer.nO, move)
            if observer.see_inserted != NULL:
                observer.see_inserted(observer.self, sentence, &candidate, move, h, d)


cdef void attach_leftovers(
    const ScorerC* scorer, const SystemC* system, StateC* st, int sentence, void* input,
    float* scores, int row
) noexcept nogil:
    cdef int root = likeliest_root(scorer, st, sentence)
    cdef int d, h, move
    for d in range(st.n):
        if st.head[d] < 0 and d != root:
            h = likeliest_head(scorer, system, st, sentence, root, d)
            move = score_pair(scorer, system, st, sentence, input, scores, row, h, d)
            set_head(st, h, d, best_label(system, scores, scorer.nO, move))


cdef void label_exchanged(
    const ScorerC* scorer, const SystemC* system, StateC* st, int sentence, const int* heads,
    const int* labels, void* input, float* scores, float* arc_scores
) noexcept nogil:
    cdef bint asks = not system.single_root or system.inserts
    cdef int d, h, move
    for d in range(st.n):
        h = st.head[d]
        if h != heads[d]:
            st.label[d] = labels[d]
            if asks:
                move = score_pair(scorer, system, st, sentence, input, scores, 0, h, d)
                st.label[d] = best_label(system, scores, scorer.nO, move)
            arc_scores[d] = scorer.arc(scorer.self, sentence, h, d)
