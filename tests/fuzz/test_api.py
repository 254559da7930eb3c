"""Random calls of what Python sees of the compiled modules, sensible and senseless ones mixed.

A case is `N_CALLS` calls around one system, one oracle and one sentence. A sensible call must not be
refused, and what it gives must hold together; a senseless one may be refused, with a code or with an
ordinary error, and then changes nothing.
"""

import copy
import pickle
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy

from spacy_nonmono import get_oracle, get_system, list_systems
from spacy_nonmono.decoding.linear_batch import LinearBatch
from spacy_nonmono.lab.replay import find_costs, find_losses, rebuilds, walk
from spacy_nonmono.layers.normalization import normalize, normalize_backward
from spacy_nonmono.lexical.merging import merge_types
from spacy_nonmono.oracles.oracle import Gold, Oracle, StaticOracle
from spacy_nonmono.oracles.registry import list_oracles
from spacy_nonmono.registry import systems
from spacy_nonmono.scoring.classes import moves_of
from spacy_nonmono.scoring.linear.linear import mix_values, state_features, window_scores
from spacy_nonmono.scoring.linear.templates import WORD_KINDS, Templates
from spacy_nonmono.scoring.linear.weights import Weights
from spacy_nonmono.scoring.neural.arcs import arc_probabilities
from spacy_nonmono.scoring.neural.neural import position_slots, state_rows
from spacy_nonmono.state import State
from spacy_nonmono.training.arc_loss import arc_loss
from spacy_nonmono.training.perceptron import learn_roots, learn_starts, learn_states
from spacy_nonmono.training.recorded_states import (
    choice_loss,
    scatter_state_rows,
    sum_state_rows,
)
from spacy_nonmono.transitions.system import TransitionSystem
from tests.trees import random_tree

from .harness import Outcome, error_outcome

N_CALLS = 4
ORDINARY = (TypeError, IndexError, ValueError, OverflowError, MemoryError, AttributeError, BufferError)
EXACT = ("dynamic", "exact")
TEMPLATES = ("S0.w", "S0.w N0.w", "N0.p S0.l", "d", "S0lc.w", "W-1.w", "W+1.p", "S0kl.w")


class Different(Exception):
    """What came out is not what should have come out."""


def expect(holds: bool, what: str) -> None:
    if not holds:
        raise Different(what)


@cache
def cached_system(name: str) -> Any:
    if name == "yamada_matsumoto_fine":
        return get_system("yamada_matsumoto", fine_grained_shift=True)
    return get_system(name)


NAMES = (*list_systems(), "yamada_matsumoto_fine")


class Draw:
    """The objects of a case, and the arguments that calls are made with."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.numbers = numpy.random.default_rng(seed)
        self.system = cached_system(self.rng.choice(NAMES))
        self.oracle = self.any_oracle(self.system)
        self.n = self.rng.randrange(7)
        self.state = self.any_state(self.system, self.n)
        self.spoilt = False

    def any_oracle(self, system: Any) -> Any:
        return get_oracle(self.rng.choice(list_oracles(system.name)), system)

    def any_state(self, system: Any, n: int) -> Any:
        """One that a random derivation comes to."""
        state = system.initial_state(n)
        for _ in range(self.rng.randrange(3 * n + 1)):
            moves = system.valid_moves(state)
            if not moves:
                break
            system.apply(state, self.rng.choice(moves), self.rng.choice("ab"))
        return state

    def odd(self, sensible: Any, chance: float = 0.1) -> Any:
        """The argument, or now and then something senseless in its place."""
        if self.rng.random() >= chance:
            return sensible
        self.spoilt = True
        return self.rng.choice(self.junk())

    def junk(self) -> tuple[Any, ...]:
        other = cached_system(self.rng.choice(NAMES))
        return (
            *(None, True, 0, -1, 1, 5, 10**8, 2**31 - 1, -(2**31), 2**31, 2**63, -(2**63), 10**30),
            *(0.0, 1.5, float("nan"), float("inf"), 1j, "", "shift", "left_arc", "dep", "\ud800", b"a"),
            *([], [None], [0, 1], [1, 0], [-1] * 50, (), ("left_arc", 0), ("shift", -1), {}, {0: 1}),
            *(set(), object(), iter([1]), State, TransitionSystem, Oracle, numpy.str_("shift")),
            *(numpy.int64(1), numpy.zeros(3), numpy.zeros((2, 2), "i"), range(3), lambda: 0),
            *(TransitionSystem(), Oracle(), StaticOracle(), other, self.any_oracle(other)),
            *(other.initial_state(3), Mine, Mine.__new__(Mine), MyOracle()),
        )

    def heads(self) -> list[int | None]:
        """A forest, known in part."""
        heads: list[int | None] = [*random_tree(self.rng, self.n)]
        return [self.rng.choices([head, -1, None], [8, 1, 1])[0] for head in heads]

    def gold(self) -> Any:
        """Gold heads, or nonsense that looks like some."""
        heads: list[Any] = list(self.heads())
        if self.rng.random() < 0.2:
            self.spoilt = True
            for _ in range(self.rng.randrange(1, 3)):
                if heads:
                    odd = self.rng.choice((self.rng.randrange(-3, 9), self.odd(0)))
                    heads[self.rng.randrange(self.n)] = odd
            if self.rng.random() < 0.2:
                heads.append(0)
        return self.odd(heads, 0.1)

    def gold_labels(self) -> Any:
        labels = [self.rng.choice(("a", "b", None)) for _ in range(self.n)]
        return self.odd(self.rng.choice((None, labels)), 0.1)

    def array(self, dtype: str, *shape: int, most: int = 2) -> Any:
        """Random numbers; now and then another shape, values out of range, or another type."""
        drawn = self.rng.random()
        sizes = list(shape)
        low, high = (-2, most + 3) if drawn < 0.1 else (0, most)
        if drawn < 0.2:
            self.spoilt = True
        if 0.1 <= drawn < 0.17 and sizes:
            sizes[self.rng.randrange(len(sizes))] = self.rng.randrange(5)
        elif 0.17 <= drawn < 0.19:
            dtype = self.rng.choice(("f", "i", "u8", "u1", "f8", "i8"))
        elif drawn < 0.2 and drawn >= 0.19:
            return self.rng.choice(self.junk())
        return self.numbers.integers(low, max(high, low + 1), sizes).astype(dtype)

    def exactly(self, values: Any, dtype: str = "i") -> Any:
        """An array of these values, or a random one of the same shape."""
        array = numpy.array(values, dtype=dtype)
        return array if self.rng.random() < 0.6 else self.spoil(self.array(dtype, *array.shape, most=4))

    def spoil(self, value: Any) -> Any:
        self.spoilt = True
        return value


class Mine(TransitionSystem):
    """A system that fills nothing."""

    def __init__(self) -> None:
        pass


class MyOracle(Oracle):
    """An oracle that fills nothing."""

    def __init__(self) -> None:
        pass


# --- systems and states ---------------------------------------------------------------------------


def check_state(state: Any) -> None:
    n = state.n_words
    heads = state.heads
    expect(len(heads) == len(state.labels) == n, "lengths")
    expect(all(-1 <= head < n and head != word for word, head in enumerate(heads)), "heads")
    for words in (state.stack, state.buffer, state.pending):
        expect(all(-1 <= word < n for word in words) and len(set(words)) == len(words), "places")
    expect(all(isinstance(label, str) for label in state.labels), "labels")
    hash(state.key())
    repr(state)


def make_state(draw: Draw) -> None:
    n = draw.odd(draw.rng.randrange(7))
    state = draw.odd(draw.system, 0.1).initial_state(n)
    check_state(state)
    expect(state.n_words == n and set(state.heads) <= {-1}, "initial state")


def read_moves(draw: Draw) -> None:
    state = draw.odd(draw.state)
    moves = draw.odd(draw.system, 0.1).valid_moves(state)
    expect(bool(moves) != state.is_final, "final")
    for move in moves:
        after = state.copy()
        draw.system.apply(after, move)
        expect(after.key() != state.key(), f"no progress by {move}")


def make_move(draw: Draw) -> None:
    moves = draw.system.valid_moves(draw.state)
    sensible = draw.rng.choice(moves) if moves else draw.spoil("shift")
    move = draw.odd(sensible)
    state = draw.odd(draw.state, 0.1)
    label = draw.odd("a", 0.1)
    before = draw.state.key()
    try:
        draw.odd(draw.system, 0.05).apply(state, move, label)
    except Exception:
        expect(draw.state.key() == before, "a refused move changed the state")
        raise
    if state is draw.state:
        expect(move in moves and state.key() != before, f"{move!r} was taken for a move")
        check_state(state)


def read_state(draw: Draw) -> None:
    check_state(draw.odd(draw.state))


def read_heads(draw: Draw) -> None:
    state = draw.odd(draw.state)
    expect(draw.odd(draw.system, 0.1).heads(state) == state.heads, "heads")


def read_dependents(draw: Draw) -> None:
    word = draw.odd(draw.rng.randrange(draw.n) if draw.n else draw.spoil(0))
    expected = [d for d, head in enumerate(draw.state.heads) if head == word]
    expect(draw.state.dependents(word) == expected, "dependents")


def copy_state(draw: Draw) -> None:
    key = draw.state.key()
    other = draw.state.copy()
    moves = draw.system.valid_moves(other)
    expect(other.key() == key, "copy")
    if moves:
        draw.system.apply(other, draw.rng.choice(moves), "c")
        expect(draw.state.key() == key, "the copy changed the state")
    draw.state = other


def duplicate(draw: Draw) -> None:
    how: Any = draw.rng.choice((copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))))
    found = how(draw.rng.choice((draw.system, draw.oracle, draw.spoil(draw.state))))
    repr(found)


def make_without_constructor(draw: Draw) -> None:
    draw.spoilt = True
    made = [type(make()) for make in systems.get_all().values()]
    kinds = (State, TransitionSystem, Oracle, StaticOracle, Gold, Templates, *made)
    kind: Any = draw.rng.choice((*kinds, type(draw.oracle)))
    if draw.rng.random() < 0.5:
        kind = type("Sub", (kind,), {"__init__": lambda self: None})
    arguments = [draw.odd(draw.system, 0.5) for _ in range(draw.rng.randrange(3))]
    found = kind.__new__(kind, *arguments)
    repr(found)
    for name in ("initial_state", "valid_moves", "costs", "optimal", "loss", "key", "copy"):
        if hasattr(found, name):
            getattr(found, name)(*[draw.state, [None] * draw.n][: draw.rng.randrange(3)])


def find_system(draw: Draw) -> None:
    name = draw.odd(draw.rng.choice(list_systems()))
    options = {}
    if name == "yamada_matsumoto":
        options = {"fine_grained_shift": draw.odd(draw.rng.random() < 0.5)}
    system = get_system(name, **options)
    for flag in (system.single_root, system.projective, system.limited):
        expect(isinstance(flag, bool), "flags")
    expect(system.kind in ("stack and buffer", "list", "pairs"), "kind")
    expect(system.name == name, "name")


# --- oracles --------------------------------------------------------------------------------------


def find_oracle(draw: Draw) -> None:
    system = draw.odd(draw.system)
    name = draw.odd(draw.rng.choice((None, *list_oracles(draw.system.name))))
    expect(get_oracle(name, system).system is system, "system")


def make_oracle(draw: Draw) -> None:
    """By its class, with another system more often than not."""
    system = cached_system(draw.rng.choice(NAMES))
    draw.spoilt = True
    arguments = (draw.odd(system), "lower") if draw.oracle.name == "lower" else (draw.odd(system),)
    oracle = type(draw.oracle)(*arguments)
    oracle.optimal(oracle.system.initial_state(3), [-1, 0, 0])


def read_costs(draw: Draw) -> None:
    static = draw.oracle.name == "static"
    draw.spoilt |= static
    state = draw.odd(draw.state, 0.1)
    label = draw.odd(draw.rng.choice((None, "a")), 0.1)
    costs = draw.oracle.costs(state, draw.gold(), draw.gold_labels(), label)
    expect(set(costs) == set(draw.system.valid_moves(state)), "moves of the costs")
    if draw.oracle.name in EXACT:
        expect(all(0 <= cost <= draw.n + 1 for cost in costs.values()), "costs")


def read_optimal(draw: Draw) -> None:
    draw.spoilt |= draw.oracle.name == "static"
    state = draw.odd(draw.state, 0.1)
    optimal = draw.oracle.optimal(state, draw.gold(), draw.gold_labels())
    expect(set(optimal) <= set(draw.system.valid_moves(state)), "optimal moves")
    expect(bool(optimal) != state.is_final, "no optimal move")


def read_loss(draw: Draw) -> None:
    draw.spoilt |= draw.oracle.name == "static"
    loss = draw.oracle.loss(draw.odd(draw.state, 0.1), draw.gold(), draw.gold_labels())
    expect(0 <= loss <= (draw.n if draw.oracle.name in EXACT else 2000), f"loss {loss}")


def make_gold(draw: Draw) -> None:
    Gold(draw.odd(draw.state), draw.gold(), draw.gold_labels())


def flat_heads(draw: Draw) -> Any:
    return [-2 if head is None else head for head in draw.heads()]


def replay(draw: Draw) -> None:
    """What follows oracles through arrays of trees and moves."""
    oracle = draw.odd(draw.oracle, 0.1)
    lengths, heads = draw.exactly([draw.n]), draw.exactly(flat_heads(draw))
    labels = draw.rng.choice((None, draw.exactly([0] * draw.n)))
    p_random = 0.0 if draw.oracle.name == "static" else 0.5
    if draw.rng.random() < 0.2:
        rebuilds(draw.spoil(oracle), lengths, heads)
        return
    moves, n_moves = walk(oracle, lengths, heads, labels, p_random, 1, draw.odd(1000))
    if draw.rng.random() < 0.3:
        moves = draw.exactly(moves)
    draw.spoilt |= draw.oracle.name == "static"
    if draw.rng.random() < 0.5:
        find_losses(oracle, lengths, heads, moves, draw.exactly(n_moves))
    else:
        find_costs(oracle, lengths, heads, labels, moves, n_moves, draw.odd(1))


# --- scoring --------------------------------------------------------------------------------------


def some_templates(draw: Draw) -> Any:
    names = draw.rng.sample(TEMPLATES, draw.rng.randrange(1, len(TEMPLATES)))
    if draw.rng.random() < 0.1:
        names.append(draw.spoil(draw.rng.choice(("", "S0", "S0.", "X.w", "S0.w.w", names[0], 3))))
    return Templates(draw.odd(names, 0.05), draw.odd(("w", "p"), 0.05))


def make_templates(draw: Draw) -> None:
    templates = some_templates(draw)
    expect(len(templates) == len(templates.names), "names")
    expect(templates.n_columns <= len(WORD_KINDS), "columns")


def some_collocates(draw: Draw) -> Any:
    if draw.rng.random() < 0.5:
        return None
    n_each = [draw.rng.randrange(3) for _ in range(draw.n)]
    starts = [sum(n_each[:k]) for k in range(draw.n + 1)]
    partners = [draw.rng.randrange(draw.n) for _ in range(starts[-1])]
    return draw.odd((draw.exactly(starts), draw.exactly(partners)), 0.05)


def read_features(draw: Draw) -> None:
    draw.spoilt |= draw.n == 0
    templates = some_templates(draw)
    system, state = draw.odd(draw.system, 0.05), draw.odd(draw.state, 0.05)
    collocates, focus = some_collocates(draw), draw.odd(0, 0.1)
    found = state_features(templates, system, state, draw.array("u8", draw.n, 2), collocates, focus)
    expect(len(found) == len(templates), "features")


def read_rows(draw: Draw) -> None:
    draw.spoilt |= draw.n == 0
    slots = draw.exactly(position_slots(draw.odd(draw.system.positions, 0.05)))
    token_rows, _ = state_rows(
        draw.odd(draw.system, 0.05),
        draw.odd(draw.state, 0.05),
        slots,
        *arc_arrays(draw),
        some_collocates(draw),
        draw.odd(0, 0.1),
    )
    expect(all(0 <= row <= draw.n for row in token_rows), "rows")


def arc_arrays(draw: Draw) -> list[Any]:
    vectors = [draw.array("f", draw.n, 3), draw.array("f", draw.n, 3)]
    return [*vectors, draw.array("f", 3), draw.array("f", 18)]


def read_probabilities(draw: Draw) -> None:
    table, roots = arc_probabilities(*arc_arrays(draw))
    expect(numpy.allclose(table.sum(axis=1) + roots, 1, atol=1e-4), "probabilities")


def read_arc_loss(draw: Draw) -> None:
    heads = draw.exactly(flat_heads(draw))
    arc_loss(*arc_arrays(draw), draw.exactly([draw.n]), heads, 1.0)


def read_windows(draw: Draw) -> None:
    templates, matrix = some_templates(draw), draw.array("u8", draw.n, 2)
    lengths = draw.exactly([draw.n])
    which = draw.rng.randrange(4)
    if which == 0:
        window_scores(templates, draw.odd(Weights(), 0.1), matrix, lengths)
    elif which == 1:
        learn_starts(templates, draw.odd(Weights(), 0.1), matrix, lengths, draw.array("i", draw.n), 0.0)
    elif which == 2:
        heads = draw.exactly(flat_heads(draw))
        learn_roots(templates, draw.odd(Weights(), 0.1), matrix, lengths, heads, 0.1)
    else:
        mix_values(draw.odd(matrix, 0.1))


def learn(draw: Draw) -> None:
    """The batch is sensible; what is taught is not always."""
    weights, templates = Weights(), Templates(TEMPLATES[:3])
    lengths = numpy.array([draw.n], dtype="i")
    matrix, roots = numpy.ones((draw.n, len(WORD_KINDS)), "u8"), numpy.zeros(draw.n, "f")
    n_classes = moves_of(draw.system).n_classes(2)
    batch = LinearBatch(draw.system, templates, weights, n_classes, lengths, matrix, roots)
    learn_states(
        draw.odd(batch, 0.05),
        draw.odd(weights, 0.1),
        draw.odd(draw.oracle),
        draw.odd(lengths, 0.1),
        draw.exactly(flat_heads(draw)),
        draw.exactly([draw.rng.randrange(-1, 2) for _ in range(draw.n)]),
        0.5,
        7,
        0.0,
    )
    expect(all(-1 <= head < draw.n for head in batch.heads), "heads")


def read_layers(draw: Draw) -> None:
    """The inner loops of the neural scorer."""
    S, nF, nR, rows = 3, 2, 4, 5
    token_rows, atom_rows = draw.array("i", S, nF, most=rows), draw.array("i", S, 3, most=rows)
    call: Callable[[], Any] = draw.rng.choice(
        (
            lambda: sum_state_rows(
                draw.array("f", nF, rows, nR),
                draw.array("f", rows, nR),
                draw.array("f", nR),
                token_rows,
                atom_rows,
            ),
            lambda: scatter_state_rows(
                draw.array("f", S, nR),
                token_rows,
                atom_rows,
                draw.array("f", rows, nR),
                draw.array("f", rows, nR),
            ),
            lambda: choice_loss(
                draw.array("f", S, nR),
                draw.array("u1", S, nR),
                draw.array("u1", S, nR),
                draw.exactly([1, 2]),
            ),
            lambda: normalize(draw.array("f", S, nR), draw.array("f", nR), draw.array("f", nR)),
            lambda: normalize_backward(
                draw.array("f", S, nR),
                draw.array("f", S, nR),
                draw.array("f", S),
                draw.array("f", nR),
            ),
        )
    )
    call()


def cluster(draw: Draw) -> None:
    merge_types(
        draw.exactly([0, 1, 2]),
        draw.exactly([1, 2, 0]),
        draw.exactly([3, 2, 1]),
        draw.rng.choice((3, 3, draw.spoil(2), draw.spoil(-1), draw.spoil(40))),
        draw.odd(2, 0.1),
        draw.odd(30, 0.1),
    )


CALLS: dict[Callable[[Draw], None], float] = {
    make_state: 2,
    read_moves: 2,
    make_move: 5,
    read_state: 2,
    read_heads: 1,
    read_dependents: 2,
    copy_state: 1,
    duplicate: 1,
    make_without_constructor: 2,
    find_system: 1,
    find_oracle: 1,
    make_oracle: 1,
    read_costs: 4,
    read_optimal: 3,
    read_loss: 3,
    make_gold: 1,
    replay: 1,
    make_templates: 0.5,
    read_features: 1,
    read_rows: 1,
    read_probabilities: 1,
    read_arc_loss: 0.5,
    read_windows: 1,
    learn: 0.5,
    read_layers: 1,
    cluster: 0.05,
}
# Worse ones later
ORDER = (Outcome.RIGHT, Outcome.ORDINARY, Outcome.CODED)


def one_call(draw: Draw) -> str:
    call = draw.rng.choices(list(CALLS), list(CALLS.values()))[0]
    draw.spoilt = False
    try:
        call(draw)
    except Different as difference:
        return f"{Outcome.DIFFERS.value} {call.__name__}: {difference}"
    except Exception as error:
        outcome = error_outcome(error, ORDINARY)
        if draw.spoilt:
            return outcome
        return f"{Outcome.DIFFERS.value} {call.__name__} is refused: {error!r}"
    return Outcome.RIGHT.value


def case(seed: int) -> str:
    """The worst outcome of `N_CALLS` calls."""
    draw = Draw(seed)
    worst = Outcome.RIGHT.value
    for _ in range(N_CALLS):
        outcome = one_call(draw)
        if outcome not in ORDER:
            return outcome
        worst = max(worst, outcome, key=ORDER.index)
    return worst


def test_calls(fuzz: Any) -> None:
    fuzz(f"API, {N_CALLS} calls per case", case, few=800, many=60_000)
