"""What may happen to a run from outside: the disk is full, a file is forbidden, vanishes or changes, a
process is killed. What could be read is written, and the run can go on."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from .cases import scratch
from .drive import Result, run_case
from .inputs import make_case
from .laws import CODED
from .pipelines import ROOT, pipeline, saved

TEXT = "Tom meets a hare .\nfoxes hunt mice .\n" * 20
IS_ROOT = hasattr(os, "getuid") and os.getuid() == 0


@pytest.fixture(autouse=True)
def folder() -> Iterator[None]:
    with scratch():
        for name in "abc":
            Path(f"{name}.txt").write_text(TEXT)
        yield


def run(*names: str, folder: str = "trees", **settings: Any) -> Result:
    settings = {"shard_words": 50, "nlp": pipeline("parser"), **settings}
    return run_case(Path("model"), [*names], Path(folder), **settings)


def whole(*names: str, **settings: Any) -> Result:
    """What an undisturbed run leaves."""
    found = run(*names, folder="whole", **settings)
    assert found.error is None and found.status == 0
    return found


def check_named(found: Result, name: str, expected: Result) -> None:
    """The file is named, and the others are there."""
    assert found.error is None, found.error
    assert found.status == 1
    assert [one for one, _ in found.failures] == [name]
    assert CODED.search(found.failures[0][1]) and name in found.failures[0][1]
    assert b"".join(found.outputs) == b"".join(expected.outputs)


@contextmanager
def full_disk(size: int) -> Iterator[Path]:
    path = Path("small")
    path.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(path)]
    if not IS_ROOT or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("needs a small disk of its own")
    try:
        yield path
    finally:
        subprocess.run(["umount", "-l", str(path)], check=True)


@pytest.mark.parametrize("output", ["conllu", "jsonl", "parquet", "spacy"])
@pytest.mark.parametrize("by_command", [False, True])
def test_the_disk_is_full(output: str, by_command: bool) -> None:
    settings = {"output": output, "by_command": by_command}
    expected = whole("a.txt", "b.txt", **settings)
    with full_disk(24 * 1024) as disk:
        waste = disk / "waste"
        waste.write_bytes(b"x" * 12 * 1024)
        found = run("a.txt", "b.txt", folder="small/trees", **settings)
        assert found.status == 1 and found.error is not None
        assert "[NM169]" in str(found.error)
        assert "Traceback" not in found.said
        waste.unlink()
        subprocess.run(["mount", "-o", "remount,size=4m", str(disk)], check=True)
        again = run("a.txt", "b.txt", folder="small/trees", **settings)
        assert again.error is None and again.status == 0
        assert again.outputs == expected.outputs or output in ("spacy", "parquet")
        assert again.counts == expected.counts


@contextmanager
def nobody() -> Iterator[None]:
    """Root may read everything."""
    if not IS_ROOT:
        yield
        return
    os.chmod(".", 0o777)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("name", ["a.txt", "b.txt", "c.txt"])
def test_a_file_is_forbidden(name: str) -> None:
    others = [other for other in ("a.txt", "b.txt", "c.txt") if other != name]
    expected = whole(*others)
    os.chmod(name, 0)
    with nobody():
        found = run("a.txt", "b.txt", "c.txt")
    check_named(found, name, expected)
    os.chmod(name, 0o644)


def test_the_output_is_forbidden() -> None:
    Path("trees").mkdir(mode=0o555)
    with nobody():
        found = run("a.txt")
    assert found.error is not None and "[NM169]" in str(found.error)
    os.chmod("trees", 0o777)
    assert run("a.txt").outputs == whole("a.txt").outputs


@pytest.mark.parametrize("kind", ["gone before", "gone meanwhile"])
def test_a_file_vanishes(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between its being found and its being read."""
    from spacy_nonmono.corpora import run as module

    expected = whole("a.txt", "c.txt")
    read = module.read_inputs

    def read_and_remove(file: str, reading: Any) -> Any:
        if file == ("b.txt" if kind == "gone before" else "a.txt"):
            Path("b.txt").unlink(missing_ok=True)
        return read(file, reading)

    monkeypatch.setattr(module, "read_inputs", read_and_remove)
    check_named(run("a.txt", "b.txt", "c.txt"), "b.txt", expected)


@pytest.mark.parametrize("change", ["longer", "other words", "gone"])
def test_a_file_changes_between_two_runs(change: str) -> None:
    """What has been written of it is not mixed with something else."""
    before = run("a.txt", "b.txt")
    path = Path("b.txt")
    if change == "gone":
        path.unlink()
    else:
        path.write_text(TEXT + "a\n" if change == "longer" else TEXT.replace("Tom", "Tim"))
    found = run("a.txt", "b.txt")
    assert found.error is not None and CODED.search(str(found.error)), found.error
    assert found.outputs == before.outputs


KILLS = """
import os, signal
from spacy.language import Language

@Language.component("campaign_kills")
def kills(doc):
    if "Zeus" in doc.text:
        os.kill(os.getpid(), signal.SIGKILL)
    return doc
"""


def command(*arguments: object) -> "subprocess.CompletedProcess[str]":
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(
        [sys.executable, "-m", "spacy", "nonmono", "parse", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )


@pytest.mark.fuzz
@pytest.mark.filterwarnings("ignore")
def test_a_document_kills_its_process() -> None:
    Path("kills.py").write_text(KILLS)
    exec(KILLS)
    nlp = pipeline("parser").from_config(pipeline("parser").config)
    nlp.from_bytes(pipeline("parser").to_bytes())
    nlp.add_pipe("campaign_kills", first=True)
    nlp.to_disk("killing")
    lines = TEXT.splitlines()
    Path("a.txt").write_text("\n".join([*lines[:3], "Zeus hunts", *lines[3:]]))
    ended = command("killing", "a.txt", "-o", "trees", "--n-process", 2, "--code", "kills.py")
    assert ended.returncode == 1 and "Traceback" not in ended.stderr
    failures = [json.loads(line) for line in Path("trees/_errors.jsonl").read_text().splitlines()]
    assert [one["doc_id"] for one in failures] == ["a.txt:4"]
    assert json.loads(Path("trees/_manifest.json").read_text())["counts"]["documents"] == len(lines)


@pytest.mark.fuzz
@pytest.mark.parametrize("number", range(0, 700, 7))
def test_two_processes_are_like_none(number: int) -> None:
    case = make_case(number)
    if case.kind == "docs" or case.output == "spark":
        pytest.skip("no files")
    if any("\\udce9" in ascii(name) for name, _ in case.files):
        return
    for name, data in case.files:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(data)
    settings = {"kind": case.kind, "output": case.output, "shard_words": 5}
    names = [name for name, _ in case.files]
    expected = run_case(Path("model"), names, Path("one"), nlp=pipeline(case.pipeline), **settings)
    code = Path(__file__).with_name("pipelines.py")
    found = run_case(saved(case.pipeline), names, Path("two"), n_process=2, code=str(code), **settings)
    assert (found.error is None) == (expected.error is None)
    assert found.failures == expected.failures
    assert found.counts == expected.counts
    if case.output != "spacy":  # its strings have no order
        assert found.outputs == expected.outputs
