"""What papers report: the files of assets/published in the working directory, which is the repository's
where experiments are repeated. Elsewhere nothing stands beside our figures."""

from pathlib import Path
from typing import Any

import srsly

FOLDER = Path("assets/published")


def published(name: str) -> dict[str, Any]:
    """Return what a file holds, or {} if there is no such file."""
    path = FOLDER / f"{name}.json"
    return srsly.read_json(path) if path.is_file() else {}


def published_bounds(path: Path) -> tuple[str, dict[str, float]] | None:
    """Return the language that the path of a treebank names, and the paper's bounds for it by column.

    The language may be in the name of the file or of its folder, as in "Basque-BDT/train.conllu".
    None: the paper does not have the language.
    """
    known = published("fernandez_gomez_2017_bounds")
    for language, row in known.get("bounds", {}).items():
        if any(language in part for part in path.resolve().parts[-2:]):
            return language, dict(zip(known["columns"], row, strict=True))
    return None
