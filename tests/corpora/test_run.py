"""Runs over a corpus: whatever stops them, in the end there is what an undisturbed run gives."""

import errno
import io
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.util import load_model

from spacy_nonmono.corpora import worker
from spacy_nonmono.corpora.documents import TEXT, Input, InputSettings, find_files, read_inputs
from spacy_nonmono.corpora.parsing import read_doc
from spacy_nonmono.corpora.run import Journal, cut_shards, run
from spacy_nonmono.corpora.worker import TRIES, Done, Job, Shard, Worker, WorkerDied, parse_shard
from spacy_nonmono.treebank.corpus import read_docs
from tests.pipeline.util import words

LINES = [" ".join(words(n, n)) for n in range(1, 40)]
SHARD_WORDS = 100


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("texts") / "a.txt"
    path.write_bytes("\n".join(LINES).encode() + b"\nbad \xff\n")
    return path


@pytest.fixture
def in_this_process(pipeline: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No other processes: they take seconds to start."""
    nlp = load_model(pipeline)

    def parse(self: Worker, shard: Shard) -> Done:
        return parse_shard(nlp, self._job, shard, {}, False)

    monkeypatch.setattr(Worker, "parse", parse)


def start(pipeline: Path, texts: Path, folder: Path, **settings: Any) -> Any:
    job = Job(str(pipeline), folder, "conllu", batch_words=30)
    return run(job, [str(texts)], InputSettings(), shard_words=SHARD_WORDS, **settings)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def whole(pipeline: Path, texts: Path, tmp_path: Path, in_this_process: None) -> dict[str, bytes]:
    """What an undisturbed run gives."""
    totals = start(pipeline, texts, tmp_path / "whole")
    assert (totals.documents, totals.failed) == (len(LINES), 1)
    assert totals.words == sum(map(len, map(str.split, LINES)))
    return contents(tmp_path / "whole")


def test_what_a_run_leaves(whole):
    parts = [name for name in whole if name.startswith("part-")]
    assert len(parts) > 5
    manifest = json.loads(whole["_manifest.json"])
    assert manifest["complete"] and manifest["counts"]["failed"] == 1
    assert manifest["pipeline"]["version"] == "1.2.3"
    failure = json.loads(whole["_errors.jsonl"])
    assert failure["doc_id"].endswith("a.txt:40") and "0xff" in failure["reason"]
    together = b"".join(whole[name] for name in sorted(parts)).decode()
    ids = [line for line in together.split("\n") if line.startswith("# newdoc")]
    assert [int(line.rpartition(":")[2]) for line in ids] == list(range(1, 40))


@pytest.mark.parametrize("form", ["conllu", "jsonl", "parquet", "spacy"])
def test_a_folder_is_nothing_but_its_parts(form, pipeline, texts, tmp_path, in_this_process):
    """For `parse`, and for all that opens a folder of Parquet, such as pandas."""
    job = Job(str(pipeline), tmp_path, form, batch_words=30)
    totals = run(job, [str(texts)], InputSettings(), shard_words=SHARD_WORDS)
    found = find_files([str(tmp_path)], InputSettings())
    assert found and all(Path(file).name.startswith("part-") for file in found)
    if form == "parquet":
        assert pyarrow.parquet.read_table(tmp_path).num_rows == totals.words


@pytest.mark.parametrize("n_done", range(8))
def test_a_run_goes_on(n_done, whole, pipeline, texts, tmp_path):
    folder = tmp_path / "stopped"
    seen = []

    def stop(shard: Shard, done: Done, is_new: bool) -> None:
        seen.append(is_new)
        if len(seen) > n_done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        start(pipeline, texts, folder, report=stop)
    assert not json.loads((folder / "_manifest.json").read_text())["complete"]
    # What a process that is killed leaves behind
    (folder / ".nonmono-0123.tmp").touch()
    with (folder / "_journal.jsonl").open("ab") as journal:
        journal.write(b"[7, 12, 1")
    seen.clear()
    start(pipeline, texts, folder, report=lambda shard, done, is_new: seen.append(is_new))
    assert seen == [False] * (n_done + 1) + [True] * (len(seen) - n_done - 1)
    assert contents(folder) == whole


def test_a_missing_part_is_made_again(whole, pipeline, texts, tmp_path):
    folder = tmp_path / "whole"
    (folder / "part-000002.conllu").unlink()
    start(pipeline, texts, folder)
    found = contents(folder)
    assert sorted(found.pop("_journal.jsonl").splitlines()[:-1]) == sorted(
        whole["_journal.jsonl"].splitlines()
    )
    assert found == {name: data for name, data in whole.items() if name != "_journal.jsonl"}


def test_another_run_is_refused(whole, pipeline, texts, tmp_path):
    job = Job(str(pipeline), tmp_path / "whole", "conllu", batch_words=31)
    with pytest.raises(ValueError, match=r"NM190.*options"):
        run(job, [str(texts)], InputSettings(), shard_words=SHARD_WORDS)
    assert contents(tmp_path / "whole") == whole


def test_other_code_is_another_run(pipeline, texts, tmp_path, in_this_process):
    """Its components may have the same names."""
    code = tmp_path / "code.py"

    def parse() -> None:
        job = Job(str(pipeline), tmp_path / "out", "conllu", batch_words=30, code=str(code))
        run(job, [str(texts)], InputSettings(), shard_words=SHARD_WORDS)

    code.write_text("one = 1\n")
    parse()
    code.write_text("two = 2\n")
    with pytest.raises(ValueError, match=r"NM190.*pipeline"):
        parse()


def test_a_damaged_line_of_the_journal(whole, pipeline, texts, tmp_path):
    """Its part is made again."""
    folder = tmp_path / "whole"
    lines = (folder / "_journal.jsonl").read_bytes().splitlines(keepends=True)
    for line in (b"\0\0\0\n", b"[1]\n", b"7\n"):
        (folder / "_journal.jsonl").write_bytes(b"".join([lines[0], line, *lines[2:]]))
        start(pipeline, texts, folder)
        found = contents(folder)
        assert {name: data for name, data in found.items() if name != "_journal.jsonl"} == {
            name: data for name, data in whole.items() if name != "_journal.jsonl"
        }


def test_damaged_files_beside_a_run(whole, pipeline, texts, tmp_path):
    (tmp_path / "whole" / "_manifest.json").write_bytes(b"")
    with pytest.raises(ValueError, match=r"NM190.*differs in spacy-nonmono"):
        start(pipeline, texts, tmp_path / "whole")
    (tmp_path / "bad").mkdir()
    for text in ("{", '{"lang": "en"}', "[]"):
        (tmp_path / "bad" / "meta.json").write_text(text)
        with pytest.raises(OSError, match=r"NM198.*bad"):
            start(tmp_path / "bad", texts, tmp_path / "out")


def test_parts_of_an_unknown_run_are_not_mixed_with_others(whole, pipeline, texts, tmp_path):
    folder = tmp_path / "whole"
    (folder / "_manifest.json").rename(folder / "manifest.json")
    with pytest.raises(ValueError, match=r"NM190.*no _manifest\.json"):
        start(pipeline, texts, folder)
    assert {**contents(folder), "_manifest.json": b""} == {
        **whole, "_manifest.json": b"", "manifest.json": whole["_manifest.json"]
    }


@pytest.mark.parametrize(
    "lines",
    [LINES[1:], [*LINES[:20], "owls hunt .", *LINES[21:]], LINES[:20], ["x"], []],
    ids=["without the first", "with another one", "half of them", "another text", "nothing"],
)
def test_other_documents_are_refused(lines, pipeline, tmp_path, in_this_process):
    """Also where the names and sizes of the files do not tell."""
    job = Job(str(pipeline), tmp_path / "trees", "conllu", batch_words=30)

    def parse(texts: list[str]) -> None:
        with pytest.MonkeyPatch.context() as patch:
            data = "\n".join(texts).encode()
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
            run(job, ["-"], InputSettings(format=TEXT), shard_words=SHARD_WORDS)

    parse(LINES)
    found = contents(job.folder)
    with pytest.raises(ValueError, match=r"NM190.*the documents"):
        parse(lines)
    parse(LINES)
    assert contents(job.folder) == found


def test_other_docs_are_refused(pipeline, tmp_path, in_this_process):
    """Of the same length, too; but the same Docs are the same, however their strings are sorted."""
    job = Job(str(pipeline), tmp_path / "trees", "conllu", batch_words=30)
    file = tmp_path / "a.spacy"

    def parse(word: str) -> None:
        vocab = Language().vocab
        docs = DocBin(docs=[Doc(vocab, ["foxes", word, "owls"])]).to_bytes()
        file.write_bytes(docs)
        run(job, [str(file)], InputSettings(), shard_words=SHARD_WORDS)

    parse("hunt")
    found = contents(job.folder)
    with pytest.raises(ValueError, match="NM190"):
        parse("bite")
    parse("hunt")
    assert contents(job.folder) == found


TREE = "1\towls\t_\t_\t_\t_\t0\troot\t_\t_\n\n"


KINDS = ["named", "unnamed", "plus", "docs", "text"]


@settings(max_examples=30, deadline=None)
@given(kinds=st.lists(st.sampled_from(KINDS), min_size=1, max_size=6))
def test_documents_do_not_depend_on_the_parts(kinds, pipeline, tmp_path_factory):
    """Parts put together are read as the documents of one part are: same words, same names, same
    columns."""
    folder = tmp_path_factory.mktemp("parts")
    columns = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC X:Y\n"
    texts = {
        "named": f"# newdoc id = d\n{TREE}",
        "unnamed": TREE,
        "plus": columns + TREE.replace("\n\n", "\tx\n\n"),
        "text": "rain !\n",
    }
    files = []
    for number, kind in enumerate(kinds):
        if kind == "docs":  # the second is of the sentence without the comment
            files.append(folder / f"{number}.spacy")
            plus = folder / "plus.conllu"
            plus.write_text(texts["plus"] + texts["plus"].removeprefix(columns))
            docs = list(read_docs(plus, Language().vocab, 1))
            DocBin(docs=docs[1:], store_user_data=True).to_disk(files[-1])
            continue
        files.append(folder / f"{number}.{'txt' if kind == 'text' else 'conllu'}")
        files[-1].write_text(texts[kind])
    nlp = load_model(pipeline)
    found = []
    for n_words in (1, 1000):
        job = Job(str(pipeline), folder / f"trees-{n_words}", "conllu", batch_words=30)
        job.folder.mkdir()
        inputs = ((one, 0) for file in files for one, _ in read_inputs(str(file), InputSettings()))
        for shard in cut_shards(inputs, n_words):
            parse_shard(nlp, job, shard, {}, False)
        whole = folder / f"whole-{n_words}.conllu"
        whole.write_bytes(b"".join(path.read_bytes() for path in sorted(job.folder.iterdir())))
        documents = [one for one, _ in read_inputs(str(whole), InputSettings())]
        words = [[token.text for token in read_doc(nlp, one, False)] for one in documents]
        names = ["" if one.id.startswith(str(whole)) else one.id for one in documents]
        found.append((names, words))
    assert found[0] == found[1]


def test_there_is_no_such_pipeline(texts, tmp_path):
    with pytest.raises(OSError, match=r"NM198.*no_such_thing"):
        start(Path("no_such_thing"), texts, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("gpu_id", [-1, 0, 3])
def test_a_gpu_is_asked_for_before_the_pipeline_is_loaded(pipeline, tmp_path, monkeypatch, gpu_id):
    def require_gpu(found: int) -> None:
        raise ValueError(f"No GPU {found}")

    monkeypatch.setattr(worker, "require_gpu", require_gpu)
    job = Job(str(pipeline if gpu_id < 0 else "gone"), tmp_path, "conllu", 30, gpu_id=gpu_id)
    with nullcontext() if gpu_id < 0 else pytest.raises(ValueError, match=f"No GPU {gpu_id}"):
        worker.load(job)


def test_processes_that_are_killed(whole, pipeline, texts, tmp_path):
    """Two processes, of which one is killed whenever a shard is done."""
    folder = tmp_path / "killed"
    n_killed = 0

    def kill(shard: Shard, done: Done, is_new: bool) -> None:
        nonlocal n_killed
        children = multiprocessing.active_children()
        if children and shard.number % 4 == 0:
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(children[0].pid, getattr(signal, "SIGKILL", signal.SIGTERM))
                n_killed += 1

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Worker, "parse", REAL_PARSE)
        start(pipeline, texts, folder, n_process=2, report=kill)
    assert n_killed
    assert contents(folder) == whole
    assert not multiprocessing.active_children()


REAL_PARSE = Worker.parse


def test_a_run_that_is_killed(whole, pipeline, texts, tmp_path):
    folder = tmp_path / "killed"
    command = [sys.executable, "-m", "spacy", "nonmono", "parse", str(pipeline), str(texts)]
    command += ["-o", str(folder), "--shard-words", str(SHARD_WORDS), "--batch-words", "30"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while not (folder / "part-000001.conllu").exists():
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "1 document could not be parsed" in done.stdout
    assert contents(folder) == whole
    again = subprocess.run([*command, "--skip-errors"], capture_output=True, text=True, check=False)
    assert again.returncode == 0


def test_fatal_documents_are_set_aside(pipeline, tmp_path, monkeypatch):
    """A document that kills every process that parses it."""
    nlp = load_model(pipeline)
    asked: list[tuple[int, bool]] = []

    def ask(self: Worker, shard: Shard, skip: dict[int, str], alone: bool) -> Done:
        asked.append((len(shard.documents), alone))
        for i, document in enumerate(shard.documents):
            if b"poison" in document.data and i not in skip:
                raise WorkerDied("killed by SIGKILL")
        return parse_shard(nlp, self._job, shard, skip, alone)

    monkeypatch.setattr(Worker, "_ask", ask)
    documents = [
        Input(str(i), TEXT, text) for i, text in enumerate([b"a b", b"poison", b"c", b"poison"])
    ]
    job = Job(str(pipeline), tmp_path, "conllu", batch_words=30)
    done = Worker(job).parse(Shard(5, documents, 0))
    assert asked == [(4, False)] + [(1, True)] * 4 + [(4, True)]
    assert (done.number, done.n_documents) == (5, 2)
    assert [name for name, _ in done.failed] == ["1", "3"]
    assert all("NM193" in reason and "SIGKILL" in reason for _, reason in done.failed)
    text = job.path(5).read_text()
    assert "id = 0\n" in text and "id = 2\n" in text and "id = 1\n" not in text


def test_what_a_process_dies_of_is_tried_again(tmp_path, monkeypatch):
    worker = Worker(Job("", tmp_path, "conllu", batch_words=30))
    worker._process = "a process"
    n_tries = 0

    def exchange(task: Any) -> Any:
        nonlocal n_tries
        n_tries += 1
        if n_tries != TRIES:
            raise WorkerDied("killed by SIGKILL")
        return "done"

    monkeypatch.setattr(worker, "_exchange", exchange)
    assert worker._ask("a task") == "done"
    with pytest.raises(WorkerDied, match="SIGKILL"):
        worker._ask("a task")
    with pytest.raises(RuntimeError, match=r"NM193.*SIGKILL"):
        worker.parse(Shard(0, [], 0))
    assert n_tries == 4 * TRIES


def test_a_process_that_cannot_start(tmp_path):
    worker = Worker(Job(str(tmp_path), tmp_path, "conllu", batch_words=30))
    try:
        with pytest.raises(RuntimeError, match="NM198"):
            worker.parse(Shard(0, [], 0))
    finally:
        worker.close()


def test_a_process_that_dies_while_it_loads_is_started_again(tmp_path, monkeypatch):
    worker = Worker(Job("", tmp_path, "conllu", batch_words=30))
    starts = 0

    def load() -> None:
        nonlocal starts
        starts += 1
        if starts % TRIES or starts > TRIES:
            raise WorkerDied("killed by SIGKILL")

    monkeypatch.setattr(worker, "_load", load)
    worker._start()
    assert starts == TRIES
    with pytest.raises(RuntimeError, match=r"NM192.*\(killed by SIGKILL\)"):
        worker._start()
    assert starts == 2 * TRIES


def test_a_process_that_is_ended_is_not_started_again(pipeline, tmp_path):
    worker = Worker(Job(str(pipeline), tmp_path, "conllu", batch_words=30))
    shard = Shard(0, [Input("a", TEXT, b"a " * 50_000)], 0)
    with ThreadPoolExecutor(1) as threads:
        future = threads.submit(worker.parse, shard)
        while worker._process is None:
            time.sleep(0.01)
        worker.close()
        with pytest.raises(RuntimeError, match="was ended"):
            future.result(30)
    worker.join()
    assert not worker._process.is_alive()


def test_a_pipeline_without_sentences(tmp_path):
    job = Job("", tmp_path, "conllu", batch_words=30)
    nlp = spacy.blank("xx")
    shard = Shard(0, [Input("a", TEXT, b"a b"), Input("b", TEXT, b"c")], 0)
    with pytest.raises(ValueError, match=r"\[NM103\]"):
        parse_shard(nlp, job, shard, {}, False)

    @Language.component("labels_only")
    def labels_only(doc: Doc) -> Doc:
        for token in doc:
            token.dep_ = "ROOT"
        return doc

    nlp.add_pipe("labels_only")
    done = parse_shard(nlp, job, shard, {}, False)
    assert (done.n_documents, done.n_words, done.failed) == (2, 3, [])


def test_a_service_that_is_gone_is_no_full_disk(tmp_path):
    """An OSError of a component is one of the document."""

    @Language.component("test_asks_a_service")
    def ask(doc: Doc) -> Doc:
        if doc[0].text == "b":
            raise ConnectionError("service not reached")
        return Doc(doc.vocab, ["a"], heads=[0], deps=["ROOT"])

    nlp = spacy.blank("xx")
    nlp.add_pipe("test_asks_a_service")
    job = Job("", tmp_path, "conllu", batch_words=30)
    inputs = [Input(name, TEXT, name.encode()) for name in "abc"]
    done = parse_shard(nlp, job, Shard(0, inputs, 0), {}, False)
    assert done.n_documents == 2
    [failure] = done.failed
    assert failure.doc_id == "b" and "ConnectionError: service" in failure.reason


def test_the_disk_is_full_when_the_journal_is_written(tmp_path, monkeypatch):
    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match=r"\[NM169\].*journal.*No space left"):
        Journal(tmp_path / "_journal.jsonl", bool).add(Done(0, 1, 1, 1, []), "0")


def test_a_doc_that_cannot_be_saved_leaves_the_others(tmp_path):
    """spaCy's DocBin has half of a Doc whose groups of spans cannot be packed."""

    @Language.component("test_sets_spans")
    def set_spans(doc: Doc) -> Doc:
        word = doc[0].text
        doc.spans["found"] = [doc[:]]
        doc.spans["found"].attrs["by"] = object() if word == "b" else word
        doc[0].dep_ = "ROOT"
        return doc

    nlp = spacy.blank("xx")
    nlp.add_pipe("test_sets_spans")
    job = Job("", tmp_path, "spacy", batch_words=30)
    inputs = [Input(name, TEXT, name.encode()) for name in "abc"]
    done = parse_shard(nlp, job, Shard(0, inputs, 0), {}, False)
    assert done.n_documents == 2 and [failure.doc_id for failure in done.failed] == ["b"]
    docs = list(DocBin().from_disk(job.path(0)).get_docs(nlp.vocab))
    assert [(doc[0].text, doc.spans["found"].attrs) for doc in docs] == [
        ("a", {"by": "a"}),
        ("c", {"by": "c"}),
    ]


def test_a_process_ends_with_its_parent(pipeline, tmp_path):
    worker = Worker(Job(str(pipeline), tmp_path, "conllu", batch_words=30))
    worker.parse(Shard(0, [], 0))
    worker._connection.close()
    worker._process.join(20)
    assert worker._process.exitcode == 0


@given(st.lists(st.integers(1, 30)), st.integers(1, 50))
def test_shards(sizes, n_words):
    documents = [Input(str(i), TEXT, b"a " * (size - 1)) for i, size in enumerate(sizes)]
    shards = list(cut_shards(((document, i) for i, document in enumerate(documents)), n_words))
    assert [shard.number for shard in shards] == list(range(len(shards)))
    assert [document for shard in shards for document in shard.documents] == documents
    assert [int(shard.documents[-1].id) for shard in shards] == [shard.position for shard in shards]
    for shard in shards:
        total = sum(document.n_words for document in shard.documents)
        assert total <= n_words or len(shard.documents) == 1
