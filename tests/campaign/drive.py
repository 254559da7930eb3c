"""All that the campaign knows of the package's inside."""

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import pyarrow
from click.testing import CliRunner
from spacy.cli._util import app
from spacy.language import Language
from typer.main import get_command

import spacy_nonmono.cli  # attaches its commands  # noqa: F401
from spacy_nonmono import spark
from spacy_nonmono.corpora import run as run_module
from spacy_nonmono.corpora.documents import InputSettings, find_files
from spacy_nonmono.corpora.worker import Job, Worker, parse_shard

UNITS = ("line", "paragraph", "sentence", "file")


@dataclass
class Result:
    """What a run left. outputs: the files in their order. error: what ended the run, if anything did.
    rows: of Spark's batches."""

    outputs: list[bytes] = field(default_factory=list)
    failures: list[tuple[str, str]] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    status: int = 0
    error: BaseException | None = None
    said: str = ""
    rows: list[dict[str, Any]] = field(default_factory=list)


class Run(NamedTuple):
    pipeline: Path
    inputs: list[str]
    folder: Path
    output: str
    kind: str
    n_process: int
    settings: dict[str, Any]


@contextmanager
def in_this_process(nlp: Language) -> Iterator[None]:
    """No other processes: they take seconds to start."""

    def parse(self: Any, shard: Any) -> Any:
        return parse_shard(nlp, self._job, shard, {}, False)

    with patch.object(Worker, "parse", parse), patch.object(run_module, "_checksum", lambda folder: "0"):
        yield


def run_case(
    pipeline: Path,
    inputs: list[str],
    folder: Path,
    *,
    output: str = "conllu",
    kind: str = "line",
    nlp: Language | None = None,
    by_command: bool = False,
    n_process: int = 1,
    **settings: Any,
) -> Result:
    """Parse files into a folder.

    kind: of KINDS. nlp: what the pipeline is, loaded; then the run is in this process. settings:
    retokenize, shard_words, batch_words, code.
    """
    call = run_command if by_command else run_function
    result = Result()
    with in_this_process(nlp) if nlp is not None else _nothing():
        call(Run(pipeline, inputs, folder, output, kind, n_process, settings), result)
    read_folder(folder, result)
    return result


@contextmanager
def _nothing() -> Iterator[None]:
    yield


def run_function(run: Run, result: Result) -> None:
    settings = {"batch_words": 10_000, "shard_words": 200_000, **run.settings}
    shard_words = settings.pop("shard_words")
    job = Job(str(run.pipeline), run.folder, run.output, **settings)
    reading = InputSettings(
        unit=run.kind if run.kind in UNITS else "line",
        has_words=run.kind == "words",
        id_field="id" if run.kind in ("jsonl", "parquet") else None,
    )
    try:
        files = find_files(run.inputs, reading)
        n_process = run.n_process
        totals = run_module.run(job, files, reading, shard_words=shard_words, n_process=n_process)
    except Exception as error:
        result.status, result.error = 1, error
    else:
        result.status = int(totals.failed > 0)


@cache
def command() -> Any:
    return get_command(app)


def run_command(run: Run, result: Result) -> None:
    to_stdout = run.settings.pop("to_stdout", False)
    where = "-" if to_stdout else str(run.folder)
    arguments = ["nonmono", "parse", str(run.pipeline), *run.inputs]
    arguments += ["--output", where, "--format", run.output]
    if run.kind in UNITS:
        arguments += ["--unit", run.kind]
    if run.kind == "words":
        arguments.append("--pretokenized")
    if run.kind in ("jsonl", "parquet"):
        arguments += ["--id-field", "id"]
    for name, value in run.settings.items():
        option = f"--{name.replace('_', '-')}"
        arguments += [option] * value if isinstance(value, bool) else [option, str(value)]
    if run.n_process > 1:
        arguments += ["--n-process", str(run.n_process)]
    ended = CliRunner().invoke(command(), arguments)
    result.status, result.said = ended.exit_code, ended.output
    if ended.exception is not None and not isinstance(ended.exception, SystemExit):
        result.error = ended.exception
    elif to_stdout:
        result.outputs = [ended.stdout_bytes]
        for line in ended.stderr.split("\n"):
            if line.startswith('{"doc_id"'):
                result.failures.append(failure_of(line))
    elif "[NM" in ended.output and not (run.folder / "_errors.jsonl").exists():
        result.error = RuntimeError(ended.output.strip())


def failure_of(line: str | bytes) -> tuple[str, str]:
    """A name and a reason; of a line that is no JSON the line itself."""
    try:
        failure = json.loads(line)
    except ValueError as error:
        return str(line), str(error)
    return failure["doc_id"], failure["reason"]


def read_folder(folder: Path, result: Result) -> None:
    if not folder.is_dir():
        return
    result.outputs = [path.read_bytes() for path in sorted(folder.glob("part-*"))]
    if (errors := folder / "_errors.jsonl").exists():
        for line in errors.read_bytes().split(b"\n"):
            if line:
                result.failures.append(failure_of(line))
    if (manifest := folder / "_manifest.json").exists():
        result.counts = json.loads(manifest.read_bytes()).get("counts", {})


def run_spark(nlp: Language, names: list[str], texts: list[str | None], batch_words: int) -> Result:
    """The rows of the texts, as a task on a cluster makes them."""
    result = Result()
    records = pyarrow.record_batch(
        {"": pyarrow.array(names, "string"), "_": pyarrow.array(texts, "string")}
    )
    with patch.object(spark, "_load", lambda pipeline: nlp):
        try:
            for batch in spark.parse_partition([records], pipeline="", batch_words=batch_words):
                result.rows += batch.to_pylist()
        except Exception as error:
            result.status, result.error = 1, error
    for row in result.rows:
        if row["error"] is not None:
            result.failures.append((row["doc_id"], row["error"]))
    result.rows = [row for row in result.rows if row["error"] is None]
    return result


def treebank_docs(nlp: Language, path: Path) -> list[Any]:
    """The predicted Docs of a CoNLL-U file, ten sentences each, with their boundaries."""
    from spacy_nonmono.treebank.corpus import create_conllu_corpus

    reader = create_conllu_corpus(path, gold_sents=True)
    return [example.predicted for example in reader(nlp)]


def conllu_of(docs: list[Any]) -> str:
    from spacy_nonmono.treebank.writer import write_conllu

    target = io.StringIO()
    write_conllu(docs, target)
    return target.getvalue()


def read_back(path: Path) -> list[tuple[list[str], list[list[str]], int, int]]:
    """What the package itself reads: comments, words, numbers of ranges and of empty nodes."""
    from spacy_nonmono.treebank.reader import read_sentences

    return [
        (
            one.comments,
            [list(word) for word in one.words],
            len(one.ranges),
            sum(len(row) > 1 and "." in row[0] for row in one.rows),
        )
        for one in read_sentences(path)
    ]
