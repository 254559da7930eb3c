"""A saved parser: its labels and weights, and what shows that they are whole and belong together.

Beside the labels, the part `cfg` names the format, the transition system, and a checksum of all that and
of the weights. The checksum finds what was damaged or copied by halves; `scoring.saved` finds weights
that were made to deceive.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from zlib import crc32

from ..errors import Errors
from ..scoring.saved import damaged
from ..transitions.registry import OPTIONS
from ..transitions.system import TransitionSystem

# Version 0.1 wrote no number and no checksum.
FORMAT = 2


def system_name(system: TransitionSystem) -> str:
    """The name of a system, and those of its options that are switched on."""
    options = OPTIONS.get(system.name, ())
    return " ".join([system.name, *(option for option in options if getattr(system, option))])


def checksum(described: dict[str, Any], weights: bytes) -> str:
    """CRC-32: finds every damage within four bytes, and any other but one in four billion. A digest of
    cryptography finds no more of what happens by accident, and takes two to four times as long."""
    return f"{crc32(weights, crc32(json.dumps(described, sort_keys=True).encode('utf8'))):08x}"


def write_cfg(labels: Iterable[str], system: TransitionSystem, weights: bytes) -> str:
    """The part `cfg`, as JSON. weights: what is saved as the part `model`."""
    described = {"format": FORMAT, "labels": list(labels), "system": system_name(system)}
    return json.dumps({**described, "checksum": checksum(described, weights)})


def read_cfg(data: str | bytes, system: TransitionSystem, weights: bytes | None) -> list[str]:
    """The labels. weights: the part `model`, None if nobody asked for it.

    Raises ValueError: NM037 for what is damaged, NM059 for another system, NM060 for another format.
    """
    described = json.loads(data)
    if not isinstance(described, dict):
        raise damaged(described, "the description of a parser")
    if described.get("format") != FORMAT:
        raise ValueError(Errors.NM060.format(found=described.get("format"), expected=FORMAT))
    expected = described.pop("checksum", None)
    if weights is not None and checksum(described, weights) != expected:
        raise damaged("another checksum than when it was saved", expected)
    if described.get("system") != system_name(system):
        raise ValueError(
            Errors.NM059.format(found=described.get("system"), expected=system_name(system))
        )
    labels: Any = described.get("labels")
    if not is_label_list(labels):
        raise damaged(f"the labels {labels!r}", "a list of different strings")
    return labels


def is_label_list(labels: Any) -> bool:
    return (
        isinstance(labels, list)
        and all(isinstance(label, str) and label for label in labels)
        and len(set(labels)) == len(labels)
    )


@contextmanager
def refusing(name: str, source: object) -> Iterator[None]:
    """Turns every error into one that names the component and the file (NM058)."""
    try:
        yield
    except Exception as error:
        reason = f"{type(error).__name__}: {error}" if not str(error).startswith("[") else error
        raise ValueError(Errors.NM058.format(name=name, source=source, reason=reason)) from error
