"""`python -m spacy nonmono render`."""

from pathlib import Path
from typing import Annotated

import typer

from .arguments import Code, Pipeline, TreebankFile
from .screen import check_exist


def render_cli(
    pipeline: Pipeline,
    treebank: TreebankFile,
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
    code: Code = None,
) -> None:
    """Draw predicted trees with their errors marked.

    The page is HTML. Wrong words of a sentence are links to their arcs.
    """
    from wasabi import msg

    from ..drawing import render_trees
    from ..files import write_text
    from ..parsers import load_pipeline

    check_exist([treebank])
    page = render_trees(
        load_pipeline(pipeline),
        treebank,
        title=f"Trees of {pipeline}",
        limit=limit,
        prefer_crossing=crossing,
        with_gold=gold,
    )
    write_text(output, page)
    msg.good("Saved the page", str(output))
