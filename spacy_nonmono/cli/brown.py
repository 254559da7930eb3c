"""`python -m spacy nonmono brown`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from wasabi import msg

from ..errors import refuse
from ..files import make_folder, write_text
from ..treebank.formats import TRAIN, find_part, is_treebank
from .arguments import Code
from .screen import check_exist

Texts = Annotated[
    list[Path],
    typer.Argument(
        help="Texts (also .gz) with one sentence per line and spaces between the words; or "
        "treebanks (.conllu, .conllx). Of a folder, the training part is read"
    ),
]
Output = Annotated[
    Path,
    typer.Option("--output", "-o", help="File to write; each line: bits of cluster, word, count"),
]
Clusters = Annotated[int, typer.Option("--clusters", "-c", help="Number of clusters")]
MinCount = Annotated[
    int, typer.Option("--min-count", "-m", help="Leave out words that occur less often than this")
]
Model = Annotated[
    str | None,
    typer.Option(
        "--model", help="Pipeline whose tokenizer finds the words of texts, in place of the spaces"
    ),
]


def brown_cli(
    texts: Texts,
    output: Output,
    clusters: Clusters = 256,
    min_count: MinCount = 1,
    model: Model = None,
    code: Code = None,
) -> None:
    """Group words into Brown clusters.

    The words of one cluster are used in similar ways, so clusters tell a parser more about rare words.
    The component `brown_clusters` reads the file that this command writes.
    """
    from itertools import chain

    from tqdm import tqdm

    from ..installed import load_pipeline
    from ..lexical.brown import train_brown
    from ..lexical.paths import paths_text
    from ..lexical.text import read_plain_words, tokenize_lines
    from ..treebank.reader import read_sentences

    paths = [find_part(text, TRAIN) if text.is_dir() else text for text in texts]
    check_exist(paths, output)
    if output.is_dir():
        msg.fail("The output is a folder; expected a file", str(output), exits=1)
    make_folder(output.parent)
    if model is not None:
        refuse("--model", {"treebanks alone": all(map(is_treebank, paths))})
    tokenizer = None if model is None else load_pipeline(model).make_doc

    def read(path: Path) -> Iterator[list[str]]:
        if is_treebank(path):
            return (sentence.forms for sentence in read_sentences(path))
        return read_plain_words(path) if tokenizer is None else tokenize_lines(path, tokenizer)

    sentences = chain.from_iterable(map(read, paths))
    with tqdm(desc="Merging", unit=" merges") as bar:

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        result = train_brown(sentences, clusters, min_count, progress=progress)
    write_text(output, paths_text(result.rows()))
    n_tokens = sum(result.counts)
    msg.text(f"{len(result.words):,} word types ({n_tokens:,} tokens), {clusters:,} clusters")
    msg.text(f"Average mutual information: {result.mutual_information:.5f} nats")
    msg.good("Saved the clusters", str(output))
