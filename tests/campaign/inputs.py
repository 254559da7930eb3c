"""The cases of the campaign: case N is the same on every machine and in every version."""

import gzip
import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import zstandard

from .pipelines import PIPELINES
from .texts import (
    Expected,
    make_file,
    make_jsonl,
    make_line,
    make_lines,
    make_paragraphs,
    make_parquet,
    make_pretokenized,
    make_sentences,
    make_spacy,
)
from .treebanks import make_conllu, make_conllx

TEXT_KINDS = ("line", "paragraph", "sentence", "file", "words", "jsonl", "parquet")
KINDS = (*TEXT_KINDS, "conllu", "conllx", "spacy", "docs")
SPARK = "spark"
OUTPUTS = ("conllu", "jsonl", "parquet", "spacy", SPARK)
PACKINGS = ("", "", "", ".gz", ".zst")
SUFFIXES = {"jsonl": ".jsonl", "parquet": ".parquet", "conllu": ".conllu", "conllx": ".conllx"}
SUFFIXES["spacy"] = ".spacy"
# Ways that a Doc goes before it is written
TRANSPORTS = ("plain", "pickle", "bytes", "DocBin", "copy")
NAMES = [
    *[
        "a",
        "A-B",
        "my-text",
        "a=b",
        "#1",
        "1990-1995",
        "it's",
        'so "x"',
        "l\u2019eau",
        "a\u00a0b",
        "a\u3000b",
    ],
    *["e\u0301", "\u00e9", "\u05d0\u05d1", "\U0001f98a", "a b", "a_b", "[1]", "x%20y", "a.b", "0" * 60],
    "0f8a2c1e-11ee-be56-0242ac120002",
]
LATIN = os.fsdecode("caf\u00e9".encode("latin-1"))


@dataclass
class Case:
    number: int
    kind: str
    output: str
    pipeline: str
    files: list[tuple[str, bytes]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)  # that become Docs
    plain: list[bytes] = field(default_factory=list)  # the same, not packed
    documents: list[Expected] = field(default_factory=list)
    transport: str = "plain"
    by_command: bool = False
    to_stdout: bool = False
    shard_words: int = 200_000
    batch_words: int = 10_000
    retokenize: bool = False

    @property
    def cell(self) -> tuple[str, str, str]:
        return self.kind, self.output, self.pipeline


def make_case(number: int) -> Case:
    """Kinds, outputs and pipelines take turns, so that all meet in few cases."""
    rng = random.Random(number)
    kind, output = KINDS[number % len(KINDS)], OUTPUTS[number % len(OUTPUTS)]
    if output == SPARK and kind not in (*TEXT_KINDS, "docs"):
        output = rng.choice(OUTPUTS[:4])
    case = Case(number, kind, output, PIPELINES[number % len(PIPELINES)])
    if kind == "docs":
        case.transport = TRANSPORTS[number % len(OUTPUTS)]
        case.output = case.transport
        case.texts = [make_line(rng) for _ in range(rng.randint(0, 3))]
    case.by_command = rng.random() < 0.1 and kind != "docs"
    case.to_stdout = case.by_command and output in ("conllu", "jsonl") and rng.random() < 0.4
    case.shard_words = rng.choice([200_000, 200_000, 5])
    case.batch_words = rng.choice([10_000, 10_000, 3])
    case.retokenize = kind == "conllu" and rng.random() < 0.05
    names: list[str] = []
    for _ in range(1 if kind == "docs" else rng.choice([1, 1, 2])):
        name = file_name(rng, kind)
        while name in names:
            name = f"x{name}"
        names.append(name)
        data, documents = MAKERS[kind](rng, name)
        case.documents += documents
        case.plain.append(data)
        case.files.append((name, packed(name, data)))
    return case


def file_name(rng: random.Random, kind: str) -> str:
    name = rng.choice([*NAMES, "a", "b"]) if rng.random() > 0.04 else LATIN
    folder = rng.choice(["", "", "", "A-B/", "a b/", "1990-1995/"])
    packing = rng.choice(PACKINGS) if kind != "parquet" else ""
    return f"{folder}{name}{SUFFIXES.get(kind, '.txt')}{packing}"


def packed(name: str, data: bytes) -> bytes:
    if name.endswith(".gz"):
        return gzip.compress(data, mtime=0)
    return zstandard.compress(data) if name.endswith(".zst") else data


MAKERS: dict[str, Callable[[random.Random, str], tuple[bytes, list[Expected]]]] = {
    "line": make_lines,
    "paragraph": make_paragraphs,
    "sentence": make_sentences,
    "file": make_file,
    "words": make_pretokenized,
    "jsonl": make_jsonl,
    "parquet": make_parquet,
    "conllu": make_conllu,
    "conllx": make_conllx,
    "spacy": make_spacy,
    "docs": make_conllu,
}
