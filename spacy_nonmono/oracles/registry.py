"""The oracles of every system by name."""

from typing import Any

from ..errors import Errors
from ..registry import oracles
from ..transitions.system import TransitionSystem
from .oracle import Oracle


def list_oracles(system: str) -> list[str]:
    """Names of the oracles of a system; the first one is what it trains with by default."""
    return list(oracles.get(system)) if system in oracles else []


def get_oracle(
    name: str | None, system: TransitionSystem, *, tie_break: str = "default"
) -> Oracle:
    """The oracle of that name for a system; None: the one that the system trains with by default.

    tie_break: which of the moves of least cost are optimal: by "default" those that the oracle prefers;
        "none" takes them all, as published, with a bound of `covington_nonmonotonic`.

    Raises ValueError: NM002 if the system has no such oracle, NM065 if it has none at all, NM188 for
    another tie-break, NM189 if the oracle has no choice of them.
    """
    known = list_oracles(system.name)
    if not known:
        raise ValueError(Errors.NM065.format(system=system.name))
    chosen = known[0] if name is None else name
    if chosen not in known:
        raise ValueError(
            Errors.NM002.format(name=name, system=system.name, known=", ".join(known))
        )
    oracle: Any = oracles.get(system.name)[chosen](system)
    if hasattr(oracle, "tie_break"):
        oracle.tie_break = tie_break
    elif tie_break != "default":
        raise ValueError(Errors.NM189.format(oracle=chosen, system=system.name, found=tie_break))
    return oracle
