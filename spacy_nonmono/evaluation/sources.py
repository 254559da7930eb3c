"""The package's own source files: which ones a module depends on, read from import and cimport lines and
from the names of headers, and a hash of them."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import accumulate
from os.path import normpath
from pathlib import Path

PACKAGE = Path(__file__).parent.parent
MODULES = (".py", ".pyx", ".pxd")
SOURCES = (*MODULES, ".h")
# Many modules import these two, but neither the text of a message nor the version decides a result
WITHOUT_EFFECT = (Path("errors.py"), Path("about.py"))

IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<source>\.*[\w.]*)[ \t]+c?import[ \t]+(?P<names>\([^)]*\)|[^\n]*)"
    r"|c?import[ \t]+(?P<modules>NAME(?:[ \t]*,[ \t]*NAME)*))".replace(
        "NAME", r"[\w.]+(?:[ \t]+as[ \t]+\w+)?"
    ),
    re.MULTILINE,
)
COMMENT = re.compile(r"#.*")
HEADER = re.compile(r'^[ \t]*(?:cdef[ \t]+extern[ \t]+from|#[ \t]*include)[ \t]+"([^"]+)"', re.MULTILINE)


def read_imports(path: Path, package: Path = PACKAGE) -> list[tuple[str, tuple[str, ...]]]:
    """Return what the import and cimport lines of a file name, wherever they stand: absolute names of
    modules, each with what is imported from it; nothing if that is the module itself."""
    folders = [package.name, *path.relative_to(package).parts[:-1]]
    found: list[tuple[str, tuple[str, ...]]] = []
    for match in IMPORT.finditer(COMMENT.sub("", path.read_text("utf-8"))):
        if match["modules"]:
            found += [(name.split()[0], ()) for name in match["modules"].split(",")]
            continue
        source = match["source"].lstrip(".")
        n_dots = len(match["source"]) - len(source)
        base = folders[: len(folders) - n_dots + 1] if n_dots else []
        names = match["names"].strip("() \t\n").split(",")
        module = ".".join([*base, source] if source else base)
        found.append((module, tuple(name.split()[0] for name in names if name.strip())))
    return found


def sources_of(modules: Iterable[str], package: Path = PACKAGE) -> list[Path]:
    """Return the package's files that modules depend on: their own, and those of all that these import
    and include, without stubs and what has no effect. Modules of other packages have none here."""
    found: set[Path] = set()
    by_module = _files_by_module(package)
    waiting = [path for module in modules for path in _files(module, by_module)]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        headers = [normpath(path.parent / name) for name in HEADER.findall(path.read_text("utf-8"))]
        waiting += [Path(header) for header in headers if Path(header).is_file()]
        if path.suffix in MODULES:
            for module, names in read_imports(path, package):
                waiting += _files(module, by_module)
                for name in names:  # modules, or what is in the module
                    waiting += _files(f"{module}.{name}", by_module)
    return sorted(path for path in found if path.relative_to(package) not in WITHOUT_EFFECT)


def _files_by_module(package: Path) -> Mapping[str, list[Path]]:
    files = defaultdict(list)
    for path in package.rglob("*"):
        if path.suffix in MODULES:
            names = path.relative_to(package.parent).with_suffix("").parts
            files[".".join(names[:-1] if names[-1] == "__init__" else names)].append(path)
    return files


def _files(module: str, by_module: Mapping[str, list[Path]]) -> list[Path]:
    """Return the files of a module and of the packages that it is in: these are imported with it."""
    names = accumulate(module.split("."), "{}.{}".format)
    return [path for name in names for path in by_module.get(name, ())]


def code_fingerprint(modules: Iterable[str] | None = None, package: Path = PACKAGE) -> str:
    """Return a hash of names and contents of the sources that modules depend on; by default of all of
    them."""
    if modules is None:
        every = (path for path in package.rglob("*") if path.suffix in SOURCES)
        paths = sorted(path for path in every if path.relative_to(package) not in WITHOUT_EFFECT)
    else:
        paths = sources_of(modules, package)
    total = hashlib.sha256()
    for path in paths:
        contents = hashlib.sha256(path.read_bytes()).hexdigest()
        total.update(f"{path.relative_to(package).as_posix()} {contents}\n".encode())
    return total.hexdigest()
