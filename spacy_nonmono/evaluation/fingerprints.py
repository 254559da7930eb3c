"""Hashes that tell whether two results come from the same data and settings."""

import hashlib
import json
from pathlib import Path
from typing import Any


def fingerprint(values: Any) -> str:
    """Of anything that JSON can hold."""
    text = json.dumps(values, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def file_fingerprint(path: Path) -> str:
    """Of a file's contents."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
