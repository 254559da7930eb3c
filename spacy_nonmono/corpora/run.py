"""A run over a corpus: documents in shards, shards to processes, and a journal of what is done.

A run that was stopped at any point goes on where it stopped. Its shards are cut anew, which is cheap,
and come out the same; those in the journal are left out. A shard is in the journal after its file is
whole, so at worst it is parsed again, and its file is replaced by an equal one.
"""

import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, astuple, dataclass
from hashlib import sha256
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from numpy import bincount, frombuffer
from spacy.util import get_package_path, is_package

from ..about import __version__
from ..errors import Errors
from ..files import make_folder, printable, telling_write_errors, write_json, write_text
from ..installed import no_pipeline
from .documents import (
    FAILED,
    JOURNAL,
    MANIFEST,
    SPACY,
    STDIN,
    Input,
    InputSettings,
    read_inputs,
    size_of,
)
from .worker import Done, Failure, Job, Shard, Worker

META = "meta.json"
OTHER_DOCUMENTS = "the documents"
# Shards per process that wait for it or for their turn in the journal
AHEAD = 4


@dataclass
class Totals:
    documents: int = 0
    sentences: int = 0
    words: int = 0
    failed: int = 0

    def add(self, done: Done) -> None:
        self.documents += done.n_documents
        self.sentences += done.n_sentences
        self.words += done.n_words
        self.failed += len(done.failed)


def run(
    job: Job,
    files: Sequence[str],
    reading: InputSettings,
    *,
    shard_words: int,
    n_process: int = 1,
    report: Callable[[Shard, Done, bool], None] = lambda shard, done, is_new: None,
    tell: Callable[[Shard, float, int], None] = lambda *_: None,
) -> Totals:
    """Parse a corpus into `job.folder`, or go on with it.

    files: what `find_files` found. report: called with every shard in turn, what became of it, and
    whether this run parsed it. tell: called with a shard that is being parsed, the share of it that is
    done, and its words so far, by several threads.

    Raises ValueError (NM190) if the folder holds another run, of other documents, too; OSError (NM198)
    if there is no such pipeline; what reading the input raises.
    """
    manifest = _make_manifest(job, files, reading, shard_words)
    make_folder(job.folder)
    if not any(job.folder.glob("part-*")):  # an earlier run may have failed before it parsed anything
        write_json(job.folder / MANIFEST, {**manifest, "complete": False})
    elif (job.folder / MANIFEST).exists():
        _check_manifest(job.folder / MANIFEST, manifest)
    else:  # of a version that had another name for the manifest, or none
        raise ValueError(Errors.NM190.format(folder=job.folder, found=f"having no {MANIFEST}"))
    journal = Journal(job.folder / JOURNAL, lambda number: job.path(number).exists())
    totals = Totals()
    failed: list[Failure] = []
    shards = cut_shards(_documents(files, reading), shard_words)
    for shard, done, is_new in _parse_all(job, shards, journal, n_process, tell):
        totals.add(done)
        failed += done.failed
        report(shard, done, is_new)
    # What processes that were killed were writing
    for path in job.folder.glob(".nonmono-*.tmp"):
        path.unlink(missing_ok=True)
    lines = (json.dumps(failure._asdict(), ensure_ascii=False) for failure in failed)
    write_text(job.folder / FAILED, "".join(f"{line}\n" for line in lines))
    write_json(job.folder / MANIFEST, {**manifest, "complete": True, "counts": asdict(totals)})
    return totals


def input_size(files: Iterable[str]) -> int:
    """Return the size of all inputs in bytes, 0 if it is not known."""
    return 0 if STDIN in files else sum(size_of(file) for file in files)


def cut_shards(documents: Iterable[tuple[Input, int]], n_words: int) -> Iterator[Shard]:
    """Shards of about so many words, one document at least."""
    found: list[Input] = []
    number = size = position = start = 0
    is_named = follows_named = False
    for document, read in documents:
        if found and size + document.n_words > n_words:
            yield Shard(number, found, position, position - start, follows_named)
            found, size, start, follows_named = [], 0, position, is_named
            number += 1
        found.append(document)
        size += document.n_words
        position = read
        is_named = is_named or document.has_name
    if found:
        yield Shard(number, found, position, position - start, follows_named)


def _documents(files: Iterable[str], reading: InputSettings) -> Iterator[tuple[Input, int]]:
    """Yield the documents of all files. The position is that in all files."""
    before = 0
    for file in files:
        for document, read in read_inputs(file, reading):
            yield document, before + read
        before += size_of(file)


def _parse_all(
    job: Job,
    shards: Iterator[Shard],
    journal: "Journal",
    n_process: int,
    tell: Callable[[Shard, float, int], None],
) -> Iterator[tuple[Shard, Done, bool]]:
    """Yield what became of each shard, in their order, and whether it was parsed now."""
    workers = [Worker(job, tell) for _ in range(n_process)]
    idle: SimpleQueue[Worker] = SimpleQueue()
    for worker in workers:
        idle.put(worker)

    def parse(shard: Shard) -> Done:
        worker = idle.get()
        try:
            return worker.parse(shard)
        finally:
            idle.put(worker)

    running: deque[tuple[Shard, Future[Done]]] = deque()
    n_shards = 0
    with ThreadPoolExecutor(n_process) as threads:
        try:
            for shard in shards:
                n_shards += 1
                if shard.number in journal.done:
                    done, checksum = journal.done[shard.number]
                    if checksum != checksum_of(shard):
                        raise ValueError(Errors.NM190.format(folder=job.folder, found=OTHER_DOCUMENTS))
                    yield shard, done, False
                    continue
                running.append((shard, threads.submit(parse, shard)))
                if len(running) > AHEAD * n_process:
                    yield _first(running, journal)
            while running:
                yield _first(running, journal)
            if max(journal.done, default=-1) >= n_shards:
                raise ValueError(Errors.NM190.format(folder=job.folder, found=OTHER_DOCUMENTS))
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
            for worker in workers:
                worker.close()
    for worker in workers:
        worker.join()


def _first(running: deque[tuple[Shard, Future[Done]]], journal: "Journal") -> tuple[Shard, Done, bool]:
    shard, future = running.popleft()
    done = future.result()
    journal.add(done, checksum_of(shard))
    return shard, done, True


class Journal:
    """A file with a line for every shard that is done, with the checksum of its documents. A line that
    a dying process left unfinished is cut off, and a damaged one counts for nothing."""

    def __init__(self, path: Path, is_there: Callable[[int], bool]) -> None:
        self.done: dict[int, tuple[Done, str]] = {}
        self._path = path
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        if lines and not lines[-1].endswith(b"\n"):
            unfinished = lines.pop()
            with telling_write_errors(path):
                os.truncate(path, path.stat().st_size - len(unfinished))
        for line in lines:
            try:
                number, documents, sentences, words, failed, checksum = json.loads(line)
                failures = [Failure(*one) for one in failed]
            except (ValueError, TypeError):  # the disk or another program has damaged it
                continue
            if is_there(number):
                done = Done(number, documents, sentences, words, failures)
                self.done[number] = done, checksum

    def add(self, done: Done, checksum: str) -> None:
        line = json.dumps([*astuple(done), checksum], ensure_ascii=False)
        with telling_write_errors(self._path), self._path.open("ab") as file:
            file.write(line.encode("utf-8") + b"\n")
            file.flush()
            os.fsync(file.fileno())


def _make_manifest(
    job: Job, files: Iterable[str], reading: InputSettings, shard_words: int
) -> dict[str, Any]:
    """Return what must be the same when a run goes on."""
    folder = get_package_path(job.pipeline) if is_package(job.pipeline) else Path(job.pipeline)
    if not (folder / META).is_file():
        raise no_pipeline(job.pipeline)
    try:
        meta = json.loads((folder / META).read_text("utf-8"))
        name, version = f"{meta['lang']}_{meta['name']}", meta["version"]
    except (ValueError, KeyError, TypeError):
        raise no_pipeline(job.pipeline) from None
    code = None if job.code is None else sha256(Path(job.code).read_bytes()).hexdigest()
    return {
        "spacy-nonmono": __version__,
        "pipeline": {"name": name, "version": version, "sha256": _checksum(folder), "code": code},
        "inputs": {printable(file): size_of(file) for file in files},
        "reading": asdict(reading),
        "options": {
            "output": job.output,
            "retokenize": job.retokenize,
            "expand": job.expand,
            "confidence": job.confidence,
            "batch_words": job.batch_words,
            "shard_words": shard_words,
        },
    }


def checksum_of(shard: Shard) -> str:
    digest = sha256()
    for document in shard.documents:
        data = document.data
        if document.format == SPACY:  # the same Doc may come with its strings in another order
            data = bincount(frombuffer(data, "uint8")).tobytes()
        digest.update(f"{document.id}\n{len(document.data)}\n".encode())
        digest.update(data)
    return digest.hexdigest()


def _checksum(folder: Path) -> str:
    """Return a checksum of all files of a pipeline, with their names."""
    digest = sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(f"{path.relative_to(folder).as_posix()}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _check_manifest(path: Path, manifest: dict[str, Any]) -> None:
    try:
        found = json.loads(path.read_text("utf-8"))
    except ValueError:
        found = {}
    different = [name for name, value in manifest.items() if found.get(name) != value]
    if different:
        raise ValueError(Errors.NM190.format(folder=path.parent, found=", ".join(different)))
