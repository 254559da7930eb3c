"""The formats of treebank files, and which files of a folder are read.

A file is CoNLL-X if its suffix is `.conllx`. So every command knows the format of a file without being
told. `.conll` says nothing: files of CoNLL-X, CoNLL-U and other formats have this suffix.
"""

from pathlib import Path

from ..errors import Errors

CONLLU, CONLLX = FORMATS = ("conllu", "conllx")
SUFFIXES = {CONLLU: ".conllu", CONLLX: ".conllx"}
TRAIN, DEV, TEST = "train", "dev", "test"


def is_treebank(path: Path) -> bool:
    """Is this a folder, or a file whose suffix tells one of the formats?"""
    return path.is_dir() or path.suffix in SUFFIXES.values()


def treebank_files(path: Path, format: str = CONLLU) -> list[tuple[Path, str]]:
    """A file with its format; or those of a folder, in the order of their names. Of a folder the
    `.conllu` files are read, and where there are none, the `.conllx` files.

    format: "conllx" makes every file CoNLL-X, whatever its suffix, and takes the `.conllx` files of a
        folder.

    Raises FileNotFoundError (NM080) if there is no such file.
    """
    files = [path]
    if path.is_dir():
        suffixes = [SUFFIXES[CONLLX]] if format == CONLLX else SUFFIXES.values()
        found = (sorted(path.glob(f"*{suffix}")) for suffix in suffixes)
        files = next(filter(None, found), [])
    if not files or not files[0].is_file():
        raise FileNotFoundError(Errors.NM080.format(path=str(path)))
    return [(file, CONLLX if file.suffix == SUFFIXES[CONLLX] else format) for file in files]


def find_part(folder: Path, part: str) -> Path:
    """The file of a treebank's part, TRAIN, DEV or TEST: `.conllx` if there is just this one, else
    `.conllu`, be it there or not."""
    conllu, conllx = (folder / f"{part}{suffix}" for suffix in SUFFIXES.values())
    return conllx if conllx.is_file() and not conllu.is_file() else conllu
