"""The layers of the package: what a part may import, read from its import and cimport lines."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "spacy_nonmono"

# What each part may import of the others; those in FREE are free to all
ALLOWED = {
    "about": set(),
    "extras": set(),
    "errors": set(),
    "files": set(),
    "registry": set(),
    "shapes": set(),
    "sources": set(),
    "structs": set(),
    "splitmix": set(),
    "state": {"structs"},
    "transitions": {"state", "structs"},
    "oracles": {"transitions", "state", "structs"},
    # Positions and their names belong to the systems
    "layers": set(),
    "scoring": {"transitions", "state", "structs", "layers"},
    "decoding": {"transitions", "scoring", "state", "structs"},
    "training": {"oracles", "decoding", "scoring", "layers", "transitions", "state", "structs"},
    "pipeline": {
        "training",
        "oracles",
        "decoding",
        "scoring",
        "layers",
        "transitions",
        "state",
        "structs",
    },
    "lexical": set(),
    "treebank": set(),
    "corpora": {"treebank"},
    "spark": {"corpora"},
    "evaluation": {"treebank"},
    "recipes": {"corpora", "evaluation", "treebank"},
    "drawing": {"evaluation", "treebank"},
    "tables": set(),
    "cli": {"corpora", "drawing", "evaluation", "lexical", "recipes", "spark", "treebank"},
    # The front door
    "__init__": {"oracles", "transitions"},
}
# (registry, because every part looks things up by name; files, because every part that writes one is to
# write it in the same safe way; shapes, because every part checks its arrays before C code reads them)
FREE = {"about", "errors", "extras", "files", "registry", "shapes", "sources", "splitmix", "tables"}

# Top-level packages that a part must not know
FORBIDDEN = {
    part: {"spacy", "spacy_legacy"}
    for part in ("state", "transitions", "oracles", "decoding", "structs", "errors", "files", "about")
}

IMPORT = re.compile(
    r"^\s*(?:from\s+(?P<source>\.*[\w.]*)\s+c?import\s+(?P<names>\(?[\w, *]*)"
    r"|c?import\s+(?P<modules>[\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*))"
)


def source_files(root=ROOT):
    return sorted(path for path in root.rglob("*") if path.suffix in (".py", ".pyx", ".pxd", ".pyi"))


def part_of(path, root=ROOT):
    """The part that a file belongs to: its folder, or its stem at the top."""
    relative = path.relative_to(root)
    return relative.parts[0] if len(relative.parts) > 1 else relative.stem


def imported_modules(path, root=ROOT):
    """Absolute names of the modules on a file's import and cimport lines."""
    package = [root.name, *path.relative_to(root).parts[:-1]]
    found = []
    for line in path.read_text("utf-8").splitlines():
        match = IMPORT.match(line)
        if match is None:
            continue
        if match["modules"]:
            found += [name.split()[0] for name in match["modules"].split(",")]
            continue
        source = match["source"]
        n_dots = len(source) - len(source.lstrip("."))
        if n_dots == 0:
            found.append(source)
            continue
        base = package[: len(package) - n_dots + 1]
        if source.strip("."):
            found.append(".".join([*base, source.strip(".")]))
        else:  # from . import name, name
            names = match["names"].strip("( ").split(",")
            found += [".".join([*base, name.split()[0]]) for name in names if name.strip()]
    return found


def violations(root=ROOT):
    wrong = []
    for path in source_files(root):
        part = part_of(path, root)
        for module in imported_modules(path, root):
            top, *rest = module.split(".")
            if top in FORBIDDEN.get(part, ()):
                wrong.append(f"{path.relative_to(root)} imports {module}")
            if top != root.name or part == "lab":
                continue
            target = rest[0] if rest else "__init__"
            if target != part and target not in FREE and target not in ALLOWED[part]:
                wrong.append(f"{path.relative_to(root)} imports {module}")
    return wrong


def test_no_arrow_that_the_design_does_not_allow():
    assert violations() == []


def test_every_part_has_its_rules():
    parts = {part_of(path) for path in source_files()}
    assert parts - {"lab"} <= set(ALLOWED)


def test_nobody_imports_the_command_line_or_the_laboratory():
    assert all(not {"cli", "lab"} & allowed for allowed in ALLOWED.values())


def test_rules_have_no_cycle():
    remaining = {part: set(allowed) for part, allowed in ALLOWED.items()}
    while remaining:
        free = [part for part, allowed in remaining.items() if not allowed & set(remaining)]
        assert free, f"these parts import each other: {sorted(remaining)}"
        for part in free:
            del remaining[part]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("state.pyx", "from .transitions.system cimport SystemC"),
        ("scoring/neural.pyx", "from ..oracles.oracle cimport ("),
        ("decoding/greedy.pxd", "    from ..training import rollout"),
        ("transitions/system.pyx", "import spacy"),
        ("oracles/oracle.py", "from spacy_nonmono.scoring import neural"),
        ("treebank/corpus.py", "from ..evaluation.scores import Scores"),
        ("evaluation/scores.py", "from .. import pipeline"),
        ("training/losses.py", "from ..cli.evaluate import ROWS"),
        ("structs.pxd", "from . cimport state"),
        ("scoring/linear/model.py", "from ...evaluation import scores"),
        ("cli/evaluate.py", "from ..lab.cells import Cell"),
    ],
)
def test_finds_arrows_that_are_not_allowed(tmp_path, name, line):
    root = tmp_path / "spacy_nonmono"
    path = root / name
    path.parent.mkdir(parents=True)
    path.write_text(f"x = 1\n{line}\n", encoding="utf-8")
    assert len(violations(root)) == 1


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("scoring/neural.pyx", "from ..transitions.system cimport N_POSITIONS"),
        ("oracles/registry.py", "from .static import ArcEagerStatic"),
        ("evaluation/evaluate.py", "from ..treebank.corpus import ROOT_LABEL"),
        ("cli/evaluate.py", "from ..evaluation.evaluate import evaluate"),
        ("pipeline/parser.py", "from spacy.tokens import Doc"),
        ("lab/sample/stream.py", "from ...treebank.projectivity import crossing_arcs"),
        ("scoring/linear/model.py", "from ...files import write_text"),
    ],
)
def test_lets_allowed_arrows_pass(tmp_path, name, line):
    root = tmp_path / "spacy_nonmono"
    path = root / name
    path.parent.mkdir(parents=True)
    path.write_text(f"{line}\n", encoding="utf-8")
    assert violations(root) == []
