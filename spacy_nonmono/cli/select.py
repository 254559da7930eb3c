"""`python -m spacy nonmono select` and `collect`."""

from pathlib import Path
from typing import Annotated, Literal

import typer
from wasabi import msg

from ..errors import count
from ..files import check_free
from ..treebank.formats import SPACY, treebank_files
from .screen import check_exist

Parsed = Annotated[
    Path, typer.Argument(help="CoNLL-U or .spacy file that parse --confidence wrote, or a folder")
]
Output = Annotated[Path, typer.Option("--output", "-o", help="CoNLL-U file to write")]
NHeads = Annotated[int, typer.Option("--n-heads", "-n", min=1, help="Number of words to ask for")]
By = Annotated[
    Literal["words", "sentences", "random"],
    typer.Option(
        "--by",
        help="words: ask for the six least certain words of a sentence; sentences: ask for all words of "
        "the least certain sentences; random: ask for all words of any sentences",
    ),
]
Without = Annotated[
    list[Path] | None,
    typer.Option("--without", help="Treebank that is annotated already; may be repeated"),
]
Annotated_ = Annotated[list[Path], typer.Argument(help="CoNLL-U files that came back, or folders")]


def select_cli(
    parsed: Parsed, output: Output, n_heads: NHeads = 500, by: By = "words", without: Without = None
) -> None:
    """Choose what to annotate next.

    The command takes the words that the parser is least certain of. Their sentences are written with the
    trees of the parser; the words to correct have Asked=Yes in MISC. The least certain sentence is the
    first. Leave the marks on, and give the corrected file to `collect`. A file that is there is not
    overwritten.
    """
    from ..treebank.selection import is_asked_for, select
    from ..treebank.writer import write_sentences

    check_exist([parsed, *(without or [])])
    check_free(output)
    chosen = list(select(parsed, n_heads, by=by, without=without or ()))
    write_sentences(output, chosen)
    n_asked = sum(is_asked_for(word) for sentence in chosen for word in sentence.words)
    if n_asked < n_heads:
        msg.warn(f"There are no more sentences to ask for in {parsed}.")
    msg.good(f"{count(n_asked, 'word')} in {count(len(chosen), 'sentence')} to correct", str(output))


def collect_cli(files: Annotated_, output: Output) -> None:
    """Make training data of what `select` asked for.

    Heads and labels of words without Asked=Yes become unknown, since they are guesses of the parser. If
    you corrected more words, write the mark in their MISC, too; remove it from words that you did not
    look at. Sentences that no parser has parsed are kept as they are. A file that is there is not
    overwritten.
    """
    from ..treebank.selection import read_answers
    from ..treebank.writer import write_sentences

    check_exist(files)
    check_free(output)
    for path in files:
        if SPACY in dict(treebank_files(path)).values():
            raise typer.BadParameter(f"{path} is no file in CoNLL-U or CoNLL-X")
    sentences = [sentence for path in files for sentence in read_answers(path)]
    write_sentences(output, sentences)
    n_heads = sum(head is not None for sentence in sentences for head in sentence.heads)
    n_whole = sum(None not in sentence.heads for sentence in sentences)
    if not n_heads:
        msg.warn("No word has a head that an annotator gave.")
    text = f"{count(n_heads, 'head')} in {count(len(sentences), 'sentence')}"
    msg.good(f"{text}, {n_whole:,} of them whole trees", str(output))
