"""`python -m spacy nonmono parse`."""

import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from wasabi import Printer, msg

from ..errors import count, refuse
from .arguments import Code, GpuId, Pipeline

if TYPE_CHECKING:
    from ..corpora.documents import InputSettings
    from ..corpora.run import Totals
    from ..corpora.worker import Done, Job, Shard

SHARD_WORDS = 200_000
STDOUT = "-"

Inputs = Annotated[
    list[str],
    typer.Argument(help="Files (also .gz, .zst), folders or patterns, or - for standard input"),
]
Output = Annotated[
    str, typer.Option("--output", "-o", help="Folder for the trees, or - for standard output")
]
OutputFormat = Annotated[
    Literal["conllu", "jsonl", "parquet", "spacy"] | None,
    typer.Option(
        "--format",
        "-f",
        help="Format of the output; by default conllu, or parquet with --spark",
        show_default=False,
    ),
]
InputFormat = Annotated[
    Literal["text", "jsonl", "conllu", "conllx", "spacy", "parquet"] | None,
    typer.Option(
        "--input-format",
        help="Format of the input; by default the suffix of each file decides, or parquet with --spark",
        show_default=False,
    ),
]
Unit = Annotated[
    Literal["line", "paragraph", "file", "sentence"],
    typer.Option(
        "--unit",
        "-u",
        help="What one document of a text file is; sentence: ten lines, and each line is a sentence",
    ),
]
Pretokenized = Annotated[
    bool, typer.Option("--pretokenized", help="White space separates all words of the texts")
]
TextField = Annotated[
    str, typer.Option("--text-field", help="Field of JSONL or column of Parquet with the text")
]
IdField = Annotated[
    str | None,
    typer.Option(
        "--id-field",
        help="Field or column with the name of the document; with --spark, id by default",
        show_default=False,
    ),
]
Retokenize = Annotated[
    bool, typer.Option("--retokenize", help="Find the words and sentences of CoNLL-U anew")
]
NProcess = Annotated[int, typer.Option("--n-process", "-n", min=1, help="Number of processes")]
NThreads = Annotated[
    int, typer.Option("--n-threads", min=1, help="Number of threads of the parser in each process")
]
BatchWords = Annotated[
    int, typer.Option("--batch-words", min=1, help="Number of words that are parsed together")
]
ShardWords = Annotated[
    int, typer.Option("--shard-words", min=1, help="Number of words per file of the output")
]
SkipErrors = Annotated[
    bool, typer.Option("--skip-errors", help="End with status 0 even if documents cannot be parsed")
]
Spark = Annotated[
    bool, typer.Option("--spark", help="Parse on a Spark cluster: JSONL or Parquet to Parquet")
]
Keep = Annotated[
    str,
    typer.Option("--keep", help="With --spark: more columns of the input to keep, such as url,date"),
]
Partitions = Annotated[
    int | None,
    typer.Option(
        "--partitions",
        min=1,
        help="With --spark: number of parts to divide the input into; by default Spark decides",
        show_default=False,
    ),
]
Confidence = Annotated[
    bool,
    typer.Option(
        "--confidence", help="Also write the probability of each arc: Conf in MISC, column dep_score"
    ),
]


def parse_cli(
    pipeline: Pipeline,
    inputs: Inputs,
    output: Output,
    output_format: OutputFormat = None,
    input_format: InputFormat = None,
    unit: Unit = "line",
    pretokenized: Pretokenized = False,
    text_field: TextField = "text",
    id_field: IdField = None,
    retokenize: Retokenize = False,
    confidence: Confidence = False,
    n_process: NProcess = 1,
    n_threads: NThreads = 1,
    batch_words: BatchWords = 10_000,
    shard_words: ShardWords = SHARD_WORDS,
    skip_errors: SkipErrors = False,
    code: Code = None,
    use_gpu: GpuId = -1,
    spark: Spark = False,
    keep: Keep = "",
    partitions: Partitions = None,
) -> None:
    """Parse a corpus of any size.

    The command writes the trees to files of about --shard-words words each. If the run is stopped, start
    it again with the same command: it continues where it stopped, and the result is the same. The file
    _errors.jsonl lists the documents that cannot be parsed, with the reasons. The file _manifest.json
    says what was parsed, and with which pipeline and options.

    With --spark the output has one row per word. A document that cannot be parsed has one row, with the
    reason in the column `error`. The pipeline may also be the name of an archive that Spark sends to its
    nodes.
    """
    if spark:
        others = {
            "--output -": output == STDOUT,
            "--unit": unit != "line",
            "--pretokenized": pretokenized,
            "--retokenize": retokenize,
            "--confidence": confidence,
            "--n-process": n_process != 1,
            "--n-threads": n_threads != 1,
            "--shard-words": shard_words != SHARD_WORDS,
            "--code": code,
            "--gpu-id": use_gpu >= 0,
            f"--format {output_format}": output_format not in (None, "parquet"),
            f"--input-format {input_format}": input_format not in (None, "parquet", "jsonl"),
        }
        refuse("--spark", others)
        kept = [name for name in keep.split(",") if name]
        columns = {"text": text_field, "doc_id": id_field or "id", "keep": kept}
        n_failed = _parse_on_spark(
            inputs, input_format, output, partitions, pipeline, columns, batch_words
        )
    else:
        refuse("parsing without --spark", {"--keep": keep, "--partitions": partitions})
        from ..corpora.documents import InputSettings
        from ..corpora.worker import Job

        reading = InputSettings(input_format, unit, text_field, id_field, pretokenized)
        form = output_format or "conllu"
        task = pipeline, Path(output), form, batch_words, n_threads, retokenize, code
        job = Job(*task, confidence=confidence, gpu_id=use_gpu)
        n_failed = _parse_files(job, inputs, reading, n_process, shard_words)
    if n_failed and not skip_errors:
        raise typer.Exit(1)


def _parse_files(
    job: "Job", inputs: list[str], reading: "InputSettings", n_process: int, shard_words: int
) -> int:
    """Parse files on this machine, say what became of them, and return the number of documents that
    failed. The folder `-` of the job stands for standard output."""
    from ..corpora.documents import find_files
    from ..corpora.progress_bar import ProgressBar
    from ..corpora.run import FAILED, input_size, run

    to_stdout = str(job.folder) == STDOUT
    msg = Printer(no_print=to_stdout)
    warn = partial(print, file=sys.stderr) if to_stdout else msg.warn
    if to_stdout and job.output in ("parquet", "spacy"):
        raise typer.BadParameter("standard output takes conllu and jsonl", param_hint="--format")
    files = find_files(inputs, reading, None if to_stdout else job.folder)
    _warn_of_lines(files, reading, warn)
    parse = partial(run, files=files, reading=reading, shard_words=shard_words, n_process=n_process)
    if to_stdout:
        totals = _parse_to_stdout(job, parse)
    else:
        with ProgressBar(input_size(files)) as progress:
            totals = parse(job, report=progress.add, tell=progress.move)
    counts = {"document": totals.documents, "sentence": totals.sentences, "word": totals.words}
    msg.good(", ".join(count(n, what) for what, n in counts.items()), str(job.folder))
    if totals.failed:
        where = "standard error" if to_stdout else str(job.folder / FAILED)
        warn(f"{count(totals.failed, 'document')} could not be parsed:", where)
    return totals.failed


def _warn_of_lines(files: list[str], reading: "InputSettings", warn: Callable[[str], object]) -> None:
    """Warn if each line of the first text is read as a document, but hardly is one."""
    from ..corpora.documents import LINE, STDIN, TEXT, input_format, looks_wrapped

    texts = [file for file in files if file != STDIN and input_format(file, reading) == TEXT]
    if texts and reading.unit == LINE and looks_wrapped(texts[0], reading):
        warn(
            f"Most lines of {texts[0]} do not end like sentences, but each line is a document here. If "
            "a paragraph has several lines, add --unit paragraph or --unit file; if each line is a "
            "sentence, --unit sentence."
        )


def _parse_to_stdout(job: "Job", parse: "Callable[..., Totals]") -> "Totals":
    """Parse into a folder that is removed at the end. Each finished part goes to standard output, and
    the list of errors to standard error."""
    from ..corpora.run import FAILED

    with TemporaryDirectory() as scratch:
        job = replace(job, folder=Path(scratch))

        def report(shard: "Shard", done: "Done", is_new: bool) -> None:
            path = job.path(done.number)
            with path.open("rb") as file:
                shutil.copyfileobj(file, sys.stdout.buffer)
            path.unlink()

        totals = parse(job, report=report)
        sys.stdout.buffer.flush()
        sys.stderr.write((job.folder / FAILED).read_text("utf-8"))
    return totals


def _parse_on_spark(
    inputs: list[str],
    input_format: str | None,
    output: str,
    partitions: int | None,
    pipeline: str,
    columns: dict[str, Any],
    batch_words: int,
) -> int:
    """Parse files on a Spark cluster, say what became of them, and return the number of documents that
    failed. columns: those that `spark.parse` takes, by its names for them."""
    from ..installed import import_extra
    from ..spark import ERROR, parse

    session = import_extra("pyspark.sql").SparkSession.builder.appName("spacy-nonmono").getOrCreate()
    frame = session.read.format("json" if input_format == "jsonl" else "parquet").load(inputs)
    if partitions is not None:
        frame = frame.repartition(partitions)
    parse(frame, pipeline, **columns, batch_words=batch_words).write.parquet(output)
    written = session.read.parquet(output)
    n_failed: int = written.where(written[ERROR].isNotNull()).count()
    msg.good(count(written.count() - n_failed, "word"), output)
    if n_failed:
        msg.warn(f"{count(n_failed, 'document')} could not be parsed", f"column {ERROR!r} of {output}")
    return n_failed
