"""The atom rows of a configuration: what the neural scorer sees of it beside its words.

Each atom picks one row of a table of learned rows: of the distance of the focus words, of valencies, of
arc probabilities in buckets, of labels. What is counted together has a row for each combination.
"""

from ...structs cimport StateC, SystemC
from .arcs cimport ArcTableC


# The atoms, in order. S0 is the left focus word, N0 the right one, S1 the word below.
cdef enum:
    DISTANCE_ATOM         # from S0 to N0
    CHILDREN_ATOM         # numbers of dependents
    SEEN_ATOM             # what has become of the focus words
    LEFT_ATOM             # how much is left
    S0_HEAD_BEFORE        # P(the head of S0 is before it)
    S0_ROOT               # P(S0 is the root)
    S0_HEAD               # P(the head that S0 has)
    S1_TO_S0              # P(S1 is the head of S0)
    S0_TO_S1
    N0_HEAD_AFTER         # P(the head of N0 is behind it)
    N0_ROOT
    N0_HEAD
    S1_TO_N0
    S0_TO_N0
    N0_TO_S0
    S0_HEAD_AFTER         # P(the head of S0 is behind N0)
    N0_HEAD_BEFORE        # P(the head of N0 is before S0)
    S0_CHILD_AFTER        # the greatest P(S0 is the head of a word behind N0)
    N0_CHILD_BEFORE       # the greatest P(N0 is the head of a word before S0)
    LABEL_ATOMS           # labels of the arcs to S0, N0, S1, S0h, S0l, S0r, S0l2, S0r2, N0l, N0l2
    N_LABEL_ATOMS = 10
    N_ATOMS = LABEL_ATOMS + N_LABEL_ATOMS
    N_ARC_ATOMS = LABEL_ATOMS - S0_HEAD_BEFORE


# positions: the words of the configuration. atom_rows: [N_ATOMS].
cdef void fill_atom_rows(
    const SystemC* system, const StateC* st, const int* positions, const ArcTableC* arcs, int* atom_rows
) noexcept nogil
