"""`python -m spacy nonmono brown`."""

from pathlib import Path
from typing import Annotated

import typer


def brown_cli(
    text: Annotated[
        Path,
        typer.Argument(help="Text with one sentence per line and spaces between words; may be gzipped"),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="`paths` file to write: bits, word, count per line")
    ],
    clusters: Annotated[int, typer.Option("--clusters", "-c", help="Number of clusters")] = 256,
    min_count: Annotated[
        int, typer.Option("--min-count", "-m", help="Leave out words that occur less often")
    ] = 1,
    model: Annotated[
        str | None,
        typer.Option(
            "--model", help="Pipeline whose tokenizer splits the lines; by default spaces do"
        ),
    ] = None,
) -> None:
    """Sort the words of a text into Brown clusters.

    The component `brown_clusters` reads the file that this writes.
    """
    from spacy.util import load_model
    from tqdm import tqdm
    from wasabi import msg

    from ..files import make_folder
    from ..lexical.brown import train_brown
    from ..lexical.paths import write_paths
    from ..lexical.text import read_sentences, tokenize_lines

    if not text.exists():
        msg.fail("No such file", str(text), exits=1)
    if output.is_dir():
        msg.fail("The output is a folder; expected a file", str(output), exits=1)
    make_folder(output.parent)
    if model is None:
        sentences = read_sentences(text)
    else:
        sentences = tokenize_lines(text, load_model(model).make_doc)
    with tqdm(desc="Merging", unit=" merges") as bar:

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        result = train_brown(sentences, clusters, min_count, progress=progress)
    write_paths(result.rows(), output)
    n_tokens = sum(result.counts)
    msg.text(f"{len(result.words):,} word types ({n_tokens:,} tokens), {clusters:,} clusters")
    msg.text(f"Average mutual information: {result.mutual_information:.5f} nats")
    msg.good("Saved the clusters", str(output))
