"""The Python view of an oracle, and what all oracles share."""

from cpython.sequence cimport PySequence_Check
from libc.string cimport memcmp, memset

from ..state cimport MAX_WORDS, State, is_final
from ..structs cimport UNKNOWN_HEAD, TallyC
from ..transitions.moves cimport action_focus, action_move, make_action
from ..transitions.system cimport TransitionSystem
from .tally cimport N_TALLIES

from operator import index

from ..errors import Errors


cdef size_t gold_bytes(int capacity) noexcept nogil:
    cdef size_t n = capacity + 1
    return sizeof(TallyC) + (4 + GOLD_SCRATCH + N_TALLIES) * n * sizeof(int) + n * sizeof(signed char)


cdef void gold_carve(GoldC* gold, void* block, int capacity) noexcept nogil:
    # First what must be aligned most.
    cdef int* ints = <int*>(<char*>block + sizeof(TallyC))
    cdef size_t n = capacity + 1
    gold.n = capacity
    gold.head = ints
    gold.label = ints + n
    gold.kids_start = ints + 2 * n
    gold.kids = ints + 3 * n
    gold.scratch = ints + 4 * n
    gold.tally = <TallyC*>block
    gold.tally.kids = ints + (4 + GOLD_SCRATCH) * n
    gold.tally.where = <signed char*>(gold.tally.kids + N_TALLIES * n)


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
    const OracleC* oracle, const SystemC* system, const StateC* st, int focus, const GoldC* gold,
    CostsC* costs
) noexcept nogil:
    cdef int move
    for move in range(system.n_moves):
        costs.valid[move] = system.is_valid(st, focus, move)
        costs.cost[move] = 0
        costs.tie_cost[move] = 0
        costs.gold_arc[move] = False
        costs.gold_label[move] = -1
    oracle.costs(oracle, system, st, focus, gold, costs)


cdef bint rebuilds_gold(
    const OracleC* oracle, const SystemC* system, StateC* st, const GoldC* gold
) noexcept nogil:
    cdef int action, d
    while True:
        action = oracle.next_move(system, st, gold)
        if action < 0:
            break
        make_action(system, st, action, -1)
    if not is_final(system, st):
        return False
    for d in range(gold.n):
        if st.head[d] != gold.head[d]:
            return False
    return True


cdef int optimal_moves(const SystemC* system, const CostsC* costs) noexcept nogil:
    cdef int moves = 0
    cdef int best = -1
    cdef int move
    for move in range(system.n_moves):
        if not costs.valid[move]:
            continue
        if (
            best < 0
            or costs.cost[move] < costs.cost[best]
            or (costs.cost[move] == costs.cost[best] and costs.tie_cost[move] < costs.tie_cost[best])
        ):
            best = move
            moves = 1 << move
        elif costs.cost[move] == costs.cost[best] and costs.tie_cost[move] == costs.tie_cost[best]:
            moves |= 1 << move
    return moves


cdef class Gold:
    """A gold tree in the form that the oracles read, made for one call."""

    def __cinit__(self, State state not None, heads, labels):
        cdef int n = state.c.n
        cdef int word
        head_list = as_list(heads)
        label_list = [None] * n if labels is None else as_list(labels)
        if not len(head_list) == len(label_list) == n:
            n_heads = len(head_list) if len(head_list) != n else len(label_list)
            raise ValueError(Errors.NM004.format(n_words=n, n_heads=n_heads))
        self.mem = Pool()
        gold_carve(&self.c, self.mem.alloc(1, gold_bytes(n)), n)
        for word in range(n):
            self.c.head[word] = read_head(head_list[word], word, n)
            self.c.label[word] = -1
            if label_list[word] is not None:
                if not isinstance(label_list[word], str):
                    raise ValueError(Errors.NM017.format(word=word, label=label_list[word]))
                self.c.label[word] = state.label_id(str(label_list[word]))
        gold_index(&self.c)
        cycle = find_cycle(&self.c)
        if cycle:
            raise ValueError(Errors.NM016.format(words=cycle))


cdef list as_list(values):
    """The values of a sequence; what is longer than it says, or changes meanwhile, does no harm."""
    if not PySequence_Check(values):
        raise TypeError(Errors.NM024.format(found=type(values).__name__))
    return list(values)


cdef int read_head(head, int word, int n) except? -3:
    """A gold head as the oracles read it."""
    if head is None:
        return UNKNOWN_HEAD
    try:
        number = index(head)
    except TypeError:
        number = word
    if not -1 <= number < n or number == word:
        raise ValueError(Errors.NM005.format(word=word, head=head, last=n - 1))
    return number


cdef list find_cycle(const GoldC* gold):
    """The words of a cycle, none if there is none; uses the scratch, which is zero or more before."""
    cdef int* seen = gold.scratch
    cdef int w, step
    memset(seen, 0, gold.n * sizeof(int))
    for w in range(gold.n):
        step = w
        while step >= 0 and seen[step] == 0:
            seen[step] = w + 1
            step = gold.head[step]
        if step >= 0 and seen[step] == w + 1:
            cycle = [step]
            w = gold.head[step]
            while w != step:
                cycle.append(w)
                w = gold.head[w]
            return cycle
    return []


# What an oracle says that no subclass has filled: nothing.

cdef void no_costs(
    const OracleC* self, const SystemC* system, const StateC* st, int focus, const GoldC* gold,
    CostsC* out
) noexcept nogil:
    pass


cdef int no_loss(const OracleC* self, const StateC* st, const GoldC* gold) noexcept nogil:
    return 0


cdef class Oracle:
    """An oracle for one transition system, as `get_oracle` makes it.

    Gold heads are a list of 0-based head indices, -1 for a root, None where unknown, without cycles;
    gold labels a list of strings or None, or None if labels are not scored.

    Subclasses fill `c` in `__cinit__` and call `serve`. `costs` and `loss` are never missing.
    """

    def __cinit__(self, *args, **kwargs):
        self.c.counts = &self.counts
        self.c.costs = no_costs
        self.c.loss = no_loss
        self.c.max_words = MAX_WORDS

    cdef int serve(self, system, str name, tuple known) except -1:
        cdef TransitionSystem served = <TransitionSystem?>system
        if served.name not in known:
            raise ValueError(Errors.NM014.format(
                oracle=type(self).__name__, system=system.name, known=", ".join(known)
            ))
        self.name = name
        self.system = served
        self.c_system = &served.c
        return 0

    cdef int check(self, system) except -1:
        if self.system is None:
            raise TypeError(Errors.NM018.format(found="An Oracle", makers="get_oracle"))
        if system.name != self.system.name:
            raise ValueError(Errors.NM014.format(
                oracle=type(self).__name__, system=system.name, known=self.system.name
            ))
        return 0

    @property
    def max_words(self):
        """The length of the longest sentence that the oracle takes."""
        return self.c.max_words

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

    @property
    def underivable(self):
        """Sentences that training left out, as a static oracle has no derivation of their gold trees."""
        return self.counts.underivable

    @property
    def too_long(self):
        """Sentences that training left out, as they are too long for the oracle."""
        return self.counts.too_long

    def costs(self, State state not None, gold_heads, gold_labels=None, str label=None):
        """{move: loss after the move - loss before it} for every valid move.

        label: the label that arcs get; by default the best one.

        Raises ValueError: NM004, NM005, NM017 for a gold tree that does not fit the sentence, NM016 for
        one with a cycle, NM008 for a state of another system, NM019 for a sentence that is too long.
        """
        cdef TransitionSystem system = self.system
        gold = self.read_gold(state, gold_heads, gold_labels)
        label_id = -1 if label is None else state.label_id(label)
        return {
            # Another label loses the arc.
            system.action_name(action): cost + (0 <= gold_label != label_id >= 0)
            for action, (cost, _), gold_label in self.all_costs(state, gold)
        }

    def optimal(self, State state not None, gold_heads, gold_labels=None):
        """The moves that training treats as correct: least cost, ties broken by preference."""
        cdef TransitionSystem system = self.system
        rows = self.all_costs(state, self.read_gold(state, gold_heads, gold_labels))
        least = min([cost for _, cost, *_ in rows], default=None)
        return [system.action_name(action) for action, cost, *_ in rows if cost == least]

    def loss(self, State state not None, gold_heads, gold_labels=None):
        """Number of words that get a wrong head at best from here on (for a bound, the bound)."""
        cdef Gold gold = self.read_gold(state, gold_heads, gold_labels)
        return self.c.loss(&self.c, &state.c, &gold.c)

    cdef list all_costs(self, State state, Gold gold):
        """Of every valid move its number, (cost, tie_cost), the gold label of the arc that it builds if
        that is gold and has one, else -1."""
        cdef TransitionSystem system = self.system
        cdef CostsC costs
        cdef int action, move
        cdef int focus = -1
        found = []
        for action in system.valid_actions(state):
            if action_focus(action) != focus:
                focus = action_focus(action)
                get_costs(&self.c, self.c_system, &state.c, focus, &gold.c, &costs)
            move = action_move(action)
            found.append((action, (costs.cost[move], costs.tie_cost[move]), costs.gold_label[move]))
        return found

    cdef Gold read_gold(self, State state, heads, labels):
        self.check(self.system)
        cdef TransitionSystem system = self.system
        system.check(state)
        if state.c.n > self.c.max_words:
            raise ValueError(Errors.NM019.format(
                oracle=self.name, system=self.system.name, n_words=state.c.n, most=self.c.max_words
            ))
        return Gold(state, heads, labels)

    def __reduce__(self):
        return (type(self), (self.system,))

    def __repr__(self):
        return f"<Oracle {self.name} of {self.system.name if self.system is not None else None}>"


cdef class StaticOracle(Oracle):
    """Follows the one derivation of the gold tree that training treats as correct.

    Subclasses fill `c.next_move`, which gives the next action of the derivation, -1 where it ends (in a
    final configuration, or because the tree cannot be built).
    """

    def costs(self, State state not None, gold_heads, gold_labels=None, str label=None):
        """Raises ValueError (NM010): a static oracle has no costs."""
        self.check(self.system)
        raise ValueError(Errors.NM010.format(system=self.system.name))

    def loss(self, State state not None, gold_heads, gold_labels=None):
        """Raises ValueError (NM010): a static oracle has no loss."""
        self.check(self.system)
        raise ValueError(Errors.NM010.format(system=self.system.name))

    def optimal(self, State state not None, gold_heads, gold_labels=None):
        """The next move of the derivation, as a list of one (empty when final).

        Raises ValueError: NM007 if the system cannot build the gold tree, NM006 if `state` does not
        lie on the derivation.
        """
        cdef Gold gold = self.read_gold(state, gold_heads, gold_labels)
        cdef TransitionSystem system = self.system
        cdef State step = system.initial_state(state.c.n)
        cdef size_t n_bytes = state.c.n * sizeof(int)
        cdef int action
        found = None
        while True:
            action = self.c.next_move(self.c_system, &step.c, &gold.c)
            if (
                memcmp(step.c.head, state.c.head, n_bytes) == 0 and step.cursor() == state.cursor()
            ):
                found = [] if action < 0 else [system.action_name(action)]
            if action < 0:
                break
            make_action(self.c_system, &step.c, action, -1)
        if not step.is_final or memcmp(step.c.head, gold.c.head, n_bytes) != 0:
            heads = [gold.c.head[w] if gold.c.head[w] >= -1 else None for w in range(gold.c.n)]
            raise ValueError(Errors.NM007.format(system=self.system.name, heads=heads))
        if found is None:
            raise ValueError(Errors.NM006.format(state=state))
        return found
