"""Files are replaced as a whole or not at all, and errors tell what could not be written and why; lines
are read."""

import csv
import errno
import gzip
import io
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import zstandard

from spacy_nonmono.files import (
    decode_lines,
    make_folder,
    read_lines,
    replace_file,
    write_csv,
    write_json,
    write_text,
)
from spacy_nonmono.treebank.reader import read_sentences
from spacy_nonmono.treebank.writer import write_conllu

NO_SPACE = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
READ_ONLY = OSError(errno.EROFS, os.strerror(errno.EROFS))
# Writes files of two letters in turn, larger than any buffer, until it is killed
WRITER = """
import os, sys
from spacy_nonmono.files import write_text
for line in sys.stdin:
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        print("killed", flush=True)
        continue
    path = line.rstrip()
    write_text(path, "a" * 3_000_000)
    print(os.getpid(), flush=True)
    while True:
        for letter in "ba":
            write_text(path, letter * 3_000_000)
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "file"
    path.write_text("old")
    return path


@pytest.fixture
def small_disk():
    """Files may have 10,000 bytes; the system really stops at that."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def is_untouched(path: Path) -> bool:
    return path.read_text() == "old" and os.listdir(path.parent) == [path.name]


def test_replaces(path):
    with replace_file(path) as file:
        file.write(b"new, ")
        assert path.read_text() == "old"
        (unfinished,) = set(path.parent.iterdir()) - {path}
        assert unfinished.name.startswith(".nonmono-") and unfinished.suffix == ".tmp"
        file.write(b"and finished")
    assert path.read_text() == "new, and finished"
    assert os.listdir(path.parent) == ["file"]


def test_new_file_in_new_folders(tmp_path):
    path = tmp_path / "a" / "b" / "file"
    write_text(str(path), "Käse\n")
    assert path.read_bytes() == "Käse\n".encode()
    (tmp_path / "plain").touch()
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_json(path):
    write_json(path, {"a": [1, 0.1]})
    assert path.read_text("utf-8") == '{\n  "a":[\n    1,\n    0.1\n  ]\n}'


def test_a_name_that_is_not_utf8(path):
    name = os.fsdecode(b"tr\xe9e")
    write_json(path, {"file": name})
    assert json.loads(path.read_text("utf-8")) == {"file": name}
    write_csv(path, ["file"], [[name]])
    assert path.read_text("utf-8") == "file\ntr\\udce9e\n"


def test_an_error_in_the_block_leaves_the_old_file(path):
    for error in (ValueError("mine"), FileNotFoundError("mine"), KeyboardInterrupt("mine")):
        with pytest.raises(type(error), match=r"^mine$"), replace_file(path) as file:
            file.write(b"new")
            raise error
        assert is_untouched(path)


def test_error_of_what_is_written_is_not_ours(path):
    def docs():
        yield from ()
        raise PermissionError(errno.EACCES, "not allowed", "input")

    with pytest.raises(PermissionError, match="not allowed: 'input'"):
        write_conllu(docs(), path)
    assert is_untouched(path)


def test_mode_and_links_are_kept(path):
    path.chmod(0o640)
    link = path.with_name("link")
    link.symlink_to(path.name)
    write_text(link, "new")
    assert link.is_symlink() and path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640


def test_link_to_nothing(tmp_path):
    link = tmp_path / "link"
    link.symlink_to("file")
    write_text(link, "new")
    assert link.is_symlink() and (tmp_path / "file").read_text() == "new"


def test_what_is_no_regular_file_is_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
    write_text(pipe, "new")
    assert reader.communicate(timeout=10) == (b"new", None)
    assert pipe.is_fifo() and os.listdir(tmp_path) == ["pipe"]


def test_full_device():
    with pytest.raises(OSError, match=r"\[NM169\] /dev/full cannot be written: No space left"):
        write_text("/dev/full", "new")
    assert Path("/dev/full").is_char_device()


def test_full_disk(path, small_disk):
    """While it is written, large and small, and when the last of it is."""
    for size, times in ((11_000, 1), (100, 200), (100_000, 3)):
        with (
            pytest.raises(OSError, match=r"\[NM169\] .*file cannot be written: File too large\. What"),
            replace_file(path) as file,
        ):
            for _ in range(times):
                file.write(b"x" * size)
        assert is_untouched(path)


@pytest.mark.parametrize("error", [NO_SPACE, READ_ONLY], ids=["full", "read-only"])
@pytest.mark.parametrize("call", ["os.fsync", "pathlib.Path.mkdir", "io.open", "pathlib.Path.replace"])
def test_every_step_may_fail(path, monkeypatch, error, call):
    def fail(*arguments, **options):
        raise error

    if call == "io.open":
        monkeypatch.setattr("spacy_nonmono.files._File", fail)
    else:
        monkeypatch.setattr(call, fail)
    target = path.parent / "new" / "file" if call == "pathlib.Path.mkdir" else path
    with pytest.raises(OSError) as caught:
        write_text(target, "new")
    assert str(caught.value).startswith(f"[NM169] {target} cannot be written: {error.strerror}. ")
    assert is_untouched(path)


def test_folders_in_the_way(path):
    with pytest.raises(OSError, match=r"\[NM169\] .* cannot be written: Is a directory"):
        write_text(path.parent, "new")
    with pytest.raises(OSError, match=r"\[NM169\] .*file/below cannot be written: File exists"):
        write_text(path / "below", "new")
    with pytest.raises(OSError, match=r"\[NM169\] .* cannot be written: File exists"):
        make_folder(path)
    with pytest.raises(OSError, match=r"\[NM169\] .* cannot be written: File name too long"):
        write_text(path.parent / ("x" * 300), "new")
    assert is_untouched(path)


def test_killed_writers_leave_whole_files(tmp_path):
    path = tmp_path / "file"
    dice = random.Random(0)
    seen = set()
    # One process imports, and all writers are forks of it
    command = [sys.executable, "-c", WRITER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        for _ in range(8):
            print(path, file=parent.stdin, flush=True)
            writer = int(parent.stdout.readline())
            time.sleep(dice.uniform(0, 0.05))
            os.kill(writer, signal.SIGKILL)
            assert parent.stdout.readline() == "killed\n"
            text = path.read_text()
            assert text in ("a" * 3_000_000, "b" * 3_000_000)
            seen.add(text[0])
    leftover = set(tmp_path.iterdir()) - {path}
    assert all(one.name.startswith(".nonmono-") for one in leftover)


def test_lines():
    """Other ends of lines than a line feed are in words."""
    data = "\ufeffa\r\nb\u2028c\x85\n\n\ufeffd\ufeff".encode()
    expected = [(1, "a"), (2, "b\u2028c\x85"), (3, ""), (4, "d\ufeff")]
    assert list(decode_lines(io.BytesIO(data), "x")) == expected
    assert list(decode_lines(io.BytesIO(b""), "x")) == []


def test_lines_that_are_not_utf8():
    lines = decode_lines([b"a\n", b"caf\xe9\n"], "some.txt")
    assert next(lines) == (1, "a")
    with pytest.raises(ValueError, match=r"NM083.*some.txt, line 2 .* 0xe9 at column 4"):
        next(lines)


def test_a_bad_byte_behind_a_byte_order_mark():
    with pytest.raises(ValueError, match=r"NM083.*0xe9 at column 4"):
        list(decode_lines([b"\xef\xbb\xbfcaf\xe9\n"], "some.txt"))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_lines_in_another_encoding(encoding):
    lines = decode_lines(io.BytesIO("a\n".encode(encoding)), "some.txt")
    with pytest.raises(ValueError, match=rf"NM083.*order mark of {encoding.upper()}"):
        next(lines)


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_lines_that_are_packed(tmp_path, suffix):
    """Their first bytes say so; the name may."""
    data = b"owls\nhunt\n" * 1000
    packed = zstandard.compress(data) if suffix == ".zst" else gzip.compress(data)
    path = tmp_path / f"some.txt{suffix}"
    path.write_bytes(packed)
    assert list(read_lines(path))[-1] == (2000, "hunt")
    path.write_bytes(b"owls" if suffix else packed[: len(packed) // 2])
    with pytest.raises(ValueError, match=r"NM140.*some.txt.*, line 1 cannot be read"):
        list(read_lines(path))


@pytest.mark.parametrize("name", ["a.conllu.gz", "a.conllu.zst", "a.spacy.gz"])
def test_an_empty_archive_is_damaged(tmp_path, name):
    (tmp_path / name).touch()
    with pytest.raises(ValueError, match=rf"NM1(40|96).*{re.escape(name)}.*empty"):
        list(read_sentences(tmp_path / name))


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_what_is_written_is_read_again(tmp_path, suffix):
    path = tmp_path / f"a.txt{suffix}"
    for text in ("one\nand more\n", "two\n"):
        write_text(path, text)
        assert "".join(f"{line}\n" for _, line in read_lines(path)) == text
    assert path.read_bytes().startswith(b"two") is (suffix == "")


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
@pytest.mark.parametrize("to", ["file", "pipe"])
def test_standard_output(tmp_path, name, to):
    """What stands there stays, and so do other files that are open."""
    (tmp_path / "link").symlink_to("/dev/stdout")
    code = f"from spacy_nonmono.files import write_text; write_text({name!r}, 'new')"
    command = [sys.executable, "-c", code]
    log = tmp_path / "log"
    log.write_text("old ")
    with log.open("ab") as file:
        out = file if to == "file" else subprocess.PIPE
        found = subprocess.run(command, cwd=tmp_path, stdout=out, check=True)
    assert (log.read_text(), found.stdout) == (("old new", None) if to == "file" else ("old ", b"new"))


def test_table(tmp_path):
    rows = [["a\rb", 1], ["c\nd", None], ['"', "e,f"], ["\r\n", ""]]
    write_csv(tmp_path / "a.csv", ["x", "y"], rows)
    with (tmp_path / "a.csv").open(newline="") as file:
        found = list(csv.reader(file))
    assert found == [["x", "y"], *([a, "" if b is None else str(b)] for a, b in rows)]
    assert (tmp_path / "a.csv").read_bytes().endswith(b'\n"\r\n",\n')


def test_a_file_that_cannot_be_opened(tmp_path):
    with pytest.raises(IsADirectoryError, match=r"\[NM093\].*cannot be opened: Is a directory"):
        list(read_lines(tmp_path))


def test_packed_without_zstandard(tmp_path, monkeypatch):
    write_text(tmp_path / "a.zst", "one")
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(ImportError, match="NM166"):
        list(read_lines(tmp_path / "a.zst"))
