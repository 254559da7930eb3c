"""Where a parser errs, as one HTML page: tables, and confusions with drawn examples."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from ..evaluation.confusions import Confusion, ErrorExample, ExampleTree
from .page import GOLD_MARKS, MARKS, make_legend, make_page
from .trees import (
    ROOT_LABEL,
    Tree,
    draw_tree,
    find_errors,
    show_words,
    word_tokens,
    write_sentence,
)

STYLE = """
h3 { font-size: 15px; margin: 24px 0 4px; }
.tables { columns: 600px; column-gap: 40px; } .tables > div { break-inside: avoid; }
.tables h3 { margin: 0 0 4px; padding-top: 20px; } .table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; }
th, td { text-align: left; padding: 2px 10px; white-space: nowrap; }
th { border-bottom: 2px solid var(--line); } td { border-bottom: 1px solid var(--rule); }
.number { text-align: right; font-variant-numeric: tabular-nums; }
details { border-bottom: 1px solid var(--rule); } summary { padding: 3px 0; cursor: pointer; }
summary .number { display: inline-block; min-width: 44px; margin-right: 14px; }
summary .than { color: var(--faint); padding: 0 4px; }
.examples { display: flex; flex-wrap: wrap; gap: 0 40px; margin-left: 20px; }
.example { margin: 8px 0 16px; max-width: 100%; }
@media print { .table { overflow: visible; } tr { break-inside: avoid; } }
"""
LEGEND = """Below the tables stand the commonest confusions; each opens and shows one or two short
sentences. The predicted tree is above the words, the gold tree below them. A word without an arc has its
head in another sentence, or none."""


class PageTable(NamedTuple):
    """rows: as they are shown. n_left: the number of columns of text, which are those on the left."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    n_left: int = 1


class Section(NamedTuple):
    """What a page says of a setting. confusions: by title."""

    title: str
    summary: str
    tables: Sequence[PageTable]
    confusions: Mapping[str, Sequence[Confusion]]


def render_breakdown(sections: Sequence[Section], *, title: str) -> str:
    body = [make_legend(MARKS | GOLD_MARKS), f'<p class="note">{LEGEND}</p>']
    for number, section in enumerate(sections, start=1):
        body += _section(section, f"example-{number}")
    return make_page(title, body, style=STYLE)


def _section(section: Section, name: str) -> Iterator[str]:
    yield f"<section>\n<h2>{escape(section.title)}</h2>\n<p>{escape(section.summary)}</p>"
    yield '<div class="tables">'
    for table in section.tables:
        yield from _table(table)
    yield "</div>"
    for number, (title, confusions) in enumerate(section.confusions.items(), start=1):
        yield f"<h3>{escape(title)}</h3>"
        for place, confusion in enumerate(confusions, start=1):
            yield from _confusion(confusion, f"{name}-{number}-{place}")
    yield "</section>"


def _table(table: PageTable) -> Iterator[str]:
    def cells(tag: str, row: Iterable[str]) -> str:
        return "".join(
            f"<{tag}>{escape(cell)}</{tag}>"
            if place < table.n_left
            else f'<{tag} class="number">{escape(cell)}</{tag}>'
            for place, cell in enumerate(row)
        )

    yield f'<div>\n<h3>{escape(table.title)}</h3>\n<div class="table" tabindex="0">\n<table>'
    yield f"<thead><tr>{cells('th', table.header)}</tr></thead>\n<tbody>"
    for row in table.rows:
        yield f"<tr>{cells('td', row)}</tr>"
    yield "</tbody>\n</table>\n</div>\n</div>"


def _confusion(confusion: Confusion, name: str) -> Iterator[str]:
    words = [confusion["word"], confusion["gold"]] if confusion["word"] else [confusion["gold"]]
    gold = ": ".join(map(escape, words))
    yield (
        f'<details>\n<summary><span class="number">{confusion["count"]:,}</span>{gold}'
        f'<span class="than">taken for</span>{escape(confusion["predicted"])}</summary>'
    )
    yield '<div class="examples">'
    for number, example in enumerate(confusion["examples"], start=1):
        yield from _example(example, f"{name}-{number}")
    yield "</div>\n</details>"


def _example(example: ErrorExample, name: str) -> Iterator[str]:
    words, word = example["words"], example["word"]
    tree, gold = _read_tree(example["predicted"]), _read_tree(example["gold"])
    shown = show_words(words)
    note = f"{example['sent_id']}: “{shown[word]}”: "
    note += f"{_arc(shown, gold, word)}, predicted {_arc(shown, tree, word)}"
    title = f"The predicted tree, and below the words the gold tree of sentence {example['sent_id']}"
    yield '<div class="example">\n<div lang="">'  # which language is not known
    errors = find_errors(tree, gold)
    yield write_sentence(word_tokens(words), tree, errors, name=name) + "</div>"
    yield f'<p class="note">{escape(note)}</p>'
    yield draw_tree(words, tree, gold, errors, title=title, name=name) + "\n</div>"


def _read_tree(tree: ExampleTree) -> Tree:
    return Tree(tuple(tree["heads"]), tuple(tree["labels"]))


def _arc(words: Sequence[str], tree: Tree, word: int) -> str:
    head = tree.heads[word]
    if head is None:
        return "no head"
    return ROOT_LABEL if head < 0 else f"{tree.labels[word] or '_'} of “{words[head]}”"
