"""The observer that scores arcs: a word has the probability of the choice that gave it its head.

A move changes the heads of no other words than the two that it joins: they are noted before the move and
compared after it. Words that no choice attached keep NO_SCORE until the tree is complete; then the arc
probabilities of the model say how likely their heads are.
"""

from ..scoring.scorer cimport ScorerC
from ..structs cimport StateC, SystemC
from ..transitions.moves cimport find_arc


cdef enum:
    NO_SCORE = -1


cdef struct ArcScoresC:
    const SystemC* system
    float** scores        # [n_sentences] of each sentence: the scores [n] of its words
    int[2] words          # that the move joins; -1: there is none
    int[2] heads          # their heads then
    float probability     # of the move


cdef inline void note_heads(
    void* self, int sentence, const StateC* st, int action, int label, float probability
) noexcept nogil:
    cdef ArcScoresC* noted = <ArcScoresC*>self
    cdef int k
    find_arc(noted.system, st, action, &noted.words[0], &noted.words[1])
    for k in range(2):
        noted.heads[k] = st.head[noted.words[k]] if noted.words[k] >= 0 else -1
    noted.probability = probability


cdef inline void score_heads(void* self, int sentence, const StateC* st) noexcept nogil:
    cdef ArcScoresC* noted = <ArcScoresC*>self
    cdef int k, word
    for k in range(2):
        word = noted.words[k]
        if word >= 0 and st.head[word] != noted.heads[k]:
            noted.scores[sentence][word] = noted.probability if st.head[word] >= 0 else NO_SCORE


cdef inline void score_rest(
    const ScorerC* scorer, int sentence, int n, const int* heads, float* scores
) noexcept nogil:
    """The scores of the words of a tree that no choice attached, its root among them."""
    cdef int d
    for d in range(n):
        if scores[d] != NO_SCORE:
            continue
        if heads[d] < 0:
            scores[d] = scorer.root(scorer.self, sentence, d)
        else:
            scores[d] = scorer.arc(scorer.self, sentence, heads[d], d)
