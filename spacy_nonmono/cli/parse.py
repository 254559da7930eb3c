"""`python -m spacy nonmono parse`."""

import shutil
import sys
from enum import Enum
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import count, refuse
from .arguments import Code, Pipeline

if TYPE_CHECKING:
    from ..corpora.worker import Done, Shard

SHARD_WORDS = 200_000


class InputFormat(str, Enum):
    text = "text"
    jsonl = "jsonl"
    conllu = "conllu"
    conllx = "conllx"
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
    sentence = "sentence"


def parse_cli(
    pipeline: Pipeline,
    inputs: Annotated[
        list[str],
        typer.Argument(help="Files (also .gz, .zst), folders or patterns, or - for standard input"),
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", help="Folder for the trees, or - for standard output")
    ],
    output_format: Annotated[
        OutputFormat | None,
        typer.Option(
            "--format",
            "-f",
            help="Format of the output; by default conllu, or parquet with --spark",
            show_default=False,
        ),
    ] = None,
    input_format: Annotated[
        InputFormat | None,
        typer.Option(
            "--input-format",
            help="Format of the input; by default the suffix of each file decides, or parquet with "
            "--spark",
            show_default=False,
        ),
    ] = None,
    unit: Annotated[
        Unit,
        typer.Option(
            "--unit",
            "-u",
            help="What one document of a text file is; sentence: ten lines, and each line is a sentence",
        ),
    ] = Unit.line,
    pretokenized: Annotated[
        bool, typer.Option("--pretokenized", help="White space separates all words of the texts")
    ] = False,
    text_field: Annotated[
        str, typer.Option("--text-field", help="Field of JSONL or column of Parquet with the text")
    ] = "text",
    id_field: Annotated[
        str | None,
        typer.Option(
            "--id-field",
            help="Field or column with the name of the document; with --spark, id by default",
            show_default=False,
        ),
    ] = None,
    retokenize: Annotated[
        bool, typer.Option("--retokenize", help="Find the words and sentences of CoNLL-U anew")
    ] = False,
    n_process: Annotated[int, typer.Option("--n-process", "-n", min=1, help="Number of processes")] = 1,
    n_threads: Annotated[
        int, typer.Option("--n-threads", min=1, help="Number of threads of the parser in each process")
    ] = 1,
    batch_words: Annotated[
        int, typer.Option("--batch-words", min=1, help="Number of words that are parsed together")
    ] = 10_000,
    shard_words: Annotated[
        int, typer.Option("--shard-words", min=1, help="Number of words per file of the output")
    ] = SHARD_WORDS,
    skip_errors: Annotated[
        bool, typer.Option("--skip-errors", help="End with status 0 even if documents cannot be parsed")
    ] = False,
    code: Code = None,
    spark: Annotated[
        bool, typer.Option("--spark", help="Parse on a Spark cluster: JSONL or Parquet to Parquet")
    ] = False,
    keep: Annotated[
        str,
        typer.Option("--keep", help="With --spark: more columns of the input to keep, such as url,date"),
    ] = "",
    partitions: Annotated[
        int | None,
        typer.Option(
            "--partitions",
            min=1,
            help="With --spark: number of parts to divide the input into; by default Spark decides",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Parse a corpus of any size.

    The command writes the trees to files of about --shard-words words each. If the run is stopped, start
    it again with the same command: it continues where it stopped, and the result is the same. The file
    errors.jsonl lists the documents that cannot be parsed, with the reasons. The file manifest.json says
    what was parsed, and with which pipeline and options.

    With --spark the output has one row per word. A document that cannot be parsed has one row, with the
    reason in the column `error`. The pipeline may also be the name of an archive that Spark sends to its
    nodes.
    """
    from wasabi import Printer

    if spark:
        others = {
            "--output -": output == "-",
            "--unit": unit is not Unit.line,
            "--pretokenized": pretokenized,
            "--retokenize": retokenize,
            "--n-process": n_process != 1,
            "--n-threads": n_threads != 1,
            "--shard-words": shard_words != SHARD_WORDS,
            "--code": code,
        }
        for option, chosen, known in (
            ("--format", output_format, (None, OutputFormat.parquet)),
            ("--input-format", input_format, (None, InputFormat.parquet, InputFormat.jsonl)),
        ):
            others[f"{option} {chosen.value if chosen else ''}"] = chosen not in known
        refuse("--spark", others)
        spark_format = "json" if input_format is InputFormat.jsonl else "parquet"
        columns = text_field, id_field or "id", [name for name in keep.split(",") if name]
        _parse_on_spark(
            pipeline, inputs, output, spark_format, columns, partitions, batch_words, skip_errors
        )
        return
    refuse("parsing without --spark", {"--keep": keep, "--partitions": partitions})

    from ..corpora.documents import STDIN, TEXT, Reading, find_files, format_of, looks_wrapped
    from ..corpora.progress_bar import ProgressBar
    from ..corpora.run import FAILED, input_size, run
    from ..corpora.worker import Job

    to_stdout = output == STDIN
    msg = Printer(no_print=to_stdout)
    warn = partial(print, file=sys.stderr) if to_stdout else msg.warn
    if to_stdout and output_format in (OutputFormat.parquet, OutputFormat.spacy):
        raise typer.BadParameter("standard output takes conllu and jsonl", param_hint="--format")
    reading = Reading(
        format=input_format.value if input_format else None,
        unit=unit.value,
        text_field=text_field,
        id_field=id_field,
        has_words=pretokenized,
    )
    files = find_files(inputs, reading)
    texts = [file for file in files if file != STDIN and format_of(file, reading) == TEXT]
    if texts and unit is Unit.line and looks_wrapped(texts[0], reading):
        warn(
            f"Most lines of {texts[0]} do not end like sentences, but each line is a document here. If "
            "a paragraph has several lines, add --unit paragraph or --unit file."
        )
    with TemporaryDirectory() as scratch:
        job = Job(
            pipeline=pipeline,
            folder=Path(scratch if to_stdout else output),
            output=(output_format or OutputFormat.conllu).value,
            batch_words=batch_words,
            n_threads=n_threads,
            retokenize=retokenize,
            code=code,
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
                job,
                files,
                reading,
                n_process=n_process,
                shard_words=shard_words,
                report=report,
                tell=progress.move,
            )
        if to_stdout:
            sys.stdout.buffer.flush()
            for line in (job.folder / FAILED).read_text("utf-8").split("\n")[:-1]:
                print(line, file=sys.stderr)
    msg.good(
        f"{count(totals.documents, 'document')}, {count(totals.sentences, 'sentence')}, "
        f"{count(totals.words, 'word')}",
        None if to_stdout else output,
    )
    if totals.failed:
        where = "standard error" if to_stdout else str(Path(output) / FAILED)
        warn(f"{count(totals.failed, 'document')} could not be parsed:", where)
        if not skip_errors:
            raise typer.Exit(1)


def _parse_on_spark(
    pipeline: str,
    inputs: list[str],
    output: str,
    input_format: str,
    columns: tuple[str, str, list[str]],
    partitions: int | None,
    batch_words: int,
    skip_errors: bool,
) -> None:
    """columns: those with the texts and with their names, and others to keep."""
    from wasabi import msg

    from ..extras import import_extra
    from ..spark import ERROR, parse

    session = import_extra("pyspark.sql").SparkSession.builder.appName("spacy-nonmono").getOrCreate()
    frame = session.read.format(input_format).load(inputs)
    if partitions is not None:
        frame = frame.repartition(partitions)
    text, doc_id, keep = columns
    trees = parse(frame, pipeline, text=text, doc_id=doc_id, keep=keep, batch_words=batch_words)
    trees.write.parquet(output)
    written = session.read.parquet(output)
    n_failed = written.where(written[ERROR].isNotNull()).count()
    msg.good(count(written.count() - n_failed, "word"), output)
    if n_failed:
        msg.warn(f"{count(n_failed, 'document')} could not be parsed", f"column {ERROR!r} of {output}")
        if not skip_errors:
            raise typer.Exit(1)
