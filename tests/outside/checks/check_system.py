"""The compiled system beside its slow twin: every configuration of short sentences."""

import numpy
import pytest
import twin
from outside.lopsided import Lopsided

from spacy_nonmono import get_system, list_systems
from spacy_nonmono.decoding.linear_batch import LinearBatch
from spacy_nonmono.scoring.linear.templates import Templates
from spacy_nonmono.scoring.linear.weights import Weights


def test_registered():
    system = get_system("two_planar")
    assert "two_planar" in list_systems()
    assert system.moves == twin.MOVES and system.arc_moves == twin.MOVES[3:]
    assert not system.single_root and not system.projective


@pytest.mark.parametrize("n", range(5))
def test_every_configuration(n):
    system = get_system("two_planar")
    todo = [(system.initial_state(n), twin.initial(n))]
    key_of = {todo[0][1]: todo[0][0].key()}
    outputs = set()
    while todo:
        state, config = todo.pop()
        assert state.stack == list(config.stacks[config.active])
        assert state.buffer == list(config.buffer)
        assert state.heads == list(config.heads)
        assert system.valid_moves(state) == twin.valid(config)
        assert state.is_final == (not config.buffer)
        if state.is_final:
            outputs.add(config.heads)
        for move in twin.valid(config):
            expected = twin.arc(config, move) if move in system.arc_moves else None
            assert system.arc(state, move) == expected
            after, reached = state.copy(), twin.apply(config, move)
            system.apply(after, move)
            if reached not in key_of:
                key_of[reached] = after.key()
                todo.append((after, reached))
            # Whichever way led there, memory that is not in use is the same
            assert after.key() == key_of[reached]
    assert len(set(key_of.values())) == len(key_of)
    assert outputs == set(twin.all_trees(n))


def longest(system, state):
    """The most moves that are left."""
    return max((1 + longest(system, after) for after in reached(system, state)), default=0)


def reached(system, state):
    for move in system.valid_moves(state):
        after = state.copy()
        system.apply(after, move)
        yield after


@pytest.mark.parametrize("n", [2, 3])
def test_derivations_end(n):
    system = get_system("two_planar")
    assert longest(system, system.initial_state(n)) == 8 * n - 8


def test_leftovers_start_from_two_words():
    system = get_system("two_planar")
    state = system.initial_state(4)
    for move in ("shift", "shift", "switch", "reduce", "shift", "shift"):
        system.apply(state, move)
    system.attach(state, 2, 1)
    other = system.initial_state(4)
    for move in ("shift", "reduce", "switch", "reduce", "shift", "switch"):
        system.apply(other, move)
    assert (state.stack, state.buffer) == (other.stack, other.buffer) == ([1], [2, 3])


def test_the_decoder_refuses_a_system_without_right_arc():
    arrays = numpy.array([2], "i"), numpy.zeros((2, 9), "uint64"), numpy.zeros(2, "f")
    with pytest.raises(ValueError, match="NM038"):
        LinearBatch(Lopsided(), Templates(["S0.w"]), Weights(), 3, *arrays)
