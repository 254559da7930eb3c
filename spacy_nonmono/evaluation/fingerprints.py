"""Hashes that tell whether two results come from the same data and settings."""

import hashlib
import json
from pathlib import Path
from typing import Any


def fingerprint(values: Any) -> str:
    """Hash a value that JSON can hold: equal values have the same text of 64 hexadecimal digits."""
    text = json.dumps(values, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def file_fingerprint(path: Path) -> str:
    """Hash the contents of a file, as 64 hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
