"""The compiled systems beside the slow ones of `tests/naive`."""

from functools import cache
from typing import Any

from spacy_nonmono import get_system, list_systems
from spacy_nonmono.oracles.registry import list_oracles
from tests import naive
from tests.naive import TWINS, graph

OPTIONS = {"yamada_matsumoto_fine": {"fine_grained_shift": True}}
NAMES = [name for name, twin in TWINS.items() if twin.name in list_systems()]


def compiled(name: str) -> Any:
    """The compiled system beside the twin of that name."""
    return get_system(TWINS[name].name, **OPTIONS.get(name, {}))


def with_oracles(*oracles: str) -> list[tuple[str, str]]:
    """(system, oracle) for each system that has such an oracle."""
    return [(name, o) for name in NAMES for o in list_oracles(TWINS[name].name) if o in oracles]


def assert_same(system: Any, state: Any, twin: Any, config: Any) -> None:
    """A state of the compiled system and a configuration of its slow twin are the same."""
    assert state.heads == list(config.heads)
    assert state.labels == list(config.labels)
    assert state.stack == list(config.stack)
    assert state.buffer == list(config.buffer)
    if hasattr(config, "pending"):
        assert state.pending == list(config.pending)
    assert state.is_final == twin.final(config)
    assert system.valid_moves(state) == twin.valid(config)
    if state.is_final:
        assert list(system.heads(state)) == list(twin.heads(config))


@cache
def walk(name: str, n: int, labels: tuple[str, ...] = naive.LABELS) -> tuple[Any, ...]:
    """The states of the compiled system, at the places of the twin's configurations.

    Every transition is taken, so that each state is reached in every possible way: it must always
    be the same configuration.
    """
    twin = TWINS[name]
    system = compiled(name)
    found = graph(name, n, labels)
    states: list[Any] = [None] * len(found.configs)
    states[-1] = system.initial_state(n)
    for at in reversed(range(len(found.configs))):  # predecessors first
        state, config = states[at], found.configs[at]
        assert_same(system, state, twin, config)
        for step, after in found.edges[at]:
            reached = state.copy()
            system.apply(reached, step.move, label=step.label)
            if states[after] is None:
                states[after] = reached
            elif labels == naive.LABELS:
                assert reached.key() == states[after].key()
                assert hash(reached.key()) == hash(states[after].key())
            else:
                assert_same(system, reached, twin, found.configs[after])
        assert_same(system, state, twin, config)  # the copies took nothing from it
    assert len({state.key() for state in states}) == len(found.configs)
    return tuple(states)
