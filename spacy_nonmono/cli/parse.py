"""`python -m spacy nonmono parse`."""

import shutil
import sys
from enum import Enum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ..corpora.worker import Done, Shard


class InputFormat(str, Enum):
    text = "text"
    jsonl = "jsonl"
    conllu = "conllu"
    spacy = "spacy"
    parquet = "parquet"


class OutputFormat(str, Enum):
    conllu = "conllu"
    jsonl = "jsonl"
    parquet = "parquet"
    spacy = "spacy"


class Unit(str, Enum):
    line = "line"
    paragraph = "paragraph"
    file = "file"


def parse_cli(
    pipeline: Annotated[str, typer.Argument(help="Pipeline: a directory or an installed package")],
    inputs: Annotated[
        list[str],
        typer.Argument(help="Files, folders, patterns, or - for standard input; .gz and .zst too"),
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", help="Folder for the trees, or - for standard output")
    ],
    output_format: Annotated[
        OutputFormat, typer.Option("--format", "-f", help="Format of the output")
    ] = OutputFormat.conllu,
    input_format: Annotated[
        InputFormat | None,
        typer.Option(
            "--input-format",
            help="Format of the input; by default the suffix of each file tells",
            show_default=False,
        ),
    ] = None,
    unit: Annotated[
        Unit, typer.Option("--unit", "-u", help="What a document of a text file is")
    ] = Unit.line,
    text_field: Annotated[
        str, typer.Option("--text-field", help="Field of JSONL, column of Parquet: the text")
    ] = "text",
    id_field: Annotated[
        str | None,
        typer.Option("--id-field", help="The same: the name of the document", show_default=False),
    ] = None,
    retokenize: Annotated[
        bool, typer.Option("--retokenize", help="Find words and sentences of CoNLL-U anew")
    ] = False,
    n_process: Annotated[int, typer.Option("--n-process", "-n", min=1, help="Number of processes")] = 1,
    n_threads: Annotated[
        int, typer.Option("--n-threads", min=1, help="Threads of the parser in each process")
    ] = 1,
    batch_words: Annotated[
        int, typer.Option("--batch-words", min=1, help="Words that are parsed together")
    ] = 10_000,
    shard_words: Annotated[
        int, typer.Option("--shard-words", min=1, help="Words per file of the output")
    ] = 200_000,
    skip_errors: Annotated[
        bool, typer.Option("--skip-errors", help="End with 0 although documents failed")
    ] = False,
) -> None:
    """Parse a corpus, from any size.

    The trees come in files of about --shard-words words. If the run is stopped, start it again with the
    same command: it goes on where it was, and the result is the same. Documents that cannot be parsed
    are listed in errors.jsonl with the reasons; there is also a manifest.json.
    """
    from wasabi import Printer

    from ..corpora.documents import STDIN, Reading, find_files
    from ..corpora.progress_bar import ProgressBar
    from ..corpora.run import FAILED, input_size, run
    from ..corpora.worker import Job

    to_stdout = output == STDIN
    msg = Printer(no_print=to_stdout)
    if to_stdout and output_format in (OutputFormat.parquet, OutputFormat.spacy):
        raise typer.BadParameter("standard output takes conllu and jsonl", param_hint="--format")
    reading = Reading(
        format=input_format.value if input_format else None,
        unit=unit.value,
        text_field=text_field,
        id_field=id_field,
    )
    files = find_files(inputs, reading)
    with TemporaryDirectory() as scratch:
        job = Job(
            pipeline=pipeline,
            folder=Path(scratch if to_stdout else output),
            output=output_format.value,
            batch_words=batch_words,
            n_threads=n_threads,
            retokenize=retokenize,
        )
        with ProgressBar(input_size(files), hidden=to_stdout) as progress:

            def report(shard: "Shard", done: "Done", is_new: bool) -> None:
                progress.add(shard, done, is_new)
                if to_stdout:
                    path = job.path(done.number)
                    with path.open("rb") as file:
                        shutil.copyfileobj(file, sys.stdout.buffer)
                    path.unlink()

            totals = run(
                job, files, reading, n_process=n_process, shard_words=shard_words, report=report
            )
        if to_stdout:
            sys.stdout.buffer.flush()
            for line in (job.folder / FAILED).read_text("utf-8").splitlines():
                print(line, file=sys.stderr)
    msg.good(
        f"{totals.documents:,} documents, {totals.sentences:,} sentences, {totals.words:,} words",
        None if to_stdout else output,
    )
    if totals.failed:
        where = "standard error" if to_stdout else str(Path(output) / FAILED)
        Printer(no_print=False).warn(f"{totals.failed:,} documents could not be parsed", where)
        if not skip_errors:
            raise typer.Exit(1)
