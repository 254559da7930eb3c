"""The storeys of the house: the rooms of the package, and which room may import which.

    python -m spacy_nonmono.lab.layers      prints them with their numbers of lines

The rules are the table in docs/contributing.md, of a checkout; tests/test_layers.py enforces them.
"""

import re
from pathlib import Path
from typing import NamedTuple

from ..evaluation.sources import PACKAGE, SOURCES

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


def lines(package: Path = PACKAGE) -> dict[str, int]:
    """Count the lines of each room, without stubs, which say again what the code says."""
    counts = dict.fromkeys(ROOMS, 0)
    for path in source_files(package):
        if path.suffix != STUB:
            n_lines = len(path.read_text("utf-8").splitlines())
            counts[path_room(path, package)] = counts.get(path_room(path, package), 0) + n_lines
    return counts


def print_storeys() -> None:
    """Print the number of lines of each room, storey by storey."""
    from wasabi import msg

    counts = lines()
    for title, rooms in (*STOREYS.items(), ("Free for all", FREE)):
        total = sum(counts[room.name] for room in rooms)
        msg.divider(f"{title}: {total:,} lines")
        cells = [[room.name, f"{counts[room.name]:,}"] for room in rooms]
        msg.table(cells, header=["Room", "Lines"], aligns=["l", "r"])
    msg.text(f"All together {sum(counts.values()):,} lines; {LABORATORY} is imported by nothing.")


if __name__ == "__main__":
    print_storeys()
