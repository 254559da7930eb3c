"""The transition systems by name, and the functions that configuration files name them by."""

from collections.abc import Callable

from ..errors import Errors
from .arc_eager import ArcEager, ArcEagerRepair, ArcEagerTreeConstrained, ArcEagerUnshift
from .arc_standard import ArcHybrid, ArcStandard
from .covington import Covington, CovingtonNonmonotonic
from .lists import EasyFirst, YamadaMatsumoto
from .system import TransitionSystem

SYSTEMS: dict[str, Callable[..., TransitionSystem]] = {
    "arc_eager": ArcEager,
    "arc_eager_tree_constrained": ArcEagerTreeConstrained,
    "arc_eager_repair": ArcEagerRepair,
    "arc_eager_unshift": ArcEagerUnshift,
    "covington": Covington,
    "covington_nonmonotonic": CovingtonNonmonotonic,
    "arc_standard": ArcStandard,
    "arc_hybrid": ArcHybrid,
    "easy_first": EasyFirst,
    "yamada_matsumoto": YamadaMatsumoto,
}
OPTIONS: dict[str, tuple[str, ...]] = {"yamada_matsumoto": ("fine_grained_shift",)}


def list_systems() -> list[str]:
    """Names of the transition systems."""
    return list(SYSTEMS)


def get_system(name: str, **options: bool) -> TransitionSystem:
    """The transition system of that name.

    options: those of the system; only yamada_matsumoto has one, `fine_grained_shift` (default False).

    Raises ValueError: NM001 for an unknown system, NM011 for an option that it does not have,
    NM015 for a value that is not a bool.
    """
    if name not in SYSTEMS:
        raise ValueError(Errors.NM001.format(name=name, known=", ".join(SYSTEMS)))
    known = OPTIONS.get(name, ())
    for option in options:
        if option not in known:
            raise ValueError(
                Errors.NM011.format(option=option, system=name, known=", ".join(known) or "none")
            )
    return SYSTEMS[name](**options)


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


def make_arc_standard() -> TransitionSystem:
    return ArcStandard()


def make_arc_hybrid() -> TransitionSystem:
    return ArcHybrid()


def make_easy_first() -> TransitionSystem:
    return EasyFirst()


def make_yamada_matsumoto(fine_grained_shift: bool = False) -> TransitionSystem:
    return YamadaMatsumoto(fine_grained_shift=fine_grained_shift)
