"""An oracle that another package adds to a system."""

import subprocess
import sys
from functools import partial
from typing import Any

import catalogue
import pytest

from spacy_nonmono import get_oracle, get_system
from spacy_nonmono.oracles.arc_swap import ARC_SWAP
from spacy_nonmono.oracles.covington import CovingtonBound
from spacy_nonmono.oracles.registry import list_oracles

from ..pipeline.util import NAME, blank

SYSTEM = "covington_nonmonotonic"
OWN = ["lower", "pc_upper", "upper", "static"]


def add(monkeypatch: Any, system: str, oracle: str, bound: str) -> None:
    key = ("spacy_nonmono", "oracles", f"{system}.{oracle}")
    monkeypatch.setitem(catalogue.REGISTRY, key, partial(CovingtonBound, name=bound))


def test_added_by_an_entry_point() -> None:
    assert list_oracles(SYSTEM) == [*OWN, "exact"]
    oracle = get_oracle("exact", get_system(SYSTEM))
    assert type(oracle).__module__.startswith("spacy_nonmono.lab.")


def test_added_at_run_time(monkeypatch: Any) -> None:
    add(monkeypatch, SYSTEM, "mine", "upper")
    assert list_oracles(SYSTEM) == [*OWN, "exact", "mine"]
    assert get_oracle("mine", get_system(SYSTEM)).name == "upper"
    assert blank(SYSTEM, oracle="mine").get_pipe(NAME).oracle.name == "upper"
    with pytest.raises(ValueError, match=r"NM002.* exact, mine"):
        get_oracle("yours", get_system(SYSTEM))
    assert list_oracles("covington") == ["dynamic", "static"]


def test_no_other_oracle_is_replaced(monkeypatch: Any) -> None:
    add(monkeypatch, SYSTEM, "lower", "upper")
    assert list_oracles(SYSTEM) == [*OWN, "exact"]
    assert get_oracle("lower", get_system(SYSTEM)).name == "lower"
    assert get_oracle(None, get_system(SYSTEM)).name == "lower"


def test_a_system_with_added_oracles_alone(monkeypatch: Any) -> None:
    """It has no default."""
    key = ("spacy_nonmono", "oracles", "mine.swap")
    monkeypatch.setitem(catalogue.REGISTRY, key, ARC_SWAP["static"])

    class Renamed:
        name = "mine"

    assert list_oracles("mine") == ["swap"]
    system: Any = Renamed()
    with pytest.raises(ValueError, match=r"NM002.* swap"):
        get_oracle(None, system)


def test_the_parser_does_without_the_laboratory() -> None:
    code = (
        "import sys, spacy; parser = spacy.blank('xx').add_pipe('nonmono_parser');"
        "assert parser.oracle.name == 'lower';"
        "assert not [name for name in sys.modules if name.startswith('spacy_nonmono.lab')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
