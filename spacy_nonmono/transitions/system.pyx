"""The Python view of a transition system, and what the systems share."""

from ..state cimport MAX_WORDS, State, find_foci, leads_to, new_state, set_head
from ..structs cimport LIST, PAIRS, STACK_AND_BUFFER, StateC
from .moves cimport MAX_MOVES, action_focus, action_move, action_of, find_arc, make_action

from inspect import Signature
from operator import index

from ..errors import Errors


# What a system does that no subclass has filled: nothing.

cdef void start_nothing(StateC* st) noexcept nogil:
    pass


cdef bint nothing_valid(const StateC* st, int focus, int move) noexcept nogil:
    return False


cdef void apply_nothing(StateC* st, int focus, int move, int label) noexcept nogil:
    pass


cdef void no_positions(const StateC* st, int focus, int* positions) noexcept nogil:
    pass


cdef int nothing_seen(const StateC* st) noexcept nogil:
    return 0


cdef void set_no_pair(StateC* st, int left, int right) noexcept nogil:
    pass


cdef int no_foci(const StateC* st, int* first) noexcept nogil:
    return 0


cdef int pass_by_nothing(const StateC* st, int left) noexcept nogil:
    return -1


cdef void no_arc(
    const StateC* st, int focus, int move, int* head, int* dependent
) noexcept nogil:
    head[0] = -1
    dependent[0] = -1


cdef class TransitionSystem:
    """Base of the transition systems.

    Subclasses fill `c`, `name`, `positions`, and name their moves. They do so in
    `__cinit__`, without which no object exists. No function is ever missing: a class that fills none has
    no moves, and makes no states. A subclass with options says which ones in `__signature__`, where
    config files find them, and keeps each under its name.
    """

    __signature__ = Signature()

    def __cinit__(self, *args, **kwargs):
        self.c.start = start_nothing
        self.c.is_valid = nothing_valid
        self.c.apply = apply_nothing
        self.c.positions = no_positions
        self.c.seen = nothing_seen
        self.c.set_pair = set_no_pair
        self.c.foci = no_foci
        self.c.pass_by = pass_by_nothing
        self.c.arc = no_arc
        self.c.left_arc = -1
        self.c.right_arc = -1
        self.moves = ()
        self.positions = ()
        self.passing_moves = ()
        self.unshifting_moves = ()

    cdef int name_moves(self, tuple plain, tuple arcs) except -1:
        names = plain + arcs
        if not arcs or len(names) > MAX_MOVES or len(set(names)) < len(names):
            raise ValueError(Errors.NM029.format(found=", ".join(names), most=MAX_MOVES))
        self.moves = names
        self.c.n_moves = len(names)
        self.c.n_plain = len(plain)
        self.c.left_arc = names.index("left_arc") if "left_arc" in arcs else -1
        self.c.right_arc = names.index("right_arc") if "right_arc" in arcs else -1
        return 0

    @property
    def arc_moves(self):
        """The names of the moves that build arcs; they are the last ones of `moves`."""
        return self.moves[self.c.n_plain:]

    @property
    def options(self):
        """The options of the system and their values, as `get_system` takes them."""
        return {name: getattr(self, name) for name in type(self).__signature__.parameters}

    def initial_state(self, Py_ssize_t n_words):
        """The initial configuration for a sentence; that of no words is final.

        Raises ValueError: NM009 for a negative number, NM012 for one above a million.
        """
        if self.name is None:
            raise TypeError(Errors.NM018.format(found="A TransitionSystem", makers="get_system"))
        if n_words < 0:
            raise ValueError(Errors.NM009.format(n_words=n_words))
        if n_words > MAX_WORDS:
            raise ValueError(Errors.NM012.format(n_words=n_words, most=MAX_WORDS))
        cdef State state = new_state(self.name, self, &self.c, n_words)
        self.c.start(&state.c)
        return state

    def valid_moves(self, State state not None):
        """The moves that the configuration allows, by name; empty when it is final.

        List systems: pairs of a name and a focus, the index in `state.pending` of the left one of the
        two words that the move joins.
        """
        self.check(state)
        return [self.action_name(action) for action in self.valid_actions(state)]

    def apply(self, State state not None, move, str label not None="dep"):
        """Make a move, in place.

        move: as `valid_moves` gives it.
        label: the label of the arc, where the move builds one that has a label. Those of `arc_moves` do;
            an arc that Reduce inserts (arc_eager_repair) gets its label when the parser has finished.

        Raises ValueError (NM003) if the move is not valid.
        """
        cdef int label_id = state.label_id(label)
        make_action(&self.c, &state.c, self.find_valid(state, move), label_id)

    def arc(self, State state not None, move):
        """The two words that a move would join, as (head, dependent), or None.

        move: as `valid_moves` gives it. head: -1 is ROOT.

        Raises ValueError (NM003) if the move is not valid.
        """
        cdef int head, dependent
        find_arc(&self.c, &state.c, self.find_valid(state, move), &head, &dependent)
        return (head, dependent) if dependent >= 0 else None

    def attach(self, State state not None, int head, int dependent, str label=None):
        """What the parser does in the end with a word that is left over, or an inserted arc without a
        label: it puts the cursor on the two words, to score the arc, and then attaches with a label.

        label: None puts the cursor there alone. No derivation goes on from where the cursor is then.

        Raises IndexError (NM013) if there are no such words, ValueError (NM039) for a system that leaves
        nothing over, and for an arc that would close a cycle.
        """
        self.check(state)
        cdef int word
        for word in (head, dependent):
            if not 0 <= word < state.c.n:
                raise IndexError(Errors.NM013.format(word=word, n_words=state.c.n))
        if (self.c.single_root and not self.c.inserts) or leads_to(&state.c, dependent, head):
            raise ValueError(Errors.NM039.format(head=head, dependent=dependent, system=self.name))
        self.c.set_pair(&state.c, min(head, dependent), max(head, dependent))
        if label is not None:
            set_head(&state.c, head, dependent, state.label_id(label))

    def heads(self, State state not None):
        """The system's own output: one head per word, -1 for every root."""
        self.check(state)
        return state.heads

    @property
    def kind(self):
        """"stack and buffer", "list" or "pairs": where a move is made. In a list system a move is a pair
        of a name and a focus."""
        return {STACK_AND_BUFFER: "stack and buffer", LIST: "list", PAIRS: "pairs"}[self.c.kind]

    @property
    def single_root(self):
        """Whether every output is one tree with one root, nothing left to attach."""
        return self.c.single_root

    @property
    def projective(self):
        """Whether the arcs of an output never cross."""
        return self.c.projective

    def __reduce__(self):
        return (type(self), tuple(self.options.values()))

    def __repr__(self):
        return f"<TransitionSystem {self.name}>"

    cdef list valid_actions(self, State state):
        """The valid moves as numbers."""
        cdef int first
        cdef int n_foci = find_foci(&self.c, &state.c, &first)
        cdef int focus, move
        found = []
        for focus in range(first, first + n_foci):
            for move in range(self.c.n_moves):
                if self.c.is_valid(&state.c, focus, move):
                    found.append(action_of(focus, move))
        return found

    cdef object action_name(self, int action):
        name = self.moves[action_move(action)]
        return (name, action_focus(action)) if self.c.kind == LIST else name

    cdef int find_valid(self, State state, move) except -1:
        """The number of a move. Raises ValueError (NM003) if it is not valid."""
        self.check(state)
        cdef int action = self.find(state, move)
        if action < 0:
            raise ValueError(Errors.NM003.format(
                move=move, system=self.name, state=state, valid=self.valid_moves(state)
            ))
        return action

    cdef int find(self, State state, move) except -2:
        """The number of a valid move, -1 if it is not valid or none."""
        name = move
        focus = 0
        if self.c.kind == LIST:
            if not (isinstance(move, tuple) and len(move) == 2):
                return -1
            name, focus = move
            try:
                focus = index(focus)
            except TypeError:
                return -1
        if not isinstance(name, str) or name not in self.moves:
            return -1
        # What comes before may have run code of the caller; the state is looked at after it.
        action = focus * MAX_MOVES + self.moves.index(name)
        return action if action in self.valid_actions(state) else -1

    cdef int check(self, State state) except -1:
        if state.system != self.name:
            raise ValueError(Errors.NM008.format(found=state.system, expected=self.name))
        return 0
