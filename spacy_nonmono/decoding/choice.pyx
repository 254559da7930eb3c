"""What a decoder chooses from: the classes of a configuration, at every focus."""

from libc.math cimport exp

from ..scoring.scorer cimport class_label, class_of, end_of_classes, n_arcs
from ..state cimport find_foci
from ..structs cimport StateC, SystemC
from ..transitions.moves cimport action_of


cdef int best_class(
    const SystemC* system, const StateC* st, int focus, const float* scores, int nO
) noexcept nogil:
    """The best class whose move is valid, the first one where several are; -1 if none is."""
    cdef int step = n_arcs(system)
    cdef int best = -1
    cdef int c, end, move
    for move in range(system.n_moves):
        if not system.is_valid(st, focus, move):
            continue
        c = move
        end = end_of_classes(system, move, nO)
        while c < end:
            if best < 0 or scores[c] > scores[best] or (scores[c] == scores[best] and c < best):
                best = c
            c += step
    return best


cdef int best_choice(
    const SystemC* system, const StateC* st, const CandidateC* candidates, int n_candidates, int nO
) noexcept nogil:
    cdef int best = -1
    cdef float best_score = 0
    cdef int k, c
    for k in range(n_candidates):
        c = best_class(system, st, candidates[k].focus, candidates[k].scores, nO)
        if c >= 0 and (best < 0 or candidates[k].scores[c] > best_score):
            best = k * nO + c
            best_score = candidates[k].scores[c]
    return best


cdef float probability(
    const SystemC* system, const StateC* st, const CandidateC* candidates, int n_candidates, int nO,
    int choice
) noexcept nogil:
    cdef float chosen = candidates[choice // nO].scores[choice % nO]
    cdef double total = 0
    cdef int step = n_arcs(system)
    cdef int k, c, end, move
    for k in range(n_candidates):
        for move in range(system.n_moves):
            if not system.is_valid(st, candidates[k].focus, move):
                continue
            c = move
            end = end_of_classes(system, move, nO)
            while c < end:
                total += exp(candidates[k].scores[c] - chosen)
                c += step
    return 1 / total


cdef int best_label(const SystemC* system, const float* scores, int nO, int move) noexcept nogil:
    cdef int step = n_arcs(system)
    cdef int best = -1
    cdef int c = class_of(system, move, 0)
    while c < nO:
        if best < 0 or scores[c] > scores[best]:
            best = c
        c += step
    return class_label(system, best) if best >= 0 else -1


cdef int forced_action(const SystemC* system, const StateC* st) noexcept nogil:
    cdef int first
    cdef int n_foci = find_foci(system, st, &first)
    cdef int only = FINAL
    cdef int focus, move, h, d
    for focus in range(first, first + n_foci):
        for move in range(system.n_moves):
            if not system.is_valid(st, focus, move):
                continue
            if only >= 0:
                return CHOICE
            only = action_of(focus, move)
            if move >= system.n_plain:
                system.arc(st, focus, move, &h, &d)
                if h >= 0:
                    # An arc needs a label, unless it comes from ROOT.
                    return CHOICE
    return only
