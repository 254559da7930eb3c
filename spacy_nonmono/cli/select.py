"""`python -m spacy nonmono select` and `collect`."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from ..errors import count
from .screen import check_exist

Parsed = Annotated[
    Path, typer.Argument(help="CoNLL-U file that parse --confidence wrote, or a folder of such files")
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
    from wasabi import msg

    from ..files import check_free, replace_file
    from ..treebank.selection import is_asked_for, select
    from ..treebank.sentences import sentence_text

    check_exist([parsed, *(without or [])])
    check_free(output)
    n_sentences = n_asked = 0
    with replace_file(output) as file:
        for sentence in select(parsed, n_heads, by=by, without=without or ()):
            n_sentences += 1
            n_asked += sum(map(is_asked_for, sentence.words))
            file.write(sentence_text(sentence).encode("utf-8"))
    if n_asked < n_heads:
        msg.warn(f"There are no more sentences to ask for in {parsed}.")
    msg.good(f"{count(n_asked, 'word')} in {count(n_sentences, 'sentence')} to correct", str(output))


def collect_cli(files: Annotated_, output: Output) -> None:
    """Make training data of what `select` asked for.

    Heads and labels of words without Asked=Yes become unknown, since they are guesses of the parser. If
    you corrected more words, write the mark in their MISC, too; remove it from words that you did not
    look at. Sentences that no parser has parsed are kept as they are. A file that is there is not
    overwritten.
    """
    from wasabi import msg

    from ..files import check_free, replace_file
    from ..treebank.selection import read_answers
    from ..treebank.sentences import sentence_text

    check_exist(files)
    check_free(output)
    n_sentences = n_heads = n_whole = 0
    with replace_file(output) as file:
        for sentence in (one for path in files for one in read_answers(path)):
            n_known = sum(head is not None for head in sentence.heads)
            n_sentences += 1
            n_heads += n_known
            n_whole += n_known == len(sentence.words)
            file.write(sentence_text(sentence).encode("utf-8"))
    if not n_heads:
        msg.warn("No word has a head that an annotator gave.")
    text = f"{count(n_heads, 'head')} in {count(n_sentences, 'sentence')}"
    msg.good(f"{text}, {n_whole:,} of them whole trees", str(output))
