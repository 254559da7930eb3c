"""Bad gold and bad names are refused with a coded error."""

from typing import Any

import pytest

from spacy_nonmono import get_oracle, get_system
from tests.naive import SYSTEMS


def dynamic(name: str) -> Any:
    if name == "arc_eager_tree_constrained":
        return get_oracle("static", get_system(name))
    oracle = "lower" if name == "covington_nonmonotonic" else "dynamic"
    return get_oracle(oracle, get_system(name))


@pytest.mark.parametrize("name", SYSTEMS)
def test_unknown_oracle(name: str) -> None:
    with pytest.raises(ValueError, match="NM002"):
        get_oracle("no such oracle", get_system(name))


@pytest.mark.parametrize("name", SYSTEMS)
def test_gold_of_another_length(name: str) -> None:
    state = get_system(name).initial_state(3)
    for gold in ([], [-1, 0], [-1, 0, 0, 0]):
        with pytest.raises(ValueError, match="NM004"):
            dynamic(name).optimal(state, gold)


@pytest.mark.parametrize("name", SYSTEMS)
def test_impossible_gold_head(name: str) -> None:
    state = get_system(name).initial_state(3)
    for gold in ([-1, 0, 3], [-1, 0, -2], [-1, 1, 0]):
        with pytest.raises(ValueError, match="NM005"):
            dynamic(name).optimal(state, gold)


def test_state_of_another_system() -> None:
    state = get_system("covington").initial_state(3)
    oracle = get_oracle("dynamic", get_system("arc_eager"))
    with pytest.raises(ValueError, match="NM008"):
        oracle.costs(state, [-1, 0, 0])
