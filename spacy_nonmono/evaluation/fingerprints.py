"""Hashes that tell whether two results come from the same data, settings and code."""

import hashlib
import json
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parents[1]
SOURCES = (".py", ".pyx", ".pxd", ".h")
# Nothing that trains or scores imports these layers (tests/test_layers.py), so a new colour in a plot
# does not make trainings stale; nor does another text of an error
WITHOUT_EFFECT = ("analysis", "cli", "corpora", "errors.py", "recipes", "spark")


def fingerprint(values: Any) -> str:
    """Of anything that JSON can hold."""
    text = json.dumps(values, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def file_fingerprint(path: Path) -> str:
    """Of a file's contents."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def code_fingerprint(package: Path = PACKAGE) -> str:
    """Of the package's sources, their names and contents."""
    files = {}
    for path in sorted(package.rglob("*")):
        relative = path.relative_to(package)
        if path.suffix in SOURCES and relative.parts[0] not in WITHOUT_EFFECT:
            files[relative.as_posix()] = file_fingerprint(path)
    return fingerprint(files)
