"""The oracles of every system by name."""

from ..errors import Errors
from ..registry import oracles
from ..transitions.system import TransitionSystem
from .oracle import Oracle


def list_oracles(system: str) -> list[str]:
    """Names of the oracles of a system; the first one is what it trains with by default."""
    return list(oracles.get(system)) if system in oracles else []


def get_oracle(name: str | None, system: TransitionSystem) -> Oracle:
    """The oracle of that name for a system; None: the one that the system trains with by default.

    Raises ValueError: NM002 if the system has no such oracle, NM065 if it has none at all.
    """
    known = list_oracles(system.name)
    if not known:
        raise ValueError(Errors.NM065.format(system=system.name))
    chosen = known[0] if name is None else name
    if chosen not in known:
        raise ValueError(
            Errors.NM002.format(name=name, system=system.name, known=", ".join(known))
        )
    return oracles.get(system.name)[chosen](system)
