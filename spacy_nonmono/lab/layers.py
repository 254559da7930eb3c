"""The storeys of the house: the rooms of the package, and which room may import which.

    python -m spacy_nonmono.lab.layers      prints them with their numbers of lines

tests/test_layers.py enforces it, and the table in docs/contributing.md is made from it
(`documents.layers_page`).
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ..sources import HEADER, MODULES, PACKAGE, SOURCES, read_imports

STUB = ".pyi"


class Room(NamedTuple):
    name: str  # a folder, or a module; scoring/linear is a room of its own within scoring
    holds: str
    imports: tuple[str, ...] = ()


# What everybody may import
FREE = (
    Room("about", "name and version"),
    Room("compiler", "code that depends on the C++ compiler"),
    Room("errors", "the texts of errors and warnings"),
    Room("extras", "packages that only some commands need"),
    Room("files", "writing files safely"),
    Room("heads", "trees of tokens that are several words; heads that close a circle"),
    Room("merged", "tokens that are several words of a treebank"),
    Room("parsers", "trained pipelines by name, and which component is the parser"),
    Room("progress", "progress bars"),
    Room("registry", "finding systems, oracles and learners by name"),
    Room("shapes", "checks of arrays before C code reads them"),
    Room("sources", "the source files themselves, and a hash of them"),
    Room("splitmix", "random numbers in C"),
    Room("tables", "finding the table that belongs to the pipeline of a token"),
    Room("white_space", "which tokens are words and which are white space"),
)
STOREYS = {
    "The parser": (
        Room("structs", "the C structs"),
        Room("state", "the state of a parse and its Python view", ("structs",)),
        Room("transitions", "the systems: their moves, and what these do", ("state", "structs")),
        Room("oracles", "the cost of a move, given the gold tree", ("transitions", "state", "structs")),
        Room("layers", "faster layers for thinc, and recurrent layers; nothing about parsing"),
        Room(
            "scoring",
            "what both scorers need: positions, classes of moves, saved weights",
            ("transitions", "state", "structs", "layers"),
        ),
        Room(
            "scoring/linear",
            "the linear scorer: templates of features, weights",
            ("scoring", "transitions", "state", "structs"),
        ),
        Room(
            "scoring/neural",
            "the neural scorer: atoms, layers over a tok2vec, scores of arcs",
            ("scoring", "transitions", "state", "structs", "layers"),
        ),
        Room(
            "decoding",
            "parsing whole batches without Python's global lock",
            ("scoring/linear", "scoring/neural", "scoring", "transitions", "state", "structs"),
        ),
        Room(
            "training",
            "exploration, losses, updates",
            (
                *("decoding", "scoring/linear", "scoring/neural", "scoring", "layers", "oracles"),
                *("transitions", "state", "structs"),
            ),
        ),
        Room(
            "pipeline",
            "the component and its factory; sentence boundaries",
            (
                *("training", "decoding", "scoring/linear", "scoring/neural", "scoring", "layers"),
                *("oracles", "transitions"),
            ),
        ),
        Room("__init__", "functions that get systems and oracles by name", ("oracles", "transitions")),
    ),
    "Around it": (
        Room("lexical", "Brown clusters, collocations, embeddings"),
        Room("multiword", "which words a multiword token stands for: learning them, and the component"),
        Room("treebank", "reading CoNLL-U and CoNLL-X, writing CoNLL-U"),
        Room(
            "evaluation",
            "scores, also from raw text; where a parser errs; speed; calibration",
            ("treebank",),
        ),
        Room("corpora", "parsing a corpus: documents, shards, processes, formats", ("treebank",)),
        Room("spark", "parsing a corpus on a Spark cluster", ("corpora",)),
        Room(
            "recipes",
            "configs for `spacy train`; a new parser in a trained pipeline; training on raw text",
            ("corpora", "evaluation", "treebank"),
        ),
        Room("drawing", "pictures of trees, and plots", ("evaluation", "treebank")),
        Room(
            "cli",
            "the commands",
            ("recipes", "drawing", "spark", "corpora", "evaluation", "lexical", "treebank"),
        ),
    ),
    "The laboratory": (
        Room(
            "lab",
            "benchmarks with tables and plots; traces; reports on oracles; experiments of papers; the "
            "making of documents; the commands for all of these",
        ),
    ),
}
ROOMS = {room.name: room for storey in (FREE, *STOREYS.values()) for room in storey}
LABORATORY = "lab"
# Rooms that nobody imports but the laboratory
CLOSED = ("cli", LABORATORY)
# These know nothing of spaCy
WITHOUT_SPACY = ("about", "errors", "files", "structs", "state", "transitions", "oracles", "decoding")
SPACY = ("spacy", "spacy_legacy")


def room_of(name: str) -> str:
    """The room that a file or a module is in, by its path in the package, without a suffix: the smallest
    of those that lie around it. What is in none is a room by itself."""
    names = [room for room in ROOMS if name == room or name.startswith(f"{room}/")]
    return max(names, key=len, default=name.partition("/")[0])


def source_files(package: Path = PACKAGE) -> list[Path]:
    return sorted(path for path in package.rglob("*") if path.suffix in (*SOURCES, STUB))


def path_room(path: Path, package: Path = PACKAGE) -> str:
    return room_of(path.relative_to(package).with_suffix("").as_posix())


def targets(path: Path, package: Path = PACKAGE) -> Iterator[str]:
    """What a file imports and includes: modules of other packages, and paths in this one, without
    suffixes."""
    text = path.read_text("utf-8")
    for header in HEADER.findall(text):
        file = (path.parent / header).resolve()
        if file.is_file():
            yield f"{package.name}/{file.relative_to(package.resolve()).with_suffix('').as_posix()}"
    if path.suffix not in (*MODULES, STUB):
        return
    for module, names in read_imports(path, package):
        base = module.replace(".", "/")
        yield from [f"{base}/{name}" for name in names] or [base]


def arrows(package: Path = PACKAGE) -> Iterator[tuple[Path, str, str]]:
    """From each file to the rooms that it imports something of; of modules of other packages, the
    first part of the name comes as a room. With the target."""
    for path in source_files(package):
        for target in targets(path, package):
            top, _, rest = target.partition("/")
            if top != package.name:
                yield path, top, target
                continue
            room = room_of(rest) if rest else "__init__"
            yield path, room if room in ROOMS else "__init__", target


def violations(package: Path = PACKAGE) -> list[str]:
    """Arrows that the rules do not allow."""
    free = {room.name for room in FREE}
    wrong = {}
    for path, room, target in arrows(package):
        own = path_room(path, package)
        inside = target.partition("/")[0] == package.name
        if own == LABORATORY or (inside and (room == own or room in free)):
            continue
        if room not in ROOMS[own].imports if inside else own in WITHOUT_SPACY and room in SPACY:
            wrong[path, room] = f"{path.relative_to(package)} imports {target.replace('/', '.')}"
    return list(wrong.values())


def lines(package: Path = PACKAGE) -> dict[str, int]:
    """Of each room, without stubs, which say again what the code says."""
    counts = dict.fromkeys(ROOMS, 0)
    for path in source_files(package):
        if path.suffix != STUB:
            n_lines = len(path.read_text("utf-8").splitlines())
            counts[path_room(path, package)] = counts.get(path_room(path, package), 0) + n_lines
    return counts


def imports_of(room: Room) -> str:
    return "anything" if room.name == LABORATORY else ", ".join(room.imports) or "nothing"


def print_storeys() -> None:
    from wasabi import msg

    counts = lines()
    for title, rooms in (*STOREYS.items(), ("Free for all", FREE)):
        total = sum(counts[room.name] for room in rooms)
        msg.divider(f"{title}: {total:,} lines")
        cells = [[room.name, f"{counts[room.name]:,}", imports_of(room)] for room in rooms]
        msg.table(cells, header=["Room", "Lines", "Imports"], aligns=["l", "r", "l"], max_col=100)
    msg.text(f"All together {sum(counts.values()):,} lines; {LABORATORY} is imported by nothing.")


if __name__ == "__main__":
    print_storeys()
