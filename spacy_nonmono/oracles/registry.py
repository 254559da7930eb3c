"""The oracles of every system by name."""

from typing import Any

from ..errors import Errors
from ..registry import oracles
from ..transitions.system import TransitionSystem
from .oracle import Oracle


def list_oracles(system: str) -> list[str]:
    """Names of the oracles of a system, the default first; then those that other packages add to it."""
    prefix = f"{system}."
    added = [name.removeprefix(prefix) for name in oracles.get_all() if name.startswith(prefix)]
    return list(dict.fromkeys([*_own_oracles(system), *sorted(added)]))


def get_oracle(
    name: str | None, system: TransitionSystem, *, tie_break: str = "default"
) -> Oracle:
    """Return the oracle of that name for a system, or for None the one that the system trains with by
    default.

    tie_break: which of the moves of least cost are optimal: by "default" those that the oracle prefers;
        "none" takes them all, as published, with a bound of `covington_nonmonotonic`.

    Raises ValueError: NM002 if the system has no such oracle, NM065 if it has none at all, NM188 for
    another tie-break, NM189 if the oracle has no choice of them.
    """
    own = _own_oracles(system.name)
    chosen = next(iter(own), None) if name is None else name
    added = f"{system.name}.{chosen}"
    if chosen in own:
        make = own[chosen]
    elif added in oracles:
        make = oracles.get(added)
    elif known := list_oracles(system.name):
        raise ValueError(
            Errors.NM002.format(name=name, system=system.name, known=", ".join(known))
        )
    else:
        raise ValueError(Errors.NM065.format(system=system.name))
    oracle: Any = make(system)
    if hasattr(oracle, "tie_break"):
        oracle.tie_break = tie_break
    elif tie_break != "default":
        raise ValueError(Errors.NM189.format(oracle=chosen, system=system.name, found=tie_break))
    return oracle


def _own_oracles(system: str) -> dict[str | None, Any]:
    """Return the oracles that are declared with the system."""
    return oracles.get(system) if system in oracles else {}
