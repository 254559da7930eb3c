"""What the distribution promises: its version, its types, its entry points."""

import ast
import importlib
import os
import re
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

import spacy_nonmono

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "spacy_nonmono"
COMPILED = sorted(PACKAGE.rglob("*.pyx"))
STUBS = sorted(PACKAGE.rglob("*.pyi"))
PYPROJECT = (ROOT / "pyproject.toml").read_text("utf-8")
ENTRY_POINTS = list(distribution("spacy-nonmono").entry_points)
# Groups of plain names; the others are versioned
NAMED = {
    "spacy_factories",
    "spacy_cli",
    "spacy_nonmono_systems",
    "spacy_nonmono_oracles",
    "spacy_nonmono_learners",
}


def test_version_is_the_newest_in_the_changelog():
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    newest = re.search(r"^## (\d+\.\d+\.\d+)", changelog, flags=re.MULTILINE)
    assert newest is not None
    assert newest[1] == spacy_nonmono.__version__


def test_installed_version():
    assert distribution("spacy-nonmono").version == spacy_nonmono.__version__


def test_what_others_get_has_stubs():
    system = spacy_nonmono.get_system("arc_eager")
    given = [system, system.initial_state(3), spacy_nonmono.get_oracle(None, system)]
    of_given = {type(one).__mro__[-2].__module__ for one in given}
    outside = (path.read_text("utf-8") for path in (ROOT / "tests" / "outside").rglob("*.py"))
    named = set(re.findall(r"^from (spacy_nonmono[.\w]*) import", "".join(outside), re.MULTILINE))
    compiled = {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in COMPILED}
    stubbed = {".".join(stub.relative_to(ROOT).with_suffix("").parts) for stub in STUBS}
    assert stubbed - {"spacy_nonmono.decoding.batch"} == of_given | (named & compiled)


@pytest.mark.parametrize("stub", STUBS, ids=lambda path: path.stem)
def test_a_stub_has_the_public_names(stub):
    name = ".".join(stub.relative_to(ROOT).with_suffix("").parts)
    module = importlib.import_module(name)
    defined = {
        key: value
        for key, value in vars(module).items()
        if not key.startswith("_") and getattr(value, "__module__", None) == name
    }
    stubs = {
        node.name: node
        for node in ast.parse(stub.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
    }
    assert set(stubs) == set(defined)
    for key, value in defined.items():
        if isinstance(value, type):
            # What overrides a method of the base class has its signature
            members = {
                member
                for member in vars(value)
                if not member.startswith("_") and not hasattr(value.__base__, member)
            }
            stubbed = {node.name for node in stubs[key].body if isinstance(node, ast.FunctionDef)}
            assert members == {name for name in stubbed if not name.startswith("_")}, key


def run_setup(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "setup.py", "-q", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )


def test_wheel_has_no_source_of_compiled_modules_but_what_others_cimport(tmp_path):
    process = run_setup("build_py", "--build-lib", str(tmp_path))
    assert process.returncode == 0, process.stderr
    shipped = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    kept = {
        path.relative_to(ROOT)
        for path in PACKAGE.rglob("*")
        if path.suffix in (".py", ".pxd", ".pyi", ".html", ".css", ".svg") or path.name == "py.typed"
    }
    assert shipped == kept


def test_pxd_files_need_no_header():
    for path in PACKAGE.rglob("*.pxd"):
        assert "cdef extern from" not in path.read_text("utf-8"), f"{path}: headers are not installed"


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="git says which files belong to it")
def test_source_distribution_is_complete(tmp_path):
    process = run_setup("egg_info", "--egg-base", str(tmp_path))
    assert process.returncode == 0, process.stderr
    (sources,) = tmp_path.glob("*/SOURCES.txt")
    packed = set(sources.read_text("utf-8").splitlines())
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(tracked.stdout.splitlines()) <= packed
    assert not [name for name in packed if name.endswith((".cpp", ".so", ".pyc"))]


@pytest.mark.skipif(os.name == "nt", reason="CXX is not asked on Windows")
def test_missing_compiler_is_said_in_one_message(tmp_path):
    folders = ["--build-lib", str(tmp_path), "--build-temp", str(tmp_path)]
    process = run_setup("build_ext", *folders, CXX="no-such-compiler")
    assert process.returncode != 0
    assert process.stderr.startswith("error: [NM171]") and "no-such-compiler" in process.stderr
    assert process.stderr.count("\n") == 1


@pytest.mark.parametrize("entry_point", ENTRY_POINTS, ids=lambda entry_point: entry_point.name)
def test_entry_point_is_declared_versioned_and_resolves(entry_point):
    assert entry_point.value in PYPROJECT
    assert entry_point.load() is not None
    if entry_point.group in NAMED:
        # An oracle that is added to a system: SYSTEM.ORACLE
        assert re.fullmatch(r"\w+(\.\w+)?", entry_point.name)
    else:
        assert re.fullmatch(r"spacy-nonmono\.\w+\.v\d+", entry_point.name)


def test_public_names():
    for name in spacy_nonmono.__all__:
        assert hasattr(spacy_nonmono, name)


def test_sanitizers_and_wheels_run_the_tests_of_compiled_code():
    """Those of the state are in transitions/; the laboratory is for no wheel."""
    compiled = {path.relative_to(PACKAGE).parts[0] for path in COMPILED} - {"state.pyx", "lab"}
    sanitize = (ROOT / ".ci" / "sanitize").read_text("utf-8")
    (listed,) = re.findall(r"set -- tests/\{(.*)\}", sanitize)
    assert compiled <= set(listed.split(","))
    wheels = {f"tests/{name}" for name in ("transitions", "decoding", "layers", "scoring", "pipeline")}
    for command in re.findall(r'test-command = "(.*)"', PYPROJECT):
        assert wheels <= set(command.split())


def test_readme_commands():
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    assert "    pip install -e . && python -m spacy project run all" in lines
    assert "    pip install -e '.[test]' && python -m pytest" in lines


def documented(stub):
    """The names in a stub that have a docstring there."""

    def visit(node, prefix):
        for child in node.body:
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                name = f"{prefix}{child.name}"
                if ast.get_docstring(child) is not None:
                    yield name
                if isinstance(child, ast.ClassDef):
                    yield from visit(child, f"{name}.")

    return list(visit(ast.parse(stub.read_text("utf-8")), ""))


@pytest.mark.parametrize("stub", STUBS, ids=lambda path: path.stem)
def test_docstrings_are_said_once(stub):
    """A stub documents only what Cython cannot: attributes. All else is documented in the .pyx file."""
    module = ".".join(("spacy_nonmono", *stub.relative_to(PACKAGE).with_suffix("").parts))
    for name in documented(stub):
        found = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
        # A signature is all that Cython adds by itself
        assert (found.__doc__ or "").splitlines()[1:] == [], f"{module}.{name}"
