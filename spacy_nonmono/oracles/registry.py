"""The oracles of every system by name; the first one is what a system trains with by default."""

from collections.abc import Callable
from functools import partial

from ..errors import Errors
from ..transitions.system import TransitionSystem
from .arc_eager import ArcEagerOracle, RepairOracle, UnshiftOracle
from .arc_hybrid import ArcHybridOracle
from .arc_standard import ArcStandardOracle
from .covington import CovingtonBound, CovingtonExact, CovingtonOracle
from .lists import ListOracle
from .oracle import Oracle
from .static import (
    ArcEagerStatic,
    ArcHybridStatic,
    ArcStandardStatic,
    CovingtonStatic,
    EasyFirstStatic,
    YamadaMatsumotoStatic,
)
from .tree_constrained import TreeConstrainedOracle

ORACLES: dict[str, dict[str, Callable[[TransitionSystem], Oracle]]] = {
    "arc_eager": {"dynamic": ArcEagerOracle, "static": ArcEagerStatic},
    "arc_eager_tree_constrained": {"dynamic": TreeConstrainedOracle, "static": ArcEagerStatic},
    "arc_eager_repair": {"dynamic": RepairOracle, "static": ArcEagerStatic},
    "arc_eager_unshift": {"dynamic": UnshiftOracle, "static": ArcEagerStatic},
    "covington": {"dynamic": CovingtonOracle, "static": CovingtonStatic},
    "covington_nonmonotonic": {
        "lower": partial(CovingtonBound, name="lower"),
        "pc_upper": partial(CovingtonBound, name="pc_upper"),
        "upper": partial(CovingtonBound, name="upper"),
        "exact": CovingtonExact,
        "static": CovingtonStatic,
    },
    "arc_standard": {"dynamic": ArcStandardOracle, "static": ArcStandardStatic},
    "arc_hybrid": {"dynamic": ArcHybridOracle, "static": ArcHybridStatic},
    "easy_first": {"dynamic": ListOracle, "static": EasyFirstStatic},
    "yamada_matsumoto": {"dynamic": ListOracle, "static": YamadaMatsumotoStatic},
}


def get_oracle(name: str | None, system: TransitionSystem) -> Oracle:
    """The oracle of that name for a system; None: the one that the system trains with by default.

    Raises ValueError (NM002) if the system has no such oracle.
    """
    oracles = ORACLES.get(system.name, {})
    chosen = next(iter(oracles), None) if name is None else name
    if chosen not in oracles:
        raise ValueError(
            Errors.NM002.format(name=name, system=system.name, known=", ".join(oracles) or "none")
        )
    return oracles[chosen](system)
