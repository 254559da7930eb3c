"""What makes the systems, for configs and `get_system`.

They are functions of Python because `spacy package` looks up the source of everything that a config
names, and a compiled class has none.
"""

from .arc_eager import (
    ArcEager,
    ArcEagerDistinctUnshift,
    ArcEagerRepair,
    ArcEagerTreeConstrained,
    ArcEagerUnshift,
)
from .arc_standard import ArcHybrid, ArcStandard
from .arc_swap import ArcSwap
from .covington import Covington, CovingtonNonmonotonic
from .easy_first import EasyFirst
from .registry import get_system
from .system import TransitionSystem
from .yamada_matsumoto import YamadaMatsumoto


def system(name: str) -> TransitionSystem:
    """Any system by its name, also one of another package that has no name of its own for configs."""
    return get_system(name)


def arc_eager() -> TransitionSystem:
    return ArcEager()


def arc_eager_tree_constrained() -> TransitionSystem:
    return ArcEagerTreeConstrained()


def arc_eager_repair() -> TransitionSystem:
    return ArcEagerRepair()


def arc_eager_unshift() -> TransitionSystem:
    return ArcEagerUnshift()


def arc_eager_distinct_unshift() -> TransitionSystem:
    return ArcEagerDistinctUnshift()


def covington() -> TransitionSystem:
    return Covington()


def covington_nonmonotonic() -> TransitionSystem:
    return CovingtonNonmonotonic()


def arc_standard() -> TransitionSystem:
    return ArcStandard()


def arc_swap() -> TransitionSystem:
    return ArcSwap()


def arc_hybrid() -> TransitionSystem:
    return ArcHybrid()


def easy_first() -> TransitionSystem:
    return EasyFirst()


def yamada_matsumoto(fine_grained_shift: bool = False) -> TransitionSystem:
    return YamadaMatsumoto(fine_grained_shift)
