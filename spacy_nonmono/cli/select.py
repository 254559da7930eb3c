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
    first. When the words are corrected, give the file to `collect`.
    """
    from wasabi import msg

    from ..files import replace_file
    from ..treebank.selection import ASKED, select
    from ..treebank.sentences import MISC, sentence_text

    check_exist([parsed, *(without or [])])
    n_sentences = n_asked = 0
    with replace_file(output) as file:
        for sentence in select(parsed, n_heads, by=by, without=without or ()):
            n_sentences += 1
            n_asked += sum(ASKED in word[MISC] for word in sentence.words)
            file.write(sentence_text(sentence).encode("utf-8"))
    msg.good(f"{count(n_asked, 'word')} in {count(n_sentences, 'sentence')} to correct", str(output))


def collect_cli(files: Annotated_, output: Output) -> None:
    """Make training data of what `select` asked for.

    Heads and labels of words that were not asked for become unknown, since they are guesses of the
    parser. If you corrected more words, write Asked=Yes in their MISC, too. Sentences in which no word
    has the mark are kept as they are.
    """
    from wasabi import msg

    from ..files import replace_file
    from ..treebank.selection import read_answers
    from ..treebank.sentences import sentence_text

    check_exist(files)
    n_sentences = n_heads = 0
    with replace_file(output) as file:
        for sentence in (one for path in files for one in read_answers(path)):
            n_sentences += 1
            n_heads += sum(head is not None for head in sentence.heads)
            file.write(sentence_text(sentence).encode("utf-8"))
    msg.good(f"{count(n_heads, 'head')} in {count(n_sentences, 'sentence')}", str(output))
