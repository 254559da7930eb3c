"""The table of the rooms in docs/contributing.md, made of the rules that a test enforces (`layers`).

python -m spacy_nonmono.lab.documents.layers_page     writes it again
"""

import re

from ..layers import FREE, STOREYS, imports_of
from . import DOCS

PAGE = DOCS / "contributing.md"
MARKED = re.compile(r"(?<=<!-- rooms -->\n).*?(?=<!-- end of rooms -->)", re.DOTALL)


def table() -> str:
    rows = ["| Room of `spacy_nonmono/` | What is in it | Imports |", "|---|---|---|"]
    for title, rooms in STOREYS.items():
        rows.append(f"| **{title}** | | |")
        rows += [f"| `{room.name}` | {room.holds} | {imports_of(room)} |" for room in rooms]
    rows.append("| **Free for all** | | |")
    rows += [f"| `{room.name}` | {room.holds} | nothing |" for room in FREE]
    return "\n".join(rows) + "\n"


def page(text: str) -> str:
    """The page with the table between its marks."""
    return MARKED.sub(lambda match: table(), text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), encoding="utf-8")
