"""The rows of a configuration against those of its slow twin, on random walks."""

import numpy
import pytest

from spacy_nonmono.scoring.neural.arcs import arc_probabilities
from spacy_nonmono.scoring.neural.atoms import n_atom_rows
from spacy_nonmono.scoring.neural.neural import position_slots, state_rows
from spacy_nonmono.scoring.positions import COLLOCATE_POSITIONS

from ..decoding.util import flatten_links, initial_state, random_links
from ..lockstep import NAMES, compiled
from ..naive import MOVES, TWINS, Step, kind
from ..naive.rows import atom_rows as naive_rows
from ..naive.rows import seen_at
from ..naive.templates import positions

LABELS = ["a", "b", "c"]


def random_walk(system, twin, n: int, rng: numpy.random.Generator):
    """The states of a random derivation, each with the way of the twin to the same configuration. Some
    kinds of moves are made much more often than others."""
    state, path = initial_state(system, n, LABELS), [twin.initial(n)]
    often = dict(zip(MOVES, rng.exponential(size=len(MOVES)) ** 2, strict=True))
    while moves := twin.valid(path[-1]):
        yield state, path
        shares = numpy.array([often[kind(move)] for move in moves])
        move = moves[rng.choice(len(moves), p=shares / shares.sum())]
        step = Step(move, LABELS[rng.integers(len(LABELS))])
        system.apply(state, *step)
        path.append(twin.apply(path[-1], *step))


@pytest.mark.parametrize("name", NAMES)
def test_rows(name: str) -> None:
    rng = numpy.random.default_rng(0)
    system, twin = compiled(name), TWINS[name]
    looked_at = [*system.positions, *COLLOCATE_POSITIONS]
    slots = position_slots(looked_at)
    for n in [*range(1, 9), 12, 16, 24]:
        # The larger, the further the probabilities are from each other
        scale = rng.choice([0.0, 0.3, 1.0, 2.0])
        arrays = [rng.normal(0, scale, shape).astype("f") for shape in ((n, 8), (n, 8), (8,), (18,))]
        links = random_links(rng, [n])
        for state, path in random_walk(system, twin, n, rng):
            moves = twin.valid(path[-1])
            number = moves[rng.integers(len(moves))][1] if system.kind == "list" else 0
            seen = seen_at(twin, path, number)
            token_rows, atom_rows = state_rows(
                system, state, slots, *arrays, flatten_links(links), number
            )
            words = positions(seen.stack, seen.buffer, seen.heads, links)
            expected = [n if words[name] is None else words[name] for name in looked_at]
            assert token_rows.tolist() == expected
            allowed = naive_rows(seen, *arc_probabilities(*arrays), LABELS)
            assert len(atom_rows) == len(allowed)
            for k, (found, some) in enumerate(zip(atom_rows, allowed, strict=True)):
                assert found in some, k
            assert atom_rows.max() < n_atom_rows(len(LABELS))
