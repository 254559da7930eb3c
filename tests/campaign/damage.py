"""Files that are damaged: cut at any byte, with junk behind or inside."""

import gzip
import io
import json
import random
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow
import pyarrow.parquet
import zstandard
from spacy.tokens import DocBin

from .cases import scratch
from .drive import Result, run_case
from .laws import CODED
from .pipelines import pipeline
from .reading import read_conllu
from .texts import BLANK, WORDS

FORMATS = (
    *("text.gz", "text.zst", "jsonl.gz", "jsonl.zst", "conllu.gz", "conllu.zst"),
    *("spacy", "spacy.gz", "spacy.zst", "parquet"),
)
DAMAGES = ("cut", "junk behind", "junk inside")
GOOD = "good.txt"
ROW = "1\t{}\t_\t_\t_\t_\t0\troot\t_\t_"


@dataclass
class Damaged:
    """A file. names: its documents. n_whole: how many of them can be read, at least."""

    format: str
    damage: str
    name: str
    data: bytes
    names: list[str]
    n_whole: int = 0
    is_broken: bool = True
    options: dict[str, int] = field(default_factory=dict)


def make(number: int) -> Damaged:
    rng = random.Random(number)
    format, damage = FORMATS[number % len(FORMATS)], DAMAGES[number % len(DAMAGES)]
    if format == "parquet" and damage == "junk inside":
        damage = "cut"  # it has no checksums
    name = {"text": "my-text.txt"}.get(format.partition(".")[0], f"a-b.{format.partition('.')[0]}")
    packing = format.partition(".")[2]
    name += f".{packing}" * bool(packing)
    n = rng.choice([1, 3, 20])
    pieces, names = CONTENTS[format.partition(".")[0]](rng, name, n)
    data = pack(pieces, packing)
    cut = rng.randrange(len(data)) if rng.random() < 0.8 else max(0, len(data) - rng.randint(1, 12))
    junk = rng.choice([b"\0", b"junk", bytes(rng.randrange(256) for _ in range(rng.randint(1, 40)))])
    if damage == "cut":
        data = data[:cut]
    elif damage == "junk behind":
        data += junk
    else:
        data = data[:cut] + junk + data[cut + len(junk) :]
    found = Damaged(format, damage, name, data, names)
    found.options = {"shard_words": rng.choice([5, 200_000]), "batch_words": rng.choice([3, 10_000])}
    found.is_broken = is_broken(data, packing, format, b"".join(pieces))
    if packing and not format.startswith("spacy") and damage != "junk inside":
        whole = b"".join(pieces)
        size = len(unpacked_part(data, packing))
        ends = [len(b"".join(pieces[: i + 1])) for i in range(len(pieces))]
        # The end of a document of CoNLL-U is known when the next one begins
        more = 1 if format.startswith("conllu") else 0
        found.n_whole = max(0, sum(end <= size for end in ends) - more)
        assert whole.startswith(unpacked_part(data, packing)) or damage == "junk behind"
    return found


def line(rng: random.Random) -> str:
    words = [word for word in WORDS if word.isalpha()]
    return " ".join(rng.choice(words) for _ in range(rng.randint(1, 5)))


def texts(rng: random.Random, name: str, n: int) -> tuple[list[bytes], list[str]]:
    return [f"{line(rng)}\n".encode() for _ in range(n)], [f"{name}:{i + 1}" for i in range(n)]


def jsonl(rng: random.Random, name: str, n: int) -> tuple[list[bytes], list[str]]:
    values = [{"text": line(rng), "id": f"n-{i}"} for i in range(n)]
    return [f"{json.dumps(value)}\n".encode() for value in values], [value["id"] for value in values]


def conllu(rng: random.Random, name: str, n: int) -> tuple[list[bytes], list[str]]:
    rows = [f"# newdoc id = n-{i}\n{ROW.format(line(rng).split()[0])}\n\n" for i in range(n)]
    return [row.encode() for row in rows], [f"n-{i}" for i in range(n)]


def spacy_docs(rng: random.Random, name: str, n: int) -> tuple[list[bytes], list[str]]:
    docs = list(BLANK.pipe(line(rng) for _ in range(n)))
    return [DocBin(docs=docs).to_bytes()], [f"{name}:{i + 1}" for i in range(n)]


def parquet(rng: random.Random, name: str, n: int) -> tuple[list[bytes], list[str]]:
    buffer = io.BytesIO()
    table = pyarrow.table({"text": [line(rng) for _ in range(n)], "id": [f"n-{i}" for i in range(n)]})
    pyarrow.parquet.write_table(table, buffer, row_group_size=4)
    return [buffer.getvalue()], [f"n-{i}" for i in range(n)]


CONTENTS: dict[str, Callable[[random.Random, str, int], tuple[list[bytes], list[str]]]] = {
    "text": texts,
    "jsonl": jsonl,
    "conllu": conllu,
    "spacy": spacy_docs,
    "parquet": parquet,
}


def pack(pieces: list[bytes], packing: str) -> bytes:
    """Each piece in blocks of its own, so that what stands before a cut can be read."""
    if packing == "gz":
        packer = zlib.compressobj(wbits=31)
        parts = [packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH) for piece in pieces]
        return b"".join([*parts, packer.flush()])
    if packing == "zst":
        compressor = zstandard.ZstdCompressor(write_checksum=True).compressobj()
        flush = zstandard.COMPRESSOBJ_FLUSH_BLOCK
        parts = [compressor.compress(piece) + compressor.flush(flush) for piece in pieces]
        return b"".join([*parts, compressor.flush()])
    return b"".join(pieces)


def unpacked_part(data: bytes, packing: str) -> bytes:
    """As much as can be unpacked."""
    if packing == "gz":
        with suppress(zlib.error):
            return zlib.decompressobj(wbits=31).decompress(data)
    else:
        with suppress(zstandard.ZstdError):
            return zstandard.ZstdDecompressor().decompressobj().decompress(data)
    return b""


def is_broken(data: bytes, packing: str, format: str, content: bytes) -> bool:
    """Whether a reader can find the damage. Zeros behind an archive of gzip are allowed."""
    if not data:
        return False  # an empty file is what `open` makes, not a cut one; nothing can be read of it
    if packing == "gz":
        with suppress(Exception):
            return gzip.decompress(data) != content
    elif packing == "zst":
        with suppress(Exception):
            whole = zstandard.ZstdDecompressor().decompressobj()
            return not (whole.decompress(data) == content and whole.eof and not whole.unused_data)
    elif format == "spacy":
        with suppress(Exception):
            DocBin().from_bytes(data)
            return False
    else:
        with suppress(Exception):
            pyarrow.parquet.read_table(io.BytesIO(data))
            return False
    return True


def cell_of(number: int) -> tuple[str, str, str]:
    damaged = make(number)
    return damaged.format, "conllu", damaged.damage


def problems_of(number: int) -> list[str]:
    """L3: what can be read is written, the damaged file is named, the run ends and can go on."""
    damaged = make(number)
    nlp = pipeline("parser")
    with scratch():
        Path(damaged.name).write_bytes(damaged.data)
        Path(GOOD).write_text("Tom meets a hare .\nfoxes hunt .\n")
        order = [damaged.name, GOOD] if number % 2 else [GOOD, damaged.name]
        kind = damaged.format.partition(".")[0]

        def run() -> Result:
            settings = {"kind": kind if kind in ("jsonl", "parquet") else "line", **damaged.options}
            return run_case(Path("model"), order, Path("trees"), nlp=nlp, **settings)  # type: ignore[arg-type]

        result = run()
        problems = list(judge(damaged, result))
        if result.error is None:
            again = run()
            if again.error is not None:
                problems.append(f"L3 again: {again.error}")
            elif again != result:
                problems.append("L3 again: the second run leaves something else")
    return problems


def judge(damaged: Damaged, result: Result) -> list[str]:
    if result.error is not None:
        kind = "coded" if CODED.search(str(result.error)) else "traceback"
        return [f"L3 run ends ({kind}): {type(result.error).__name__}: {result.error}"]
    problems = []
    own = [reason for name, reason in result.failures if name.startswith(damaged.name)]
    if damaged.is_broken and not own:
        problems.append(f"L3 damaged: {damaged.name} is not named; {result.failures}")
    if any(not CODED.search(reason) for reason in own):
        problems.append(f"L3 reason: {own}")
    if result.status != int(bool(result.failures)):
        problems.append(f"L3 status: {result.status} with {len(result.failures)} failures")
    data = b"".join(result.outputs)
    ids = [found.id or "" for found in read_conllu(data)]
    good = [id for id in ids if id.startswith(GOOD)]
    if good != [f"{GOOD}:1", f"{GOOD}:2"]:
        problems.append(f"L3 lost: of {GOOD} there is {good}")
    rest = [id for id in ids if not id.startswith(GOOD)]
    if rest != damaged.names[: len(rest)] and damaged.damage != "junk inside":
        problems.append(f"L3 lost: {rest} is no beginning of {damaged.names}")
    if len(rest) < damaged.n_whole:
        problems.append(f"L3 lost: {len(rest)} documents are written, {damaged.n_whole} could be read")
    if result.counts.get("documents") != len(ids):
        problems.append(f"L3 counts documents: {result.counts} for {len(ids)}")
    return problems
