"""What papers report: the files of assets/published in the working directory, which is the repository's
where experiments are repeated. Elsewhere nothing stands beside our figures."""

from pathlib import Path
from typing import Any

import srsly

FOLDER = Path("assets/published")


def published(name: str) -> dict[str, Any]:
    """What a file holds; nothing where it is not there."""
    path = FOLDER / f"{name}.json"
    return srsly.read_json(path) if path.is_file() else {}


def published_bounds(path: Path) -> tuple[str, dict[str, float]] | None:
    """The language that the path of a treebank names, as "Basque-BDT/train.conllu" does, and the bounds
    that the paper has for it, by column; None for other languages."""
    known = published("fernandez_gomez_2017_bounds")
    for language, row in known.get("bounds", {}).items():
        if any(language in part for part in path.resolve().parts[-2:]):
            return language, dict(zip(known["columns"], row, strict=True))
    return None
