"""The layers of the package: what a room may import, read from import, cimport and include lines."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from spacy_nonmono.evaluation.sources import HEADER, MODULES, PACKAGE, read_imports

from .rooms import FREE, LABORATORY, ROOMS, STOREYS, STUB, path_room, room_of, source_files

# Rooms that nobody imports but the laboratory
CLOSED = ("cli", LABORATORY)
# These know nothing of spaCy
WITHOUT_SPACY = ("about", "errors", "files", "structs", "state", "transitions", "oracles", "decoding")
SPACY = ("spacy", "spacy_legacy")


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


def test_no_arrow_that_the_design_does_not_allow():
    assert violations() == []


def test_every_part_has_its_rules():
    assert {path_room(path) for path in source_files()} == set(ROOMS)
    assert len(ROOMS) == sum(map(len, (FREE, *STOREYS.values())))


def test_every_arrow_is_used():
    used = {(path_room(path), room) for path, room, _ in arrows()}
    rules = {(room.name, target) for room in ROOMS.values() for target in room.imports}
    assert rules - used == set()


def test_nobody_imports_the_command_line_or_the_laboratory():
    assert all(not set(CLOSED) & set(room.imports) for room in ROOMS.values())
    assert LABORATORY in CLOSED


def test_those_who_are_free_for_all_import_nothing_else():
    assert not any(room.imports for room in FREE)


def test_the_parser_knows_nothing_of_what_is_around_it():
    own = {room.name for room in STOREYS["The parser"]}
    assert all(set(room.imports) <= own for room in STOREYS["The parser"])


def test_rooms_of_the_linear_and_the_neural_scorer_are_apart():
    assert "scoring/neural" not in ROOMS["scoring/linear"].imports
    assert "scoring/linear" not in ROOMS["scoring/neural"].imports
    assert not any(name.startswith("scoring/") for name in ROOMS["scoring"].imports)


def test_layers_know_nothing_of_parsing():
    assert ROOMS["layers"].imports == ()


def test_rules_have_no_cycle():
    remaining = {name: set(room.imports) for name, room in ROOMS.items()}
    while remaining:
        free = [name for name, allowed in remaining.items() if not allowed & set(remaining)]
        assert free, f"these rooms import each other: {sorted(remaining)}"
        for name in free:
            del remaining[name]


@pytest.fixture
def violations_of(tmp_path):
    """What is wrong with one file, beside others that it may name."""
    root = tmp_path / "spacy_nonmono"

    def find(name, line):
        for other, text in (("scoring/kernels.h", ""), ("layers/vectors.h", ""), (name, line)):
            path = root / other
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"x = 1\n{text}\n" if text else "", encoding="utf-8")
        return violations(root)

    return find


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("state.pyx", "from .transitions.system cimport SystemC"),
        ("scoring/neural.pyx", "from ..oracles.oracle cimport ("),
        ("scoring/positions.pyx", "from .linear.weights cimport WeightsC"),
        ("scoring/linear/model.py", "from ..neural.model import param"),
        ("scoring/neural/model.py", "from .. import linear"),
        ("decoding/greedy.pxd", "    from ..training import rollout"),
        ("decoding/greedy.pyx", 'cdef extern from "../layers/vectors.h":'),
        ("layers/adam.pyx", 'cdef extern from "../scoring/kernels.h" namespace "nonmono" nogil:'),
        ("layers/optimizer.py", "from ..transitions.system import TransitionSystem"),
        ("transitions/system.pyx", "import spacy"),
        ("oracles/oracle.py", "from spacy_nonmono.scoring import positions"),
        ("oracles/oracle.pyi", "from spacy.tokens import Doc"),
        ("treebank/corpus.py", "from ..evaluation.scores import Scores"),
        ("evaluation/scores.py", "from .. import pipeline"),
        ("evaluation/scores.py", "from .. import get_system"),
        ("training/losses.py", "from ..cli.evaluate import ROWS"),
        ("structs.pxd", "from . cimport state"),
        ("scoring/linear/model.py", "from ...evaluation import scores"),
        ("cli/evaluate.py", "from ..lab.cells import Cell"),
        ("pipeline/parser.py", "from ..lab import traces"),
        ("files.py", "from .state import State"),
    ],
)
def test_finds_arrows_that_are_not_allowed(violations_of, name, line):
    assert len(violations_of(name, line)) == 1


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("scoring/neural.pyx", "from ..transitions.positions cimport N_POSITIONS"),
        ("scoring/neural/model.py", "from ..classes import Moves"),
        ("scoring/linear/weights.pyx", 'cdef extern from "../kernels.h" namespace "nonmono" nogil:'),
        ("scoring/neural/arcs.pyx", 'cdef extern from "../../layers/vectors.h" nogil:'),
        ("oracles/registry.py", "from .static import ArcEagerStatic"),
        ("evaluation/evaluate.py", "from ..treebank.corpus import ROOT_LABEL"),
        ("cli/evaluate.py", "from ..evaluation.evaluate import evaluate"),
        ("pipeline/parser.py", "from spacy.tokens import Doc"),
        ("lab/traces.py", "from ..tokens.projectivity import crossing_arcs"),
        ("scoring/linear/model.py", "from ...files import write_text"),
    ],
)
def test_lets_allowed_arrows_pass(violations_of, name, line):
    assert violations_of(name, line) == []


def test_decoding_and_below_know_nothing_of_spacy():
    assert {"state", "transitions", "oracles", "decoding"} <= set(WITHOUT_SPACY) <= set(ROOMS)
