"""The rooms of the package and which may import which, as the table in docs/contributing.md has them."""

import re
from pathlib import Path
from typing import NamedTuple

from spacy_nonmono.evaluation.sources import PACKAGE, SOURCES

STUB = ".pyi"
PAGE = PACKAGE.parent / "docs" / "contributing.md"
TABLE = re.compile(r"<!-- rooms -->\n(.*?)<!-- end of rooms -->", re.DOTALL)
STOREY = re.compile(r"\*\*(.+)\*\*")


class Room(NamedTuple):
    """A room, and the rooms that it may import."""

    name: str  # a folder, or a module; scoring/linear is a room of its own within scoring
    imports: tuple[str, ...]


def read_storeys(page: str) -> dict[str, tuple[Room, ...]]:
    """Read the rooms of each storey from the table of a page."""
    storeys: dict[str, tuple[Room, ...]] = {}
    (table,) = TABLE.findall(page)
    for row in table.splitlines()[2:]:
        name, _, imports = (cell.strip() for cell in row.strip("|").split("|"))
        if found := STOREY.fullmatch(name):
            title = found[1]
            storeys[title] = ()
        else:
            known = () if imports in ("nothing", "anything") else tuple(imports.split(", "))
            storeys[title] += (Room(name.strip("`"), known),)
    return storeys


STOREYS = read_storeys(PAGE.read_text("utf-8"))
FREE = STOREYS.pop("Free for all")  # what everybody may import
ROOMS = {room.name: room for storey in (FREE, *STOREYS.values()) for room in storey}
LABORATORY = "lab"


def room_of(name: str) -> str:
    """Return the name of the smallest room that a file or a module is in.

    name: its path in the package, without a suffix. What is in no room of the table is its own room.
    """
    names = [room for room in ROOMS if name == room or name.startswith(f"{room}/")]
    return max(names, key=len, default=name.partition("/")[0])


def source_files(package: Path = PACKAGE) -> list[Path]:
    """Return the paths of all source files and stubs."""
    return sorted(path for path in package.rglob("*") if path.suffix in (*SOURCES, STUB))


def path_room(path: Path, package: Path = PACKAGE) -> str:
    """Return the name of the room that a file is in."""
    return room_of(path.relative_to(package).with_suffix("").as_posix())
