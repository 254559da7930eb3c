"""The formats of treebank files, and which files of a folder are read.

The suffix of a file tells its format, that of CoNLL-X being `.conllx`; so every command knows the
format of a file without being told. `.conll` says nothing: files of CoNLL-X, CoNLL-U and other formats
have this suffix. Any file may be packed (`.gz`, `.zst`).
"""

from collections.abc import Mapping
from pathlib import Path

from ..errors import Errors
from ..files import PACKED

CONLLU, CONLLX = FORMATS = ("conllu", "conllx")
SPACY = "spacy"
SUFFIXES = {CONLLU: ".conllu", CONLLX: ".conllx", SPACY: ".spacy"}
TRAIN, DEV, TEST = "train", "dev", "test"


def format_of(path: Path, suffixes: Mapping[str, str] = SUFFIXES) -> str | None:
    """Return the format that the suffix of a file tells. suffixes: by the format."""
    suffix = Path(path.stem).suffix if path.suffix in PACKED else path.suffix
    return next((format for format, own in suffixes.items() if own == suffix), None)


def is_treebank(path: Path) -> bool:
    """Is this a folder, or a file whose suffix tells one of the formats?"""
    return path.is_dir() or format_of(path) is not None


def treebank_files(path: Path, format: str = CONLLU) -> list[tuple[Path, str]]:
    """Return a file with its format; or those of a folder, in the order of their names. Of a folder the
    files in CoNLL-U are read; where there are none, those in CoNLL-X; and where there are none of these
    either, the `.spacy` files.

    format: "conllx" makes every file CoNLL-X but `.spacy` files, whatever its suffix, and takes the
        `.conllx` files of a folder.

    Raises FileNotFoundError (NM080) if there is no such file.
    """
    files = [path]
    if path.is_dir():
        inside = sorted(file for file in path.iterdir() if file.is_file())
        known = [CONLLX] if format == CONLLX else list(SUFFIXES)
        found = ([file for file in inside if format_of(file) == one] for one in known)
        files = next(filter(None, found), [])
    if not files or not files[0].is_file():
        raise FileNotFoundError(Errors.NM080.format(path=str(path)))
    told = [(file, format_of(file)) for file in files]
    return [(file, own if own in (CONLLX, SPACY) else format) for file, own in told]


def find_part(folder: Path, part: str) -> Path:
    """Return the file of a treebank's part, TRAIN, DEV or TEST, in the first format of SUFFIXES that it
    has,
    packed or not: `train.conllu`, or as Universal Dependencies call it, `xx_name-ud-train.conllu`, if
    there is one such file. If there is none, it is the path that the first would have."""
    for suffix in SUFFIXES.values():
        for packed in ("", *PACKED):
            for pattern in (part, f"[!.]*-ud-{part}"):
                found = list(folder.glob(f"{pattern}{suffix}{packed}"))
                if len(found) == 1:
                    return found[0]
    return folder / f"{part}{SUFFIXES[CONLLU]}"
