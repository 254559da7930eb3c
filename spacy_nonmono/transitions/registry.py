"""The transition systems by name."""

from inspect import signature
from typing import Any

from ..errors import Errors
from ..registry import systems
from .system import TransitionSystem


def list_systems() -> list[str]:
    """Names of the transition systems, those of other packages among them."""
    return sorted(systems.get_all())


def get_system(name: str, **options: Any) -> TransitionSystem:
    """Return the transition system of that name.

    options: those of the system; of ours only yamada_matsumoto has one, `fine_grained_shift` (default
        False).

    Raises ValueError: NM001 for an unknown system, NM011 for an option that it does not have,
    NM015 for a value that is not a bool.
    """
    if not isinstance(name, str) or name not in systems:
        raise ValueError(Errors.NM001.format(name=name, known=", ".join(list_systems())))
    make = systems.get(name)
    known = signature(make).parameters
    for option in options:
        if option not in known:
            raise ValueError(
                Errors.NM011.format(option=option, system=name, known=", ".join(known) or "none")
            )
    return make(**options)
