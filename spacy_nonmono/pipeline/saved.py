"""A saved parser: its labels and weights, and what shows that they are whole and belong together.

Beside the labels, the scaling of `dep_score`, the progress of the training, which may go on, and the
settings that may be changed at any time, the part `cfg` names the format, the transition system, its
moves and positions, and a checksum of all that and of the weights. The classes of the weights are moves
and labels, known by their names: a later version of a system may have its moves in another order. The
checksum finds what was damaged or copied by halves; `scoring.loading` finds weights that were made to
deceive.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from typing import Any, NamedTuple
from zlib import crc32

from ..errors import Errors, tell
from ..scoring.classes import MoveNames, moves_of
from ..scoring.loading import damaged
from ..training.progress import Progress
from ..transitions.system import TransitionSystem
from .dep_scores import Scaling

# Version 0.1 wrote no number and no checksum; 2 did not name the moves.
FORMAT = 3
# What `cfg` has; anybody may put more into it
OWN = (
    *("format", "labels", "system", "moves", "positions", "scaling", "progress", "settings"),
    "checksum",
)
# Those that a parser lacks that was saved by an earlier version of the format
ABSENT = {"scaling": list(Scaling()), "progress": Progress().to_list(), "settings": {}}


class SavedParser(NamedTuple):
    """What is saved beside the weights.

    labels: of arcs. moves: the classes of the weights are of these and of the labels. positions: in the
    order in which the weights have them, if they have an order. scaling: of `dep_score`. progress: of
    the training. settings: of each the value in the config, and the one that was set. others: what else
    somebody put into `cfg`.
    """

    labels: list[str]
    system: TransitionSystem
    moves: MoveNames
    positions: tuple[str, ...]
    scaling: Scaling
    progress: Progress
    settings: dict[str, tuple[Any, Any]]
    others: dict[str, Any]


def checksum(described: dict[str, Any], weights: bytes) -> str:
    """Compute the CRC-32 of a description and weights. It finds every damage within four bytes, and any
    other but one in four billion. A digest of cryptography finds no more of what happens by accident,
    and takes two to four times as long."""
    return f"{crc32(weights, crc32(json.dumps(described, sort_keys=True).encode('utf8'))):08x}"


def write_cfg(saved: SavedParser, weights: bytes) -> str:
    """Write the part `cfg` as JSON, which must be able to hold what somebody put into `cfg`. weights:
    what is saved as the part `model`."""
    others = {name: value for name, value in saved.others.items() if name not in OWN}
    described = {
        **others,
        "labels": saved.labels,
        "format": FORMAT,
        "system": describe(saved.system),
        "moves": saved.moves._asdict(),
        "positions": saved.positions,
        "scaling": saved.scaling,
        "progress": saved.progress.to_list(),
        "settings": saved.settings,
    }
    described = json.loads(json.dumps(described))
    return json.dumps({**described, "checksum": checksum(described, weights)})


def describe(system: TransitionSystem) -> str:
    """Write the name of a system and its options, but for those that are False."""
    options = [
        name if value is True else f"{name}={value}"
        for name, value in system.options.items()
        if value is not False
    ]
    return " ".join([system.name, *options])


def read_cfg(data: str | bytes, own: SavedParser, weights: bytes | None) -> SavedParser:
    """Read the part `cfg`.

    own: what this parser would save. weights: the part `model`, None if nobody asked for it.

    Raises ValueError: NM037 for what is damaged, NM059 for another system, NM060 for another format,
    NM064 for other moves, NM221 for other positions.
    """
    described = json.loads(data)
    if not isinstance(described, dict):
        raise damaged(described, "the description of a parser")
    if described.get("format") != FORMAT:
        raise ValueError(Errors.NM060.format(found=described.get("format"), expected=FORMAT))
    expected = described.pop("checksum", None)
    if weights is not None and checksum(described, weights) != expected:
        raise damaged("another checksum than when it was saved", expected)
    system, positions = described.get("system"), list(own.positions)
    if system != describe(own.system):
        raise ValueError(Errors.NM059.format(found=system, expected=describe(own.system)))
    described = {**ABSENT, **described}
    check_described(described)
    found = described.get("positions", positions)
    if found != positions:
        raise ValueError(Errors.NM221.format(found=found, system=system, expected=positions))
    return SavedParser(
        described["labels"],
        own.system,
        read_moves(described.get("moves"), own.system),
        own.positions,
        Scaling(*map(float, described["scaling"])),
        Progress(*described["progress"]),
        {name: tuple(pair) for name, pair in described["settings"].items()},
        {name: value for name, value in described.items() if name not in OWN},
    )


def check_described(described: dict[str, Any]) -> None:
    """Raises ValueError (NM037) for a value that cannot have been saved."""
    names = ("labels", "scaling", "progress", "settings")
    found: Any = [described.get(name) for name in names]
    labels, scaling, progress, settings = found
    checks = (
        (is_name_list(labels), "a list of different strings"),
        (is_list(scaling, 2, int, float) and all(map(isfinite, scaling)), "two numbers"),
        (is_progress(progress), "five whole numbers, or the first three"),
        (isinstance(settings, dict) and all(map(is_pair, settings.values())), "two values for each"),
    )
    for name, (is_right, expected) in zip(names, checks, strict=True):
        if not is_right:
            raise damaged(f"the {name} {described.get(name)!r}", expected)


def is_progress(found: Any) -> bool:
    """Find out whether this is what `Progress.to_list` gives, or gave in version 0.2.0."""
    return any(is_list(found, n, int) and min(found) >= 0 for n in (3, 5))


def is_name_list(found: Any) -> bool:
    """Find out whether this is a list of different, non-empty strings."""
    return isinstance(found, list) and is_list(found, len(set(map(str, found))), str) and all(found)


def is_list(found: Any, n: int, *kinds: type) -> bool:
    """Find out whether this is a list of n values of these types."""
    return isinstance(found, list) and len(found) == n and {*map(type, found)} <= {*kinds}


def is_pair(found: Any) -> bool:
    """Find out whether this is a list of two values of one type."""
    return isinstance(found, list) and len(found) == 2 and type(found[0]) is type(found[1])


def read_moves(moves: Any, system: TransitionSystem) -> MoveNames:
    """Read the moves, in the order in which the weights have them."""
    if not (isinstance(moves, dict) and set(moves) == set(MoveNames._fields)):
        raise damaged(f"the moves {moves!r}", "a table of two lists")
    for kind, names in moves_of(system)._asdict().items():
        if not isinstance(moves[kind], list) or sorted(map(str, moves[kind])) != sorted(names):
            raise ValueError(
                Errors.NM064.format(system=system.name, found=moves[kind], expected=list(names))
            )
    return MoveNames(tuple(moves["plain"]), tuple(moves["arcs"]))


@contextmanager
def refusing(name: str, source: object) -> Iterator[None]:
    """Turn every error in the block into one that names the component and the file (NM058)."""
    try:
        yield
    except Exception as error:
        reason = tell(error)
        raise ValueError(Errors.NM058.format(name=name, source=source, reason=reason)) from error
