"""`python -m spacy nonmono trace`."""

import os
from pathlib import Path
from typing import Annotated

import typer
from wasabi import msg

from ...cli.arguments import DOCS, GOLD, Code, Pipeline, Setting, setting_option
from ...cli.screen import check_exist
from ...files import read_lines, write_text
from ...treebank.formats import is_treebank


def trace_cli(
    pipeline: Pipeline,
    source: Annotated[
        str,
        typer.Argument(
            help="Treebank file (.conllu, .conllx) or folder, text file, or the text itself"
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="HTML file to write")],
    sentence: Annotated[
        int | None,
        typer.Option("--sentence", "-s", min=1, help="Show only this sentence; the first one is 1"),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, help="Show this number of sentences at most")
    ] = 5,
    setting: Annotated[Setting, setting_option(GOLD, DOCS, flags=("--setting",))] = GOLD,
    only_arcs: Annotated[
        bool,
        typer.Option(
            "--only-arcs", help="Show only steps that change an arc, are repairs or cost something"
        ),
    ] = False,
    code: Code = None,
) -> None:
    """Show each step of a parser, its repairs and costs.

    The output is an HTML page. A repair is a move that replaces or drops an arc. The cost of a move is
    the number of words that it makes wrong for good: an error that a later move can still repair costs
    nothing. The page shows costs, errors and gold trees only if the source is a treebank. In a text, the
    pipeline always finds the sentences.
    """
    from itertools import islice

    from ...installed import load_pipeline
    from ...treebank.corpus import create_conllu_corpus
    from ...treebank.multiword import learned_words
    from ..trace_page import render_traces
    from ..traces import trace

    path = Path(source)
    # os.path: a text may be longer than a name of a file can be, of which Path makes an error
    is_text = len(source.split()) > 1 and not os.path.exists(source)
    if not is_text:
        check_exist([path], output)
    nlp = load_pipeline(pipeline)
    first = 0 if sentence is None else sentence - 1
    if is_text or not is_treebank(path):
        text = source if is_text else "\n".join(line for _, line in read_lines(path))
        # Line breaks would be words
        traces = iter(trace(nlp, nlp.make_doc(" ".join(text.split()))))
    else:
        is_gold = setting is GOLD
        read_corpus = create_conllu_corpus(
            path, n_sents=1 if is_gold else 10, gold_sents=is_gold, multiword=learned_words(nlp)
        )
        examples = read_corpus(nlp)
        traces = (one for each in examples for one in trace(nlp, each.predicted, each.reference))
    shown = list(islice(traces, first, first + (limit if sentence is None else 1)))
    if not shown:
        msg.fail(f"The input has no sentence {first + 1}", source, exits=1)
    numbers = range(first + 1, first + 1 + len(shown))
    title = f"Derivations of {pipeline}"
    page = render_traces(shown, title=title, numbers=numbers, only_arcs=only_arcs)
    write_text(output, page)
    msg.good("Saved the page", str(output))
