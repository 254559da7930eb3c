"""The Python view of an oracle, and what all oracles share."""

from libc.string cimport memset

from ..state cimport State
from ..structs cimport TallyC
from ..transitions.system cimport (
    action_move, action_place, is_final, look_at, make_action,
)
from .places cimport N_TALLIES

from ..errors import Errors


cdef size_t gold_bytes(int capacity) noexcept nogil:
    return (
        sizeof(TallyC) + (4 + GOLD_SCRATCH + N_TALLIES) * (capacity + 1) * sizeof(int)
        + (capacity + 1) * sizeof(signed char)
    )


cdef void gold_carve(GoldC* gold, void* block, int capacity) noexcept nogil:
    # First what must be aligned most.
    cdef int* ints = <int*>(<char*>block + sizeof(TallyC))
    gold.n = capacity
    gold.head = ints
    gold.label = ints + (capacity + 1)
    gold.kids_start = ints + 2 * (capacity + 1)
    gold.kids = ints + 3 * (capacity + 1)
    gold.scratch = ints + 4 * (capacity + 1)
    gold.tally = <TallyC*>block
    gold.tally.kids = ints + (4 + GOLD_SCRATCH) * (capacity + 1)
    gold.tally.place = <signed char*>(gold.tally.kids + N_TALLIES * (capacity + 1))


cdef void gold_index(GoldC* gold) noexcept nogil:
    cdef int n = gold.n
    cdef int w, h
    gold.tally.state = NULL
    memset(gold.kids_start, 0, (n + 1) * sizeof(int))
    for w in range(n):
        if gold.head[w] >= 0:
            gold.kids_start[gold.head[w] + 1] += 1
    for w in range(n):
        gold.kids_start[w + 1] += gold.kids_start[w]
        gold.scratch[w] = 0
    for w in range(n):
        h = gold.head[w]
        if h >= 0:
            gold.kids[gold.kids_start[h] + gold.scratch[h]] = w
            gold.scratch[h] += 1


cdef void get_costs(
    const OracleC* oracle, const SystemC* system, const StateC* st, const GoldC* gold, CostsC* costs
) noexcept nogil:
    cdef int move
    memset(costs, 0, sizeof(CostsC))
    for move in range(N_MOVES):
        costs.valid[move] = system.is_valid(st, move)
        costs.gold_label[move] = -1
        costs.mislabel[move] = 1
    oracle.costs(oracle, system, st, gold, costs)


cdef bint rebuilds_gold(
    const OracleC* oracle, const SystemC* system, StateC* st, const GoldC* gold
) noexcept nogil:
    cdef int action, d
    while True:
        action = oracle.next_move(system, st, gold)
        if action < 0:
            break
        make_action(system, st, action, -1, -1)
    if not is_final(system, st):
        return False
    for d in range(gold.n):
        if st.head[d] != gold.head[d]:
            return False
    return True


cdef int optimal_moves(const CostsC* costs) noexcept nogil:
    cdef int moves = 0
    cdef int best = -1
    cdef int move
    for move in range(N_MOVES):
        if not costs.valid[move]:
            continue
        if (
            best < 0
            or costs.cost[move] < costs.cost[best]
            or (costs.cost[move] == costs.cost[best] and costs.second[move] < costs.second[best])
        ):
            best = move
            moves = 1 << move
        elif costs.cost[move] == costs.cost[best] and costs.second[move] == costs.second[best]:
            moves |= 1 << move
    return moves


cdef class Gold:
    """A gold tree in the form that the oracles read, made for one call."""

    def __cinit__(self, State state, heads, labels):
        cdef int n = state.c.n
        if len(heads) != n or (labels is not None and len(labels) != n):
            n_heads = len(heads) if len(heads) != n else len(labels)
            raise ValueError(Errors.NM004.format(n_words=n, n_heads=n_heads))
        self.mem = Pool()
        gold_carve(&self.c, self.mem.alloc(1, gold_bytes(n)), n)
        for word, head in enumerate(heads):
            if head is None:
                self.c.head[word] = UNKNOWN_HEAD
            elif not -1 <= head < n or head == word:
                raise ValueError(Errors.NM005.format(word=word, head=head, last=n - 1))
            else:
                self.c.head[word] = head
            known = labels is not None and labels[word] is not None
            self.c.label[word] = state.label_id(labels[word]) if known else -1
        gold_index(&self.c)


cdef class Oracle:
    """An oracle for one transition system, as `get_oracle` makes it.

    Gold heads are a list of 0-based head indices, -1 for a root, None where unknown; gold labels a list
    of strings or None, or None if labels are not scored.
    """

    def __cinit__(self, *args, **kwargs):
        self.c.counts = &self.counts

    @property
    def searches(self):
        """Losses computed by search or by counting cycles, since the oracle was made."""
        return self.counts.searches

    @property
    def nodes(self):
        """Steps of these searches."""
        return self.counts.nodes

    @property
    def cap_hits(self):
        """Searches that were given up at their cap, so that a bound took the place of the loss."""
        return self.counts.cap_hits

    def costs(self, State state, gold_heads, gold_labels=None, str label=None):
        """{move: loss after the move - loss before it} for every valid move.

        label: the label that arcs get; by default the best one.

        Raises ValueError: NM004, NM005 for a gold tree that does not fit the sentence, NM008 for a
        state of another system.
        """
        gold = self.read_gold(state, gold_heads, gold_labels)
        label_id = -1 if label is None else state.label_id(label)
        return {
            self.system.action_name(action): cost + (
                mislabel if 0 <= gold_label != label_id >= 0 else 0
            )
            for action, (cost, _), gold_label, mislabel in self.all_costs(state, gold)
        }

    def optimal(self, State state, gold_heads, gold_labels=None):
        """The moves that training treats as correct: least cost, ties broken by preference."""
        rows = self.all_costs(state, self.read_gold(state, gold_heads, gold_labels))
        least = min([cost for _, cost, *_ in rows], default=None)
        return [self.system.action_name(action) for action, cost, *_ in rows if cost == least]

    def loss(self, State state, gold_heads, gold_labels=None):
        """Number of words that get a wrong head at best from here on (for a bound, the bound)."""
        cdef Gold gold = self.read_gold(state, gold_heads, gold_labels)
        return self.c.loss(&self.c, &state.c, &gold.c)

    cdef list all_costs(self, State state, Gold gold):
        """Of every valid move its number, (cost, second), the gold label of the arc that it builds if
        that is gold and has one, else -1, and what another label costs."""
        cdef CostsC costs
        cdef int action, move
        cdef int place = -1
        cdef int at_rest = state.c.i
        found = []
        for action in self.system.valid_actions(state):
            if action_place(action) != place:
                place = action_place(action)
                look_at(&self.system.c, &state.c, place)
                get_costs(&self.c, &self.system.c, &state.c, &gold.c, &costs)
            move = action_move(action)
            found.append((
                action, (costs.cost[move], costs.second[move]), costs.gold_label[move],
                costs.mislabel[move],
            ))
        state.c.i = at_rest
        return found

    def read_gold(self, State state, gold_heads, gold_labels):
        self.system.check(state)
        return Gold(state, gold_heads, gold_labels)

    def __repr__(self):
        return f"<Oracle {self.name} of {self.system.name}>"


cdef class StaticOracle(Oracle):
    """Follows the one derivation of the gold tree that `oracles` defines for the system."""

    def costs(self, State state, gold_heads, gold_labels=None, str label=None):
        """Raises ValueError (NM010): a static oracle has no costs."""
        raise ValueError(Errors.NM010.format(system=self.system.name))

    def loss(self, State state, gold_heads, gold_labels=None):
        """Raises ValueError (NM010): a static oracle has no loss."""
        raise ValueError(Errors.NM010.format(system=self.system.name))

    def optimal(self, State state, gold_heads, gold_labels=None):
        """The next move of the derivation, as a list of one (empty when final).

        Raises ValueError: NM007 if the system cannot build the gold tree, NM006 if `state` does not
        lie on the derivation.
        """
        cdef Gold gold = self.read_gold(state, gold_heads, gold_labels)
        cdef State step = self.system.initial_state(state.c.n)
        cdef int action
        found = None
        while True:
            action = self.c.next_move(&self.system.c, &step.c, &gold.c)
            if step.heads == state.heads and step.cursor() == state.cursor():
                found = [] if action < 0 else [self.system.action_name(action)]
            if action < 0:
                break
            make_action(&self.system.c, &step.c, action, -1, -1)
        if not step.is_final or step.heads != list(gold_heads):
            raise ValueError(Errors.NM007.format(system=self.system.name, heads=list(gold_heads)))
        if found is None:
            raise ValueError(Errors.NM006.format(state=state))
        return found
