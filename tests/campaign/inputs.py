"""The cases of the campaign: case N is the same on every machine and in every version."""

import gzip
import io
import json
import os
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pyarrow
import pyarrow.parquet
import spacy
import zstandard
from spacy.tokens import Doc, DocBin

from .pipelines import PIPELINES
from .reading import read_conllu

TEXT_KINDS = ("line", "paragraph", "sentence", "file", "words", "jsonl", "parquet")
KINDS = (*TEXT_KINDS, "conllu", "conllx", "spacy", "docs")
SPARK = "spark"
OUTPUTS = ("conllu", "jsonl", "parquet", "spacy", SPARK)
PACKINGS = ("", "", "", ".gz", ".zst")
SUFFIXES = {"jsonl": ".jsonl", "parquet": ".parquet", "conllu": ".conllu", "conllx": ".conllx"}
SUFFIXES["spacy"] = ".spacy"
# Ways that a Doc goes before it is written
TRANSPORTS = ("plain", "pickle", "bytes", "DocBin", "copy")
PER_DOCUMENT = 10  # sentences, where a file marks no documents

WORDS = [
    *["foxes", "hunt", "the", "Tom", "meets", "a", "hare", "under", "oak", "sleeps", "parle", "temps"],
    *["du", "al", "Du", "AL", "vámonos", "parlarlo", "ballarlo", "Danzarlo", "owls", "rain", "Rain"],
    *["mice", ".", "!", "?", ",", "(", ")", "foxes,", "don't", "l'eau", "l’eau", "lʼeau", "A-B", "-"],
    *["my-text.txt", "0f8a-11ee-be56-0242ac120002", "a=b", "=", "#", "# newdoc", "#a", "1990-1995"],
    *["1-2", "1.1", "2", "_", "__", "|", '"', '"so"', "“so”", "e\u0301te\u0301", "\u05d0\u05d1\u05d2"],
    *["\u0627\u0644", "\U0001f98a", "\U0001f469\u200d\U0001f4bb", "\u2764\ufe0f", "\u200bx", "a\u00adb"],
    *["\u202bx\u202c", "&nbsp;", "<a>", "...", "…", "日本語", "…", "İznik", "ß", "SpaceAfter=No", "No"],
]
# Within a word or between two
WIDE = ["\u00a0", "\u3000", "\u2028", "\u0085", "\u2003", "\x0b", "\x1c"]
NAMES = [
    *["a", "A-B", "my-text", "a=b", "#1", "1990-1995", "it's", 'so "x"', "l’eau", "a\u00a0b", "a\u3000b"],
    *["e\u0301", "\u00e9", "\u05d0\u05d1", "\U0001f98a", "a b", "a_b", "[1]", "x%20y", "a.b", "0" * 60],
    "0f8a2c1e-11ee-be56-0242ac120002",
]
LATIN = os.fsdecode("caf\u00e9".encode("latin-1"))
IDS = [
    *["a b", "a_b", "a/b", "", "x", "x", "A-B", "1-2", "a=b", "# sent_id = 7", "l’eau", "a\u00a0b"],
    *["a\u2028b", "\ud83d", "x\ud83dy", "\U0001f98a", "e\u0301", " x ", "a\nb", "a\tb", "/", "-", "_"],
]


@dataclass
class Expected:
    """A document of the input.

    id: its name, exactly; or, where `lines` are given, the name of its file, which a number of these
    lines may follow. text; or lines_of_words: words by sentence; or sentences of CoNLL-U; or a Doc in
    bytes. fate: "parsed", "fails", or "either".
    """

    id: str
    text: str | None = None
    lines_of_words: list[str] | None = None
    sentences: Any = None
    doc: bytes | None = None
    lines: tuple[int, int] | None = None
    fate: str = "parsed"
    is_marked: bool = False


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


# Texts


def make_words(rng: random.Random, most: int = 8) -> list[str]:
    words = [rng.choice(WORDS) for _ in range(rng.randint(1, most))]
    if rng.random() < 0.3:
        words = [word for word in words if word not in ("owls", "rain", "Rain", "hare", "mice")] or ["a"]
    return words


def make_line(rng: random.Random) -> str:
    """Neither line feeds nor ASCII blanks at the ends."""
    found = ""
    for word in make_words(rng):
        blank = " " if rng.random() < 0.8 else rng.choice(["  ", "\t", "", "\r", *WIDE])
        found += word + blank
    return found.strip(" \t\r\n\x0b\x0c") or "a"


def bad_line(rng: random.Random) -> bytes:
    return rng.choice([b"owls \xff hunt", b"caf\xe9", b"x\0y", b"\xc2\xa0", b"\xe3\x80\x80", b"\xed\xa0\xbd"])


def text_document(name: str, data: bytes, **more: Any) -> Expected:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return Expected(name, fate="fails")
    fate = "fails" if "\0" in text or not text.strip() else "parsed"
    return Expected(name, text, fate=fate, **more)


def make_lines(rng: random.Random, name: str) -> tuple[bytes, list[Expected]]:
    end = rng.choice([b"\n", b"\n", b"\r\n"])
    lines: list[bytes] = []
    found = []
    for _ in range(rng.randint(1, 4)):
        lines += [rng.choice([b"", b" ", b"\t"])] * (rng.random() < 0.2)
        line = bad_line(rng) if rng.random() < 0.06 else make_line(rng).encode()
        lines.append(line)
        found.append(text_document(f"{name}:{len(lines)}", line))
    mark = b"\xef\xbb\xbf" * (rng.random() < 0.1)
    return mark + end.join(lines) + end * (rng.random() < 0.7), found


def make_pretokenized(rng: random.Random, name: str) -> tuple[bytes, list[Expected]]:
    lines, found = [], []
    for number in range(1, rng.randint(2, 5)):
        words = make_words(rng)
        words = [w for word in words for w in word.split(" ")]
        if rng.random() < 0.3:
            words[0] += rng.choice(WIDE[:5]) + "x"
        lines.append(rng.choice([" ", " ", "  ", "\t"]).join(words))
        found.append(Expected(f"{name}:{number}", lines_of_words=[" ".join(words)]))
    return "\n".join(lines).encode(), found


def make_paragraphs(rng: random.Random, name: str) -> tuple[bytes, list[Expected]]:
    end = rng.choice(["\n", "\n", "\r\n"])
    data, found, number = "", [], 1
    for _ in range(rng.randint(1, 3)):
        lines = [make_line(rng) for _ in range(rng.randint(1, 3))]
        text = end.join(lines)
        found.append(text_document(f"{name}:{number}", text.encode()))
        blanks = [rng.choice(["", " "]) for _ in range(rng.randint(1, 2))]
        data += end.join([text, *blanks, ""])
        number += len(lines) + len(blanks)
    return data.encode(), found


def make_sentences(rng: random.Random, name: str) -> tuple[bytes, list[Expected]]:
    lines = [make_line(rng) for _ in range(rng.choice([1, 2, 3, 11]))]
    found = [
        Expected(f"{name}:{first + 1}", text="\n".join(lines[first : first + 10]), lines_of_words=[])
        for first in range(0, len(lines), 10)
    ]
    return "\n".join(lines).encode(), found


def make_file(rng: random.Random, name: str) -> tuple[bytes, list[Expected]]:
    lines = [make_line(rng) if rng.random() < 0.8 else "" for _ in range(rng.randint(1, 4))]
    data = rng.choice(["\n", "\r\n", "\n\n"]).join(lines).encode() if rng.random() > 0.05 else bad_line(rng)
    return data, [text_document(name, data)]


def make_jsonl(rng: random.Random, name: str) -> tuple[bytes, list[Expected]]:
    lines, found = [], []
    is_ascii = rng.random() < 0.5
    for number in range(1, rng.randint(2, 5)):
        place = f"{name}:{number}"
        if rng.random() < 0.08:
            line = rng.choice(['{"text": 5}', "[1]", "{}", '{"text": "a', "x", '{"text": "a\\ud83d b"}'])
            lines.append(line)
            found.append(Expected(place, fate="fails"))
            continue
        text = make_line(rng)
        if rng.random() < 0.2:
            text = rng.choice(["", " ", "\u3000", "a\0b", f"{text}\n{make_line(rng)}\n", f"\ufeff{text}"])
        value: dict[str, Any] = {"text": text}
        id = place
        if rng.random() < 0.8:
            value["id"] = rng.choice([*IDS, 7, None, f"n{number}", f"n{number}"])
            id = place if value["id"] is None else str(value["id"])
        text = text.removeprefix("\ufeff")
        has_half = re.search("[\ud800-\udfff]", id)
        lines.append(json.dumps(value, ensure_ascii=is_ascii or bool(has_half)))
        expected = text_document(id, text.encode())
        if has_half and expected.fate == "parsed":
            expected.fate = "either"
        found.append(expected)
    return "\n".join([*lines, ""]).encode(), found


def make_parquet(rng: random.Random, name: str) -> tuple[bytes, list[Expected]]:
    found, rows = [], []
    for number in range(1, rng.randint(2, 4)):
        text = rng.choice([None, "", "a\0"]) if rng.random() < 0.1 else make_line(rng)
        id = rng.choice([id for id in IDS if not re.search("[\ud800-\udfff]", id)])
        rows.append({"text": text, "id": id})
        found.append(text_document(id, (text or "").encode()))
    table = pyarrow.table({"text": pyarrow.array([row["text"] for row in rows], "string"),
                           "id": [row["id"] for row in rows]})
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(table, buffer)
    return buffer.getvalue(), found


# Treebanks


def make_tree(rng: random.Random, n: int) -> list[int]:
    """Heads from 1, 0 for the root, of any shape."""
    root = rng.randrange(n)
    heads = [0] * n
    inside = [root]
    for word in rng.sample(range(n), n):
        if word != root:
            heads[word] = rng.choice(inside) + 1
            inside.append(word)
    return heads


def make_form(rng: random.Random) -> str:
    if rng.random() < 0.04:
        return rng.choice(["10 000", "a\u2028b", "a\u0085b", "a\u00a0b", "c'est à dire"])
    return rng.choice(WORDS)


MISCS = ["_", "_", "_", "SpaceAfter=No", "SpaceAfter=No|X=1-2", "Translit=a=b", "X=1|SpaceAfter=No", "x y"]
TAGS = [
    ("NOUN", "N", "Number=Sing"), ("VERB", "V", "VerbForm=Inf|Mood=Ind"), ("ADP", "_", "_"),
    ("PRON", "P-1", "Case=Nom,Acc|person=1"), ("_", "_", "_"), ("_", "X", "_"), ("_", "_", "A=B"),
]
LABELS = ["nsubj", "obj", "det", "acl:relcl", "dep", "_", "case"]
COMMENTS = [
    "# a comment", "#", "#no blank", "# 1-2 = x", "# text_en = A-B", "# a=b=c", "# sent_id_old = 1",
    "# newpar id = p 1", "#text = ?", "# note = \u2028 x", "# 1\tx\t_", "# source = #",
]  # fmt: skip


def make_sentence(rng: random.Random, sent_id: str, has_wide: bool) -> list[str]:
    """Lines without ends."""
    n = rng.choice([1, 2, 3, 4, 6])
    heads = make_tree(rng, n)
    ranges: dict[int, int] = {}
    word = 1
    while word < n:
        if rng.random() < 0.2:
            ranges[word] = rng.randint(word + 1, min(n, word + 2))
            word = ranges[word]
        word += 1
    lines = [rng.choice(COMMENTS)] * (rng.random() < 0.2)
    is_named, has_text = rng.random() < 0.8, rng.random() < 0.8
    lines += [f"# sent_id = {sent_id}"] * is_named + ["# text = some - text"] * has_text
    lines += [rng.choice(COMMENTS)] * (rng.random() < 0.2)
    if rng.random() < 0.08:
        lines.append("0.1\tnil\t_\t_\t_\t_\t_\t_\t1:x\t_")
    for word in range(1, n + 1):
        if rng.random() < 0.01 and word > 1:
            lines.append(rng.choice(COMMENTS))
        if word in ranges:
            surface = rng.choice(["du", "al", "aux", "l'eau", "A-B", "1-2"])
            lines.append(f"{word}-{ranges[word]}\t{surface}" + "\t_" * 7 + f"\t{rng.choice(MISCS)}")
        form = make_form(rng)
        if has_wide and rng.random() < 0.4:
            form = rng.choice(["\u3000", "\u00a0"])
        upos, xpos, feats = rng.choice(TAGS)
        head, label = str(heads[word - 1]), "root"
        if head != "0":
            label = rng.choice(LABELS)
        elif rng.random() < 0.1:
            label = "_"
        if rng.random() < 0.1:
            head, label = "_", rng.choice(["_", "dep"])
        lemma = rng.choice([form, "_", "x-y"])
        deps = rng.choice(["_", "_", f"{head}:{label}"])
        columns = [str(word), form, lemma, upos, xpos, feats, head, label, deps, rng.choice(MISCS)]
        lines.append("\t".join(columns))
        if rng.random() < 0.05:
            lines.append(f"{word}.1\tnil-1\t_\t_\t_\t_\t_\t_\t1:x\tX=1")
    return lines


BAD_ROWS = [
    "1\tx", "2\ta\t_\t_\t_\t_\t0\troot\t_\t_", "x", "1\ta\t_\t_\t_\t_\t9\troot\t_\t_",
    "1\ta\t_\tNONE\t_\t_\t0\troot\t_\t_", "1\t\t_\t_\t_\t_\t0\troot\t_\t_",
    "1-2\ta\t_\t_\t_\t_\t_\t_\t_\t_", "-\ta\t_\t_\t_\t_\t_\t_\t_\t_",
]  # fmt: skip
HEADERS = [
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC", "# made by hand - 1", "#",
]  # fmt: skip
PLUS = f"{HEADERS[0]} PARSEME:MWE"  # CoNLL-U Plus
NEWDOCS = ["# newdoc id = {}", "# newdoc id = {}", "#newdoc id = {}", "# newdoc id={}", "# newdoc"]


def make_conllu(rng: random.Random, name: str) -> tuple[bytes, list[Expected]]:
    is_marked = rng.random() < 0.6
    has_wide = rng.random() < 0.1
    lines: list[str] = []
    # One oddity at a time, mostly, so that one fault does not hide the others
    has_blanks, has_note, is_close = (rng.random() < 0.06 for _ in range(3))
    newdocs = NEWDOCS if is_close else NEWDOCS[:2] + NEWDOCS[3:]
    if rng.random() < 0.08:
        lines += [rng.choice(HEADERS)] + [""] * (rng.random() < 0.6)
    bad: set[int] = set()
    n_sentences = 0
    n_documents = rng.randint(1, 3) if is_marked else 1
    used = rng.random() < 0.9
    for document in range(n_documents):
        newdoc = []
        id = rng.choice([*filter(None, IDS[:14]), f"d{document}", f"d{document}"]).strip()
        if is_marked and (document or rng.random() < 0.8):
            mark = rng.choice(newdocs)
            newdoc = [mark.format(id)] if rng.random() < 0.9 else ["# newdoc id ="]
        size = rng.randint(1, 3) if is_marked else rng.choice([1, 2, 3, 9, 10, 11])
        for sentence in range(size):
            n_sentences += 1
            sent_id = f"s-{n_sentences}" if used else f"{id}-{sentence + 2}".replace("/", "_")
            block = make_sentence(rng, sent_id, has_wide)
            if sentence == 0 and newdoc:
                place = 0 if rng.random() < 0.8 else min(1, len(block) - 1)
                block = [*newdoc, *block] if not block[0].startswith("#") or not place else [
                    block[0], *newdoc, *block[1:]]
            if newdoc and rng.random() < 0.03:
                bad.add(document)
                block = [line for line in block if line.startswith("#")] + [rng.choice(BAD_ROWS)]
            if has_note:
                lines.append("# newdoc_note = x")
            lines += block
            blanks = ["", " ", "\t"] if has_blanks else [""]
            lines += [rng.choice(blanks) for _ in range(rng.choice([1, 1, 1, 2]))]
    if rng.random() < 0.08:
        lines += [rng.choice(COMMENTS[:6]), ""]
    is_plus = rng.random() < 0.02
    if is_plus:
        lines = [PLUS, *(f"{line}\t*" if line[:1] not in ("#", "", " ", "\t") else line for line in lines)]
    end = "\r\n" if rng.random() < 0.15 else "\n"
    text = end.join(lines)
    if rng.random() < 0.2:
        text = text.rstrip("\r\n \t")
    data = b"\xef\xbb\xbf" * (rng.random() < 0.05) + text.encode("utf-8", "surrogatepass")
    # Half a surrogate pair is no UTF-8: its document fails
    found = []
    for document in read_conllu(data, PER_DOCUMENT):
        lines_in = text.split("\n")[document.first_line - 1 : document.last_line]
        words = [row for sentence in document.sentences for row in sentence.rows]
        is_bad = any("\t".join(row[:10]) in BAD_ROWS for row in words) or not words
        is_bad = is_bad or any("\ud83d" in line for line in lines_in)
        expected = Expected(document.id or name, sentences=document.sentences)
        expected.is_marked = document.is_marked
        if not document.id:
            expected.lines = (1 if not found else document.first_line, document.last_line)
        expected.fate = "fails" if is_bad else "either" if is_plus else "parsed"
        found.append(expected)
    return data, found


def make_conllx(rng: random.Random, name: str) -> tuple[bytes, list[Expected]]:
    lines, found = [], []
    for _ in range(rng.choice([1, 2, 3, 10, 11])):
        n = rng.randint(1, 4)
        heads = make_tree(rng, n)
        if rng.random() < 0.2:
            heads = [0] * n  # several roots
        for word in range(1, n + 1):
            form = rng.choice(WORDS)
            tag = rng.choice(["N", "P-1", "_"])
            feats = rng.choice(["_", "x", "a=b|a=c", "Number=Sing"])
            head = heads[word - 1]
            label = rng.choice(LABELS[:4])
            lines.append("\t".join([str(word), form, form, "C", tag, feats, str(head), label, "_", "_"]))
        lines.append("")
    data = "\n".join([*lines, ""] * (rng.random() < 0.9) or lines).encode()
    for document in read_conllu(data, PER_DOCUMENT):
        span = document.first_line, document.last_line
        found.append(Expected(name, sentences=document.sentences, lines=span))
    return data, found


# Docs

BLANK = spacy.blank("xx")


def make_doc(rng: random.Random) -> Doc:
    """With or without annotation, on a vocab that is not the pipeline's."""
    size = rng.random()
    if size < 0.04:
        return Doc(BLANK.vocab)
    if size < 0.08:
        return BLANK(rng.choice([" ", "\n\n", "\u3000"]))
    doc = BLANK("\n ".join(make_line(rng) for _ in range(rng.randint(1, 2))) + " " * rng.randint(0, 1))
    if rng.random() < 0.2:
        for token in doc:
            token.is_sent_start = token.i == 0 or rng.random() < 0.2
    if rng.random() < 0.2:
        doc.user_data["mine"] = ("a", 1)
    return doc


def make_spacy(rng: random.Random, name: str) -> tuple[bytes, list[Expected]]:
    docs, found = [], []
    for number in range(1, rng.randint(2, 4)):
        doc = make_doc(rng)
        id = f"{name}:{number}"
        if rng.random() < 0.5:
            id = rng.choice([id for id in IDS if not re.search("[\ud800-\udfff]", id)])
            doc.user_data["doc_id"] = id
        docs.append(doc)
        fate = "parsed" if any(not token.is_space for token in doc) else "either"
        found.append(Expected(id, doc=doc.to_bytes(), fate=fate))
    return DocBin(docs=docs, store_user_data=True).to_bytes(), found


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
