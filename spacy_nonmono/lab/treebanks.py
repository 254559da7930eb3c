"""Treebanks of a benchmark: folders with a training, a development and a test part."""

from dataclasses import dataclass
from pathlib import Path

from ..errors import Errors
from ..evaluation.fingerprints import file_fingerprint
from ..treebank.formats import DEV, TEST, TRAIN, find_part

PARTS = (DEV, TEST)  # those that are scored


@dataclass(frozen=True)
class Treebank:
    """A folder with `train.conllu`, `dev.conllu` and `test.conllu`, or with the same in CoNLL-X."""

    folder: Path

    @property
    def name(self) -> str:
        """The name of the folder."""
        return self.folder.resolve().name

    def part(self, part: str) -> Path:
        """Return the path of a part, such as "train"."""
        return find_part(self.folder, part)


def find_treebanks(folder: Path) -> list[Treebank]:
    """Find the treebank in a folder, or those in its folders if it has no training part itself."""
    if not Treebank(folder).part(TRAIN).is_file():
        inner = (Treebank(path) for path in sorted(folder.glob("*/")))
        found = [treebank for treebank in inner if treebank.part(TRAIN).is_file()]
        if found:
            return found
    return [Treebank(folder)]


def data_fingerprints(treebank: Treebank) -> dict[str, str]:
    """Hash each part of a treebank. Raises FileNotFoundError (NM160) if a part is missing."""
    for part in (TRAIN, *PARTS):
        if not treebank.part(part).is_file():
            raise FileNotFoundError(Errors.NM160.format(path=treebank.part(part)))
    return {part: file_fingerprint(treebank.part(part)) for part in (TRAIN, *PARTS)}
