"""Bad gold and bad names are refused with a coded error."""

from typing import Any

import pytest

from spacy_nonmono import get_oracle, get_system
from tests.lockstep import NAMES, compiled, with_oracles

NOT_STATIC = with_oracles("dynamic", "exact", "lower", "pc_upper", "upper")


@pytest.mark.parametrize("name", NAMES)
def test_unknown_oracle(name: str) -> None:
    with pytest.raises(ValueError, match="NM002"):
        get_oracle("no such oracle", compiled(name))


def test_tie_breaks() -> None:
    system = compiled("covington_nonmonotonic")
    for value in ("None", "", None, 1):
        with pytest.raises(ValueError, match=r"\[NM188\].*`default` or `none`"):
            get_oracle("upper", system, tie_break=value)
    for name in ("exact", "static"):
        with pytest.raises(ValueError, match=rf"\[NM189\] The oracle '{name}'.*or upper"):
            get_oracle(name, system, tie_break="none")
        get_oracle(name, system, tie_break="default")


@pytest.mark.parametrize(("name", "oracle"), NOT_STATIC)
def test_gold_of_another_length(name: str, oracle: str) -> None:
    state = compiled(name).initial_state(3)
    for gold in ([], [-1, 0], [-1, 0, 0, 0]):
        with pytest.raises(ValueError, match="NM004"):
            get_oracle(oracle, compiled(name)).optimal(state, gold)


@pytest.mark.parametrize(("name", "oracle"), NOT_STATIC)
def test_impossible_gold_head(name: str, oracle: str) -> None:
    state = compiled(name).initial_state(3)
    for gold in ([-1, 0, 3], [-1, 0, -2], [-1, 1, 0]):
        with pytest.raises(ValueError, match="NM005"):
            get_oracle(oracle, compiled(name)).optimal(state, gold)


@pytest.mark.parametrize(("name", "oracle"), NOT_STATIC)
def test_state_of_another_system(name: str, oracle: str) -> None:
    other = get_system("arc_eager" if name == "covington" else "covington")
    call: Any
    for call in (get_oracle(oracle, compiled(name)).costs, get_oracle("static", compiled(name)).optimal):
        with pytest.raises(ValueError, match="NM008"):
            call(other.initial_state(3), [-1, 0, 0])
