"""The transition systems by name, and the functions that configuration files name them by."""

from ..errors import Errors
from .arc_eager import ArcEager, ArcEagerRepair, ArcEagerTreeConstrained, ArcEagerUnshift
from .covington import Covington, CovingtonNonmonotonic
from .system import TransitionSystem

SYSTEMS: dict[str, type[TransitionSystem]] = {
    "arc_eager": ArcEager,
    "arc_eager_tree_constrained": ArcEagerTreeConstrained,
    "arc_eager_repair": ArcEagerRepair,
    "arc_eager_unshift": ArcEagerUnshift,
    "covington": Covington,
    "covington_nonmonotonic": CovingtonNonmonotonic,
}


def list_systems() -> list[str]:
    """Names of the transition systems."""
    return list(SYSTEMS)


def get_system(name: str) -> TransitionSystem:
    """The transition system of that name.

    Raises ValueError (NM001) for an unknown one.
    """
    if name not in SYSTEMS:
        raise ValueError(Errors.NM001.format(name=name, known=", ".join(SYSTEMS)))
    return SYSTEMS[name]()


def make_arc_eager() -> TransitionSystem:
    return ArcEager()


def make_arc_eager_tree_constrained() -> TransitionSystem:
    return ArcEagerTreeConstrained()


def make_arc_eager_repair() -> TransitionSystem:
    return ArcEagerRepair()


def make_arc_eager_unshift() -> TransitionSystem:
    return ArcEagerUnshift()


def make_covington() -> TransitionSystem:
    return Covington()


def make_covington_nonmonotonic() -> TransitionSystem:
    return CovingtonNonmonotonic()
