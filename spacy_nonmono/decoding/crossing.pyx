"""Arcs of a finished tree that cross others, and give way to arcs that cross none.

Each arc is found by itself; so parsers build more sentences with crossing arcs than there are: 1.4 times
as many on Hungarian-Szeged, 3.8 times as many on English-EWT (dev).
"""

from libc.math cimport log

from ..scoring.scorer cimport ScorerC
from ..state cimport count_crossed, leads_to, set_head, state_reset
from ..structs cimport StateC

cdef enum:
    NO_EXCHANGE = -1

# What an arc that crosses is worth, by the odds of the move that built it, the likelihood of the best
# arc that crosses none, and its length: a logistic regression (was the arc right?) of English-EWT and
# Hungarian-Szeged, dev. It gives way below 0, so that about as many sentences have crossing arcs as gold
# ones.
cdef double ODDS = 0.2
cdef double OTHER = -0.06
cdef double LENGTH = -0.4
cdef double TINY = 1e-4


cdef int build_tree(StateC* st, const int* heads, const int* labels, int n) noexcept nogil:
    cdef int root = -1
    cdef int d
    state_reset(st, n)
    # Outwards from each head
    for d in range(n - 1, -1, -1):
        if heads[d] > d:
            set_head(st, heads[d], d, labels[d])
    for d in range(n):
        if heads[d] < 0:
            root = d
        elif heads[d] < d:
            set_head(st, heads[d], d, labels[d])
    return root


cdef bint crosses(const StateC* st, int root, int d, int h) noexcept nogil:
    """Whether an arc would cross another one, or the arc to the root, which comes from outside."""
    cdef int left = min(d, h)
    cdef int right = max(d, h)
    return (left < root and root < right) or count_crossed(st, left, right, 1) > 0


cdef int likeliest_exchange(
    const ExchangeC* exchange, const StateC* st, int root, int d
) noexcept nogil:
    """The likeliest head of a word whose arc crosses none, NO_EXCHANGE if its own is worth more."""
    cdef const ScorerC* scorer = exchange.scorer
    cdef float own = exchange.scores[d]
    cdef float likeliest = 0
    cdef int best = NO_EXCHANGE
    cdef float score
    cdef int h
    for h in range(st.n):
        score = scorer.arc(scorer.self, exchange.sentence, h, d)
        if score > likeliest and not crosses(st, root, d, h) and not leads_to(st, d, h):
            best = h
            likeliest = score
    value = (
        ODDS * log((own + TINY) / (1 - own + TINY)) + OTHER * log(likeliest + TINY)
        + LENGTH * log(abs(st.head[d] - d)) + exchange.worth
    )
    return best if value < 0 else NO_EXCHANGE


cdef void exchange_arcs(StateC* st, int root, const ExchangeC* exchange) noexcept nogil:
    cdef bint is_changed = True
    cdef int d, h
    while is_changed:
        is_changed = False
        for d in range(st.n):
            if d != root and crosses(st, root, d, st.head[d]):
                h = likeliest_exchange(exchange, st, root, d)
                if h != NO_EXCHANGE:
                    set_head(st, h, d, -1)
                    is_changed = True
