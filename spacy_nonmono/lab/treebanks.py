"""Treebanks of a benchmark: folders with a training, a development and a test part."""

from pathlib import Path

from ..errors import Errors
from ..evaluation.fingerprints import file_fingerprint
from ..treebank.formats import DEV, TEST, TRAIN, find_part

PARTS = (DEV, TEST)  # those that are scored


def find_treebanks(folder: Path) -> list[Path]:
    """Find the treebank in a folder, or those in its folders if it has no training part itself. The
    paths are resolved, since their names are those of the treebanks."""
    found = [folder]
    if not find_part(folder, TRAIN).is_file():
        found = [path for path in sorted(folder.glob("*/")) if find_part(path, TRAIN).is_file()]
    return [path.resolve() for path in found or [folder]]


def data_fingerprints(treebank: Path) -> dict[str, str]:
    """Hash each part of a treebank. Raises FileNotFoundError (NM160) if a part is missing."""
    files = {part: find_part(treebank, part) for part in (TRAIN, *PARTS)}
    for file in files.values():
        if not file.is_file():
            raise FileNotFoundError(Errors.NM160.format(path=file))
    return {part: file_fingerprint(file) for part, file in files.items()}
