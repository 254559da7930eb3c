"""The compiled systems beside the slow ones of `tests/naive.py`."""

from typing import Any


def assert_same(system: Any, state: Any, twin: Any, config: Any) -> None:
    """A state of the compiled system and a configuration of its slow twin are the same."""
    assert state.heads == list(config.heads)
    assert state.labels == list(config.labels)
    assert state.stack == list(config.stack)
    assert state.buffer == list(config.buffer)
    assert state.is_final == twin.final(config)
    assert system.valid_moves(state) == twin.valid(config)
    if state.is_final:
        assert list(system.heads(state)) == list(twin.heads(config))
