"""`python -m spacy nonmono render`."""

from pathlib import Path
from typing import Annotated

import typer

from ..errors import refuse
from .arguments import Code, Pipeline, TreebankFile
from .screen import check_exist

Output = Annotated[Path, typer.Option("--output", "-o", help="HTML file to write")]
Limit = Annotated[
    int, typer.Option("--limit", "-n", min=1, help="Draw this number of sentences at most")
]
Gold = Annotated[bool, typer.Option("--gold/--no-gold", help="Draw the gold tree below the words")]
Crossing = Annotated[
    bool,
    typer.Option("--crossing/--no-crossing", help="Prefer sentences whose predicted arcs cross"),
]
Worst = Annotated[
    bool,
    typer.Option("--worst", help="Draw the sentences with the most errors first"),
]
Label = Annotated[
    str | None,
    typer.Option(
        "--label",
        "-l",
        help="Draw only sentences where a wrong word has this label, predicted or gold",
    ),
]
SentIds = Annotated[
    list[str] | None,
    typer.Option(
        "--sent-id",
        help="Draw the sentence with this `# sent_id`, whatever --limit is; may be repeated",
    ),
]
NoPunct = Annotated[bool, typer.Option("--no-punct", help="Do not mark or count errors at punctuation")]
Show = Annotated[
    str | None,
    typer.Option(
        "--show",
        metavar="NAME,...",
        help="What to show under the words, separated by commas: upos, lemma, confidence",
    ),
]


def render_cli(
    pipeline: Pipeline,
    treebank: TreebankFile,
    output: Output,
    limit: Limit = 5,
    gold: Gold = False,
    crossing: Crossing = True,
    worst: Worst = False,
    label: Label = None,
    sent_ids: SentIds = None,
    no_punct: NoPunct = False,
    show: Show = None,
    code: Code = None,
) -> None:
    """Draw predicted trees and mark their errors.

    The output is an HTML page. It begins with the scores of the treebank. An error is a word whose head
    or label differs from the treebank. Each wrong word is a link to its arc. The confidence of an arc is
    the probability that the parser gives it. If the pipeline does not set UPOS or lemmas, the page shows
    those of the treebank.
    """
    from wasabi import msg

    from ..drawing import parse_treebank, render_trees
    from ..files import write_text
    from ..installed import load_pipeline

    if sent_ids:
        refuse("--sent-id", {"--worst": worst, "--label": label is not None})
    check_exist([treebank])
    parsed = parse_treebank(load_pipeline(pipeline), treebank, with_punct=not no_punct)
    if parsed.warning:
        msg.warn(parsed.warning)
    page = render_trees(
        parsed,
        title=f"Trees of {pipeline}",
        limit=limit,
        prefer_crossing=crossing,
        worst=worst,
        label=label,
        sent_ids=sent_ids or (),
        with_gold=gold,
        show=show.split(",") if show else (),
    )
    write_text(output, page)
    msg.good("Saved the page", str(output))
