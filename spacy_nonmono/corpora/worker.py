"""The processes of a run: each loads the pipeline once and parses one shard after another.

A process that dies takes its shard with it, and is noticed: its end of the pipe is closed. So the shard
is known, and how the process ended, neither of which `concurrent.futures` tells; `nlp.pipe(n_process=2)`
waits for ever. A process that has lost its parent ends as soon as it wants to read or write.
"""

import signal
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.util import import_file
from thinc.api import require_gpu

from ..errors import Errors, tell
from ..files import replace_file
from ..installed import find_parser, load_pipeline, sets_no_heads
from .documents import Input
from .parsing import (
    OUTPUTS,
    WRITERS,
    Failed,
    batches,
    noting,
    parse_inputs,
    remember_words,
)

# How often something is tried that a process dies of: another program may have killed it
TRIES = 4


@dataclass(frozen=True)
class Job:
    """What all shards of a run share.

    pipeline: a package or a folder. folder: where the shards go. output: their format, of OUTPUTS.
    batch_words: the documents that are parsed together have about so many words. n_threads: of
    `nonmono_parser`. retokenize: whether the words and sentences of CoNLL-U are to be found anew.
    code: a Python file that registers what the pipeline needs. expand: whether CoNLL-U gets the words
    of multiword tokens that the pipeline knows, or its tokens. confidence: whether the parser is to
    tell the scores of its arcs. gpu_id: of the GPU that all processes use; -1: none.
    """

    pipeline: str
    folder: Path
    output: str
    batch_words: int
    n_threads: int = 1
    retokenize: bool = False
    code: str | None = None
    expand: bool = True
    confidence: bool = False
    gpu_id: int = -1

    def path(self, number: int) -> Path:
        return self.folder / f"part-{number:06}{OUTPUTS[self.output]}"


@dataclass(frozen=True)
class Shard:
    """Documents that become one file. position: how many bytes of the input were read up to its end.
    size: how many of these are its own. follows_named: whether a document in front of it has a name."""

    number: int
    documents: list[Input]
    position: int
    size: int = 0
    follows_named: bool = False


class Failure(NamedTuple):
    """A document that could not be parsed."""

    doc_id: str
    reason: str


@dataclass(frozen=True)
class Done:
    """What became of a shard."""

    number: int
    n_documents: int
    n_sentences: int
    n_words: int
    failed: list[Failure]


class WorkerDied(Exception):
    """The process has ended by itself; `str` says how."""


class Worker:
    """A process, from the side of its parent. It is started when it is first needed. tell: gets a
    shard, the share of its documents that is done, and the number of their words, after each batch."""

    def __init__(
        self, job: Job, tell: Callable[[Shard, float, int], None] = lambda *_: None
    ) -> None:
        self._job = job
        self._tell = tell
        self._process: Any = None
        self._connection: Any = None
        self._is_closed = False
        self._lock = Lock()

    def parse(self, shard: Shard) -> Done:
        """Parse a shard, whatever happens to the process.

        If it dies again and again, each document is tried alone, and those that are fatal are set aside.

        Raises RuntimeError: NM192 if the process always dies before the pipeline is loaded, NM193 if it
        always dies, but of no document alone; what it says where a shard cannot be written.
        """
        try:
            return self._ask(shard, {}, False)
        except WorkerDied:
            pass
        fatal: dict[int, str] = {}
        for i, document in enumerate(shard.documents):
            try:
                self._ask(Shard(shard.number, [document], 0), {}, True)
            except WorkerDied as death:
                fatal[i] = Errors.NM193.format(reason=death)
        try:
            return self._ask(shard, fatal, True)
        except WorkerDied as death:
            raise RuntimeError(Errors.NM193.format(reason=death)) from None

    def close(self) -> None:
        """End the process, whatever it does; a thread that waits for it gets a RuntimeError."""
        with self._lock:
            self._is_closed = True
            if self._process is not None:
                self._process.kill()

    def join(self) -> None:
        """Wait until the process has ended; no thread may wait for its answer any more."""
        if self._process is not None:
            self._process.join()

    def _ask(self, *task: Any) -> Done:
        """Raises WorkerDied if the process always dies."""
        reason = ""
        for _ in range(TRIES):
            if self._process is None:
                self._start()
            try:
                return self._exchange(task)
            except WorkerDied as death:
                reason = str(death)
        raise WorkerDied(reason)

    def _start(self) -> None:
        reason = ""
        for _ in range(TRIES):
            try:
                return self._load()
            except WorkerDied as death:
                reason = str(death)
        raise RuntimeError(Errors.NM192.format(reason=reason))

    def _load(self) -> None:
        context = get_context("spawn")
        with self._lock:
            self._check_open()
            self._connection, other = context.Pipe()
            self._process = context.Process(target=work, args=(other, self._job), daemon=True)
            self._process.start()
            other.close()
        self._exchange(None)

    def _exchange(self, task: Any) -> Any:
        answer = self._receive(task)
        while isinstance(answer, tuple | Warning):
            if isinstance(answer, Warning):
                warnings.warn(answer, stacklevel=1)
            else:
                self._tell(task[0], *answer)
            answer = self._receive()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _receive(self, *tasks: Any) -> Any:
        """Return the next answer, or the first one to a task. Raises WorkerDied if the process has
        ended."""
        try:
            for task in tasks:
                self._connection.send(task)
            return self._connection.recv()
        except (EOFError, OSError):
            self._process.join()
            self._check_open()
            code, self._process = self._process.exitcode, None
            killed = code is not None and code < 0
            how = f"killed by {signal.Signals(-code).name}" if killed else f"exit status {code}"
            raise WorkerDied(how) from None

    def _check_open(self) -> None:
        if self._is_closed:
            raise RuntimeError("The process was ended.")


def work(parent: Connection, job: Job) -> None:
    """Answer every task of a process, a first one without content when the pipeline is loaded."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    nlp: Any = None
    lock = Lock()

    def send(answer: Any) -> None:
        with lock:  # components may warn in threads
            parent.send(answer)

    # The parent shows warnings: only it knows where its bar is
    warnings.showwarning = lambda message, *_: send(UserWarning(str(message)))
    while True:
        try:
            task = parent.recv()
        except (EOFError, OSError):
            return
        try:
            if task is None:
                nlp = load(job)
                send(None)
            else:
                send(parse_shard(nlp, job, *task, tell=lambda *done: send(done)))
        except Exception as error:
            # Not the error itself: not every one goes through a pipe
            send(RuntimeError(tell(error)))


def load(job: Job) -> Language:
    """Raises ValueError, of a job that asks for scores: NM110 without a `nonmono_parser`, NM056 if its
    model is a linear one; thinc's, of a job that asks for a GPU, if there is none."""
    if job.gpu_id >= 0:
        require_gpu(job.gpu_id)
    if job.code is not None:
        import_file("python_code", job.code)
    nlp = load_pipeline(job.pipeline)
    for _, component in nlp.pipeline:
        if hasattr(component, "n_threads"):
            component.n_threads = job.n_threads
    if job.confidence:
        parser: Any = nlp.get_pipe(find_parser(nlp))
        parser.dep_scores = True
    return nlp


def parse_shard(
    nlp: Language,
    job: Job,
    shard: Shard,
    skip: Mapping[int, str],
    alone: bool,
    *,
    tell: Callable[[float, int], None] = lambda *_: None,
) -> Done:
    """Parse a shard and write it to its file, which is there whole or not at all.

    skip: the positions of documents that are not to be parsed, with the reasons. alone: every document
    by itself. tell: gets the share of the documents that is done and their words, after each batch.

    Raises ValueError (NM103) if the pipeline sets no heads.
    """
    n_documents = n_sentences = n_words = n_done = 0
    has_trees = False
    failed: list[Failed] = [(shard.documents[i], reason) for i, reason in skip.items()]
    documents = [document for i, document in enumerate(shard.documents) if i not in skip]
    remember_words(nlp, documents)
    # What a shard adds to the vocab is gone after it, so that memory does not grow
    with nlp.memory_zone(), replace_file(job.path(shard.number)) as file:
        writer = WRITERS[job.output](file)
        writer.has_names = shard.follows_named
        for batch in batches(documents, 0 if alone else job.batch_words):
            found = parse_inputs(nlp, batch, failed, retokenize=job.retokenize, expand=job.expand)
            for one, parsed in found:
                n_failed = len(failed)
                # No document has filled the disk
                with noting(one, failed, but=(OSError,)):
                    writer.add(parsed)
                if len(failed) > n_failed:
                    continue
                n_documents += 1
                n_sentences += len(parsed.document.sentences)
                n_words += sum(len(sentence.words) for sentence in parsed.document.sentences)
                has_trees = has_trees or parsed.doc.has_annotation("DEP")
            n_done += len(batch)
            tell(n_done / len(documents), n_words)
        writer.close()
        if n_documents and not has_trees:
            raise sets_no_heads(nlp)
    failures = [Failure(one.id, reason) for one, reason in failed]
    return Done(shard.number, n_documents, n_sentences, n_words, failures)
