"""`python -m spacy nonmono render`."""

from pathlib import Path
from typing import Annotated

import typer
from wasabi import msg

from ..errors import refuse
from ..files import write_text
from .arguments import Code, is_trees
from .screen import check_exist, check_suffix

Source = Annotated[
    str,
    typer.Argument(help="Pipeline: a folder or an installed package; or a file of trees (.conllu)"),
]
Output = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        help="File to write: .html: a page; .svg: a picture of one sentence; .tex: for tikz-dependency",
    ),
]
Treebank = Annotated[
    Path | None,
    typer.Argument(help="Treebank file (.conllu, .conllx, .spacy), or a folder"),
]
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
    source: Source,
    treebank: Treebank = None,
    *,
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
    """Draw trees, and mark the errors of predicted ones.

    The output is an HTML page. It begins with the scores of the treebank. An error is a word whose head
    or label differs from the treebank. Each wrong word is a link to its arc. The confidence of an arc is
    the probability that the parser gives it. If the pipeline does not set UPOS or lemmas, the page shows
    those of the treebank.

    A file of trees may stand in the place of the pipeline, such as that of another annotator. If it
    stands alone, its trees are drawn, and no errors are marked.
    """
    from ..drawing import parse_treebank, read_trees, render_trees
    from ..drawing.tree_page import FORMS, HTML
    from ..installed import load_pipeline

    if sent_ids:
        refuse("--sent-id", {"--worst": worst, "--label": label is not None})
    if treebank is None:
        refuse("a file alone", {"--worst": worst, "--no-punct": no_punct, "--gold": gold})
    else:
        check_exist([treebank], output)
    if is_trees(source):
        check_exist([source], output)
    if output.suffix:
        check_suffix(output, FORMS)
    if is_trees(source):
        parsed = read_trees(source, treebank, with_punct=not no_punct)
    elif treebank is None:
        raise typer.BadParameter(f"{source} stands alone; expected a pipeline and a treebank")
    else:
        parsed = parse_treebank(load_pipeline(source), treebank, with_punct=not no_punct)
    if parsed.warning:
        msg.warn(parsed.warning)
    page = render_trees(
        parsed,
        form=output.suffix or HTML,
        title=f"Trees of {source}",
        limit=limit,
        prefer_crossing=crossing,
        worst=worst,
        label=label,
        sent_ids=sent_ids or (),
        with_gold=gold,
        show=show.split(",") if show else (),
    )
    write_text(output, page)
    msg.good("Saved the drawing", str(output))
