"""The sources that a module depends on, and their hash."""

import pytest

from spacy_nonmono.evaluation.sources import code_fingerprint, read_imports, sources_of


@pytest.fixture
def package(tmp_path):
    return tmp_path / "house"


def write(package, name, text=""):
    path = package / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import os, house.roof as top", [("os", ()), ("house.roof", ())]),
        ("cimport numpy  # fast", [("numpy", ())]),
        ("from .roof import tiles as t, beams", [("house.walls.roof", ("tiles", "beams"))]),
        ("    from .. cimport roof", [("house", ("roof",))]),
        (
            "from ..roof cimport (\n    tiles,  # red (mostly)\n    beams,\n)",
            [("house.roof", ("tiles", "beams"))],
        ),
        ("from ..roof import *", [("house.roof", ("*",))]),
        ("important = 1", []),
    ],
)
def test_read_imports(package, text, expected):
    assert read_imports(write(package, "walls/door.pyx", f"x = 1\n{text}\ny = 2\n"), package) == expected


def test_sources_of(package):
    files = {
        "__init__.py": "from .roof import tiles",
        "roof.py": "import os",
        "about.py": "",
        "errors.py": "",
        "walls/__init__.py": "",
        "walls/door.pyx": "from .. import floor\nfrom ..cellar import wine",
        "walls/door.pxd": 'cdef extern from "lock.h" nogil:\n    int lock()',
        "walls/door.pyi": "from .window import view",
        "walls/lock.h": '#include "../iron.h"\n#include <vector>',
        "iron.h": '# include "elsewhere.h"',
        "floor.py": "def step():\n    from .walls.door import knock",
        "cellar/__init__.pxd": "",
        "cellar/wine.pxd": "",
        "walls/window.py": "from .door import knock",
    }
    for name, text in files.items():
        write(package, name, text)
    unseen = {"about.py", "errors.py", "walls/door.pyi", "walls/window.py"}
    found = [path.relative_to(package).as_posix() for path in sources_of(["house.walls.door"], package)]
    assert found == sorted(set(files) - unseen)
    assert sources_of(["os.path", "houses"], package) == []


def test_code_fingerprint(package):
    def change(name, text):
        write(package, name, text)
        return code_fingerprint(package=package)

    found = [
        change("a.py", "1"),
        change("a.py", "2"),
        change("oracles/b.pyx", "1"),
        change("oracles/b.pxd", "1"),
        change("scoring/c.h", "1"),
    ]
    assert len(set(found)) == len(found)
    (package / "a.py").rename(package / "z.py")
    renamed = code_fingerprint(package=package)
    assert renamed not in found
    for name in ("notes.txt", "oracles/b.cpp", "a.pyi", "about.py", "errors.py"):
        assert change(name, "1") == renamed


def test_code_of_some_modules(package):
    write(package, "a.py", "from .b import c\nfrom .errors import Errors")
    write(package, "b.py")
    before = code_fingerprint(["house.a"], package)
    write(package, "other.py")
    write(package, "errors.py", "texts")
    assert code_fingerprint(["house.a"], package) == before
    write(package, "b.py", "c = 2")
    assert code_fingerprint(["house.a"], package) != before
