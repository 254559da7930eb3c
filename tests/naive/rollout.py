"""Training sentences parsed choice by choice, and what is to be learnt of every choice.

`roll_out` drives the Python view of the systems and oracles that it is given.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from .perceptron import derivable, fits, inserted_arcs, labelled_arc


class Row(NamedTuple):
    """A focus that was scored. seen: what the scorer saw there. valid, correct: of every class."""

    seen: Any
    valid: list[bool]
    correct: list[bool]


class Sentence(NamedTuple):
    """state: the initial one. heads, labels: gold ones, None where unknown. look: (state, focus) -> what
    is seen there, and the scores of the classes. hidden: pairs of words that are passed by."""

    state: Any
    heads: Sequence[int | None]
    labels: Sequence[str | None]
    look: Callable[[Any, int], tuple[Any, Sequence[float]]]
    hidden: frozenset[tuple[int, int]] = frozenset()


def roll_out(
    system: Any,
    oracle: Any,
    sentences: Sequence[Sentence],
    classes: Sequence[tuple[str, str | None]],
    *,
    p_model: float,
    seed: int,
) -> list[list[Row]]:
    """The rows of every configuration that teaches, in which the derivations are at the same choice.

    oracle: None: everything is recorded, nothing is correct. classes: (move, label), label None where
    the move has none. p_model: with which probability the model is followed, not the oracle.
    """
    records: list[list[Row]] = []
    random = fractions(seed)

    def follow_oracle() -> bool:
        p = 0.0 if oracle.name == "static" else p_model
        return p < 1 and next(random) >= p

    going = []
    for sentence in sentences:
        known = [head for head in sentence.heads if head is not None]
        teaches = (
            oracle is not None
            and bool(known)
            and derivable(oracle, sentence.state, sentence.heads)
        )
        teacher = oracle if teaches else None
        record = records.append if teaches or oracle is None else lambda rows: None
        going.append(derive(system, teacher, sentence, classes, follow_oracle, record))
    while going:
        # All look, then all choose
        going = [derivation for derivation in going if next(derivation, None)]
        for derivation in going:
            next(derivation)
    return records


def derive(
    system: Any,
    oracle: Any,
    sentence: Sentence,
    classes: Sequence[tuple[str, str | None]],
    follow_oracle: Callable[[], bool],
    record: Callable[[list[Row]], None],
) -> Iterator[bool]:
    """Makes the moves of a sentence; yields before and after each choice."""
    state, heads, labels, look, hidden = sentence
    while moves := system.valid_moves(state):
        if len(moves) == 1 and labelled_arc(system, state, moves[0]) is None:
            system.apply(state, moves[0])
            continue
        if (*state.stack[-1:], *state.buffer[:1]) in hidden:
            system.apply(state, "no_arc")
            continue
        named = {move if system.kind == "list" else (move, 0): move for move in moves}
        yield True
        foci = sorted({focus for _, focus in named})
        seen, scores = {}, {}
        for focus in foci:
            seen[focus], found = look(state, focus)
            scores.update({(focus, c): found[c] for c in range(len(classes))})
        choices = [choice for choice in scores if (classes[choice[1]][0], choice[0]) in named]
        correct: list[tuple[int, int]] = []
        if oracle is not None:
            optimal = oracle.optimal(state, heads, labels)
            for focus, c in choices:
                move = named[classes[c][0], focus]
                built = labelled_arc(system, state, move)
                if move in optimal and fits(built, classes[c][1], heads, labels):
                    correct.append((focus, c))
        best = max(choices, key=scores.__getitem__)
        follow = best
        if oracle is None or 0 < len(correct) < len(choices):
            record([row_of(focus, seen[focus], classes, choices, correct) for focus in foci])
        # Where everything is as good, the model goes on
        if oracle is not None and follow_oracle() and len(correct) < len(choices):
            follow = max(correct, key=scores.__getitem__)
        focus, c = follow
        name, label = classes[c]
        system.apply(state, named[name, focus], label=label or "none")
        yield True
    for head, word in inserted_arcs(state):
        system.attach(state, head, word)
        seen_there, found = look(state, 0)
        move = "left_arc" if word < head else "right_arc"
        arcs = [(0, c) for c, (name, _) in enumerate(classes) if name == move]
        if oracle is not None and heads[word] == head and labels[word] is not None:
            good = list(classes).index((move, labels[word]))
            record([row_of(0, seen_there, classes, arcs, [(0, good)])])
        best = max(arcs, key=lambda choice: found[choice[1]])
        system.attach(state, head, word, classes[best[1]][1])


def row_of(
    focus: int,
    seen: Any,
    classes: Sequence[tuple[str, str | None]],
    valid: Sequence[tuple[int, int]],
    correct: Sequence[tuple[int, int]],
) -> Row:
    numbers = range(len(classes))
    return Row(seen, [(focus, c) in valid for c in numbers], [(focus, c) in correct for c in numbers])


def fractions(seed: int) -> Iterator[float]:
    """Numbers in [0, 1) by splitmix64 (Steele, Lea & Flood 2014)."""
    bits = 2**64 - 1
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & bits
        z = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & bits
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & bits
        yield (z ^ (z >> 31)) / 2**64
