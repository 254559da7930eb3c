"""`python -m spacy nonmono split`."""

from pathlib import Path
from typing import Annotated

import typer
from wasabi import msg

from ..files import check_free, write_text
from ..treebank.formats import CONLLU, DEV, SPACY, SUFFIXES, TEST, format_of
from .screen import check_exist, show_table


def split_cli(
    treebank: Annotated[Path, typer.Argument(help="Treebank file (.conllu, .conllx)")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder for the files train, dev and test")
    ],
    dev: Annotated[float, typer.Option("--dev", min=0, max=1, help="Share of the dev part")] = 0.1,
    test: Annotated[float, typer.Option("--test", min=0, max=1, help="Share of the test part")] = 0.1,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the random choice")] = 0,
) -> None:
    """Divide a treebank into train, dev and test.

    The choice is random, and the parts keep the order and the comments of the file. If the file names at
    least as many documents (`# newdoc`) as there are parts, each document goes to one part. Otherwise
    sentences with the same words go to one part. A share of 0 means that there is no such part. A file
    that is there is not overwritten.
    """
    from ..treebank.split import divide, part_text

    check_exist([treebank])
    format = format_of(treebank) or CONLLU
    if treebank.is_dir() or format == SPACY:
        raise typer.BadParameter(f"{treebank} is no file in CoNLL-U or CoNLL-X")
    if dev + test >= 1:
        raise typer.BadParameter("--dev and --test together leave nothing to train on")
    shares = {part: share for part, share in ((DEV, dev), (TEST, test)) if share > 0}
    division = divide(treebank, shares, seed=seed, format=format)
    suffix = SUFFIXES[format]
    files = {output / f"{part}{suffix}": some for part, some in division.parts.items()}
    for file in files:
        check_free(file)
    for file, sentences in files.items():
        write_text(file, part_text(sentences))
    rows = [
        [file.name, f"{len(some):,}", f"{sum(len(one.words) for one in some):,}"]
        for file, some in files.items()
    ]
    show_table(rows, ["", "Sentences", "Words"])
    unit = "Each document is" if division.by_documents else "Sentences with the same words are"
    msg.text(f"{unit} in one part.")
    msg.good("Saved the parts", str(output))
