"""`python -m spacy nonmono render`."""

from pathlib import Path
from typing import Annotated

import typer


def render_cli(
    model: Annotated[str, typer.Argument(help="Pipeline: a directory or an installed package")],
    file: Annotated[Path, typer.Argument(help="Treebank file (.conllu, .conllx), or a folder")],
    output: Annotated[Path, typer.Argument(help="HTML file to write")],
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, help="Sentences to draw at most")
    ] = 5,
    gold: Annotated[
        bool, typer.Option("--gold/--no-gold", help="Draw the gold tree below the words")
    ] = False,
    crossing: Annotated[
        bool,
        typer.Option(
            "--crossing/--no-crossing", help="Prefer sentences whose predicted arcs cross"
        ),
    ] = True,
) -> None:
    """Draw predicted trees with their errors marked.

    The page is HTML. Wrong words of a sentence are links to their arcs.
    """
    from spacy.util import load_model
    from wasabi import msg

    from ..drawing import render_trees
    from ..files import write_text

    if not file.exists():
        msg.fail("No such file or folder", str(file), exits=1)
    page = render_trees(
        load_model(model),
        file,
        title=f"Trees of {model}",
        limit=limit,
        prefer_crossing=crossing,
        with_gold=gold,
    )
    write_text(output, page)
    msg.good("Saved the page", str(output))
