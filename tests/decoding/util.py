"""A slow greedy parser that drives the Python view, for any scorer."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy

from spacy_nonmono import get_system, list_systems
from spacy_nonmono.state import State
from spacy_nonmono.transitions.system import TransitionSystem

SYSTEMS = [*list_systems(), "yamada_matsumoto fine_grained_shift"]
# A move and a label
Class = tuple[str, str | None]
# Of the classes in a state, at a focus of a list system
Scores = Callable[[State, int], Any]
# Pairs of words, the left one first, that Covington's systems pass by
Pairs = frozenset[tuple[int, int]]


def make_system(name: str) -> TransitionSystem:
    """name: that of the system, and those of its options to be switched on."""
    name, *options = name.split()
    return get_system(name, **dict.fromkeys(options, True))


def classes(system: TransitionSystem, labels: Sequence[str]) -> list[Class]:
    """The classes of a scorer in their order."""
    plain: list[Class] = [(move, None) for move in system.moves if move not in system.arc_moves]
    return plain + [(move, label) for label in labels for move in system.arc_moves]


def initial_state(system: TransitionSystem, n_words: int, labels: Sequence[str]) -> State:
    """One in which the labels have the ids that they have in the weights."""
    state = system.initial_state(n_words)
    for move in system.valid_moves(state)[:1]:
        for label in labels:
            # Copies share the ids
            system.apply(state.copy(), move, label=label)
    return state


def naive_parse(
    system: TransitionSystem, n_words: int, labels: Sequence[str], scores: Scores
) -> State:
    """The final state of a derivation that takes the best of the valid classes at every step."""
    return naive_scored_parse(system, n_words, labels, scores)[0]


def naive_scored_parse(
    system: TransitionSystem,
    n_words: int,
    labels: Sequence[str],
    scores: Scores,
    hidden: Pairs = frozenset(),
) -> tuple[State, list[float | None]]:
    """The same, and of each word the probability of the choice that gave it its head, None if it has
    none."""
    state = initial_state(system, n_words, labels)
    heads = state.heads
    found: list[float | None] = [None] * n_words
    for probability in naive_derivation(system, state, labels, scores, hidden):
        for word, (before, after) in enumerate(zip(heads, state.heads, strict=True)):
            if before != after:
                found[word] = probability if after >= 0 else None
        heads = state.heads
    return state, found


def naive_derivation(
    system: TransitionSystem,
    state: State,
    labels: Sequence[str],
    scores: Scores,
    hidden: Pairs = frozenset(),
) -> Iterator[float]:
    """Takes the best of the valid classes at every step, in place; yields its probability then."""
    known = classes(system, labels)
    while not state.is_final:
        if (*state.stack[-1:], *state.buffer[:1]) in hidden:
            system.apply(state, "no_arc")
            continue
        moves = [move if system.kind == "list" else (move, 0) for move in system.valid_moves(state)]
        foci = sorted({focus for _, focus in moves})
        found = {focus: scores(state, focus) for focus in foci}
        allowed = [
            (focus, c)
            for focus in foci
            for c, (name, _) in enumerate(known)
            if (name, focus) in moves
        ]
        values = numpy.array([found[focus][c] for focus, c in allowed], dtype="float64")
        focus, c = allowed[values.argmax()]
        name, label = known[c]
        system.apply(
            state,
            (name, focus) if system.kind == "list" else name,
            label=label or labels[0],
        )
        yield float(1 / numpy.exp(values - values.max()).sum())


def best_label(system: TransitionSystem, scores: Any, move: str, labels: Sequence[str]) -> str:
    """The label that scores best with an arc move."""
    known = classes(system, labels)
    return max(labels, key=lambda label: scores[known.index((move, label))])


def random_walk(
    system: TransitionSystem, n_words: int, labels: Sequence[str], rng: numpy.random.Generator
) -> list[tuple[State, int]]:
    """The states of a random derivation, each with each of its foci."""
    state = initial_state(system, n_words, labels)
    found = []
    while not state.is_final:
        moves = system.valid_moves(state)
        foci = sorted({focus for _, focus in moves}) if system.kind == "list" else [0]
        found += [(state.copy(), focus) for focus in foci]
        system.apply(
            state,
            moves[rng.integers(len(moves))],
            label=labels[rng.integers(len(labels))],
        )
    return found


def random_links(rng, lengths):
    """Of every word of sentences of these lengths some words of its sentence, as its collocates."""
    return [sorted({int(rng.integers(n)) for _ in range(4)} - {w}) for n in lengths for w in range(n)]


def flatten_links(links):
    """As the batches take them; `links` may be None."""
    if links is None:
        return None
    firsts = numpy.cumsum([0, *map(len, links)], dtype="i")
    return firsts, numpy.array([w for some in links for w in some], dtype="i")
