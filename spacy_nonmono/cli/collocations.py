"""`python -m spacy nonmono collocations`."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from wasabi import msg

from ..errors import Errors
from ..files import make_folder, write_text
from .arguments import TreebankFile
from .screen import check_exist, show_table

if TYPE_CHECKING:
    from ..lexical.collocations import Pair, Strength

N_SHOWN = 10


def collocations_cli(
    treebank: TreebankFile,
    output: Annotated[Path, typer.Option("--output", "-o", help="File for the collocations")],
    min_word_count: Annotated[
        int, typer.Option("--min-word-count", min=1, help="Smallest number of arcs that join two words")
    ] = 3,
    min_word_score: Annotated[
        float, typer.Option("--min-word-score", help="Smallest score of two words, in bits")
    ] = 1.0,
    min_tag_count: Annotated[
        int, typer.Option("--min-tag-count", min=1, help="Smallest number of arcs that join two tags")
    ] = 10,
    min_tag_score: Annotated[
        float, typer.Option("--min-tag-score", help="Smallest score of two tags, in bits")
    ] = 1.0,
    prepositions: Annotated[
        str,
        typer.Option(
            "--prepositions",
            help="Tags (UPOS) of prepositions that are heads of their nouns, separated by commas: the "
            "noun is paired with the head of the preposition. Universal Dependencies has no such tags",
        ),
    ] = "",
) -> None:
    """Collect pairs of words, and of tags, that arcs often join.

    A pair is kept if arcs join it more often than chance would. The score of a pair is its pointwise
    mutual information. The component `collocations` reads the file that this command writes.
    """
    from ..lexical.collocation_file import collocations_text
    from ..lexical.collocation_training import TaggedTree, train_collocations
    from ..treebank.reader import read_sentences
    from ..treebank.sentences import EMPTY, UPOS

    check_exist([treebank], output)
    make_folder(output.parent)
    passed = {tag.strip() for tag in prepositions.split(",")} - {""}
    known: set[str] = set()

    def trees() -> Iterator[TaggedTree]:
        for sentence in read_sentences(treebank):
            tags = ["" if word[UPOS] == EMPTY else word[UPOS] for word in sentence.words]
            known.update(tags)
            yield TaggedTree(sentence.forms, tags, sentence.heads)

    found = train_collocations(
        trees(),
        min_word_count=min_word_count,
        min_word_score=min_word_score,
        min_tag_count=min_tag_count,
        min_tag_score=min_tag_score,
        prepositions=passed,
    )
    for tag in sorted(passed - known):
        listed = ", ".join(sorted(known - {""})) or "none, since UPOS is empty"
        raise ValueError(Errors.NM180.format(what="tag", found=tag, known=listed))
    write_text(output, collocations_text(found))
    _show("Pairs of words", found.words)
    _show("Pairs of tags", found.tags)
    msg.good("Saved the collocations", str(output))


def _show(title: str, pairs: "dict[Pair, Strength]") -> None:
    """Show how many collocations there are, and the strongest ones; they are in that order."""
    msg.divider(f"{title}: {len(pairs):,}")
    rows = [
        (*pair, f"{strength.n_arcs:,}", f"{strength.score:.2f}")
        for pair, strength in list(pairs.items())[:N_SHOWN]
    ]
    if rows:
        show_table(rows, ["First", "Second", "Arcs", "Score"], n_left=2)
