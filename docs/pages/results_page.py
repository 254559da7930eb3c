"""docs/lab/results.md, made from its outline and the results in docs/lab/results/.

    python -m docs.pages.results_page

writes the page, the tables of other pages, and the plots, again; with `add NAME
FILE.json...` it first stores what commands wrote.

The outline is docs/lab/results/outline.md. Its lines `{{KIND NAME OPTION ...}}` become tables;
`tables.md` says what each kind shows. So no figure in a table is written by hand. Where a result
is not stored, the page says so; a plot that is not there is left out.
"""

import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import srsly

from spacy_nonmono.drawing.plots import save_figure
from spacy_nonmono.lab.plots import draw_costs

from . import LAB
from .results_tables import draw_table

STORE = LAB / "results"
OUTLINE = STORE / "outline.md"
PAGE = LAB / "results.md"
WITH_TABLE = (Path("README.md"), Path("docs/index.md"), Path("docs/treebanks.md"))
DIRECTIVE = re.compile(r"^\{\{(.+)\}\}$", re.MULTILINE)
PLOT = re.compile(r"^!\[.*\]\(results/(.+)\)\n", re.MULTILINE)
# Where other pages have tables
MARKED = re.compile(r"(<!-- table: (.+?) -->\n).*?(<!-- end of table -->)", re.DOTALL)
LEFT_OUT = ("sentence_lengths", "arc_lengths")
MISSING = "*Not measured yet on the present code.*"


def page(store: Path = STORE) -> str:
    """Return the page: the outline with its tables, without plots that are not there."""
    outline = (store / OUTLINE.name).read_text(encoding="utf-8")
    outline = PLOT.sub(lambda match: match[0] if (store / match[1]).exists() else "", outline)
    return DIRECTIVE.sub(lambda match: _table(store, match[1]), outline)


def with_table(path: Path, store: Path = STORE) -> str:
    """Return the text of another page, with new tables between its marks."""
    text = path.read_text(encoding="utf-8")
    return MARKED.sub(lambda match: f"{match[1]}{_table(store, match[2])}\n{match[3]}", text)


def add(name: str, paths: Sequence[Path], store: Path = STORE) -> None:
    """Store the results of files under a name, beside those that are stored under it already.

    The tables of `benchmark` become one table, without the counts by length, which the page does not
    show. The results of other commands keep the names of their files. New results of a treebank
    replace its old ones. Results of an old state of the code have to be deleted first.
    """
    whole: dict[str, Any] = _stored(store, name) or {"made": [], "others": {}}
    for path in paths:
        result = _without_folders(srsly.read_json(path))
        made = result.pop("made", [])
        makings = made if isinstance(made, list) else [made]
        whole["made"] += [one for one in makings if one not in whole["made"]]
        if "rows" not in result:
            whole["others"][path.stem] = whole["others"].get(path.stem, {}) | result
            continue
        for by_setting in result["rows"].values():
            for row in [row for rows in by_setting.values() for row in rows]:
                for key in LEFT_OUT:
                    row.pop(key, None)
        seeds = dict.fromkeys(result["rows"], len(result["seeds"]))
        whole["reference"] = result["reference"]
        whole["rows"] = whole.get("rows", {}) | result["rows"]
        whole["seeds"] = whole.get("seeds", {}) | seeds
    srsly.write_json(store / f"{name}.json", whole)


def draw_sizes(store: Path = STORE) -> None:
    """Draw the plot of accuracy against speed of the sizes of our parser, if these are stored."""
    result = _stored(store, "sizes")
    if result is None:
        return
    ((treebank, by_setting),) = result["rows"].items()
    costs = {
        row["run"]: (result["others"][row["run"]]["pipeline"][0], 100 * row["las"])
        for row in by_setting["gold_sentences"]
        if row["run"] in result["others"]
    }
    save_figure(draw_costs(costs, title=f"{treebank}, test part, gold sentences"), store / "sizes.png")


def draw_peers(store: Path = STORE) -> None:
    """Draw the plot of accuracy against speed of the parsers of others, on the first treebank stored."""
    result = _stored(store, "peers")
    if result is None:
        return
    treebank, rows = next(iter(result.items()))
    costs = {row["parser"]: (row["words_per_second"], 100 * row["las"]) for row in rows}
    save_figure(draw_costs(costs, title=f"{treebank}, test part, gold sentences"), store / "peers.png")


def _without_folders(value: Any) -> Any:
    """Replace absolute paths by names of files: in which folders these were tells the reader nothing."""
    if isinstance(value, dict):
        return {_without_folders(key): _without_folders(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_without_folders(one) for one in value]
    return Path(value).name if isinstance(value, str) and value.startswith("/") else value


def _stored(store: Path, name: str) -> Any:
    """Return what is stored under a name, or None."""
    path = store / f"{name}.json"
    return srsly.read_json(path) if path.exists() else None


def _table(store: Path, directive: str) -> str:
    kind, name, *options = shlex.split(directive)
    result = _stored(store, name)
    if result is None:
        return MISSING
    if kind == "claims":
        for entry in result:
            entry["result"] = _stored(store, entry["result"])
    return draw_table(kind, result, *options)


if __name__ == "__main__":
    if sys.argv[1:2] == ["add"]:
        add(sys.argv[2], [Path(name) for name in sys.argv[3:]])
    PAGE.write_text(page(), encoding="utf-8")
    for path in WITH_TABLE:
        path.write_text(with_table(path), encoding="utf-8")
    draw_sizes()
    draw_peers()
