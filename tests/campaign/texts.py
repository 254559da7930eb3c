"""Texts, and files of texts and of Docs, made to hurt. A maker takes random numbers and the name of the
file, and gives its bytes and the documents in it."""

import io
import json
import random
import re
from dataclasses import dataclass
from typing import Any

import pyarrow
import pyarrow.parquet
import spacy
from spacy.tokens import Doc, DocBin

PER_DOCUMENT = 10  # sentences, where a file marks no documents
WORDS = [
    *["foxes", "hunt", "the", "Tom", "meets", "a", "hare", "under", "oak", "sleeps", "parle", "temps"],
    *["du", "al", "Du", "AL", "vámonos", "parlarlo", "ballarlo", "Danzarlo", "owls", "rain", "Rain"],
    *[
        "mice",
        ".",
        "!",
        "?",
        ",",
        "(",
        ")",
        "foxes,",
        "don't",
        "l'eau",
        "l\u2019eau",
        "l\u02bceau",
        "A-B",
        "-",
    ],
    *["my-text.txt", "0f8a-11ee-be56-0242ac120002", "a=b", "=", "#", "# newdoc", "#a", "1990-1995"],
    *["1-2", "1.1", "2", "_", "__", "|", '"', '"so"', "“so”", "e\u0301te\u0301", "\u05d0\u05d1\u05d2"],
    *["\u0627\u0644", "\U0001f98a", "\U0001f469\u200d\U0001f4bb", "\u2764\ufe0f", "\u200bx", "a\u00adb"],
    *["\u202bx\u202c", "&nbsp;", "<a>", "...", "…", "日本語", "…", "İznik", "ß", "SpaceAfter=No", "No"],
]
# Within a word or between two
WIDE = ["\u00a0", "\u3000", "\u2028", "\u0085", "\u2003", "\x0b", "\x1c"]
IDS = [
    *["a b", "a_b", "a/b", "", "x", "x", "A-B", "1-2", "a=b", "# sent_id = 7", "l\u2019eau", "a\u00a0b"],
    *["a\u2028b", "\ud83d", "x\ud83dy", "\U0001f98a", "e\u0301", " x ", "a\nb", "a\tb", "/", "-", "_"],
]


@dataclass
class Expected:
    """A document of the input.

    id: its name, exactly, or the default if that is empty; or, where `lines` are given, the name of its
    file, which a number of these lines may follow. text; or lines_of_words: words by sentence; or
    sentences of CoNLL-U; or a Doc in bytes. fate: "parsed", "fails", or "either".
    """

    id: str
    text: str | None = None
    lines_of_words: list[str] | None = None
    sentences: Any = None
    doc: bytes | None = None
    lines: tuple[int, int] | None = None
    fate: str = "parsed"
    default: str = ""
    is_marked: bool = False


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
    return rng.choice(
        [b"owls \xff hunt", b"caf\xe9", b"x\0y", b"\xc2\xa0", b"\xe3\x80\x80", b"\xed\xa0\xbd"]
    )


def text_document(name: str, data: bytes, **more: Any) -> Expected:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return Expected(name, fate="fails", **more)
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
    data = (
        rng.choice(["\n", "\r\n", "\n\n"]).join(lines).encode() if rng.random() > 0.05 else bad_line(rng)
    )
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
            text = rng.choice(
                ["", " ", "\u3000", "a\0b", f"{text}\n{make_line(rng)}\n", f"\ufeff{text}"]
            )
        value: dict[str, Any] = {"text": text}
        id = place
        if rng.random() < 0.8:
            value["id"] = rng.choice([*IDS, 7, None, f"n{number}", f"n{number}"])
            id = place if value["id"] is None else str(value["id"])
        text = text.removeprefix("\ufeff")
        has_half = re.search("[\ud800-\udfff]", id)
        lines.append(json.dumps(value, ensure_ascii=is_ascii or bool(has_half)))
        expected = text_document(id, text.encode(), default=place)
        if has_half and expected.fate == "parsed":
            expected.fate = "either"
        found.append(expected)
    return "\n".join([*lines, ""]).encode(), found


def make_parquet(rng: random.Random, name: str) -> tuple[bytes, list[Expected]]:
    found, texts, ids = [], [], []
    for number in range(1, rng.randint(2, 4)):
        nothing = rng.choice([None, b"", b"a\0", bad_line(rng)])
        texts.append(nothing if rng.random() < 0.15 else make_line(rng).encode())
        ids.append(rng.choice([id for id in IDS if not re.search("[\ud800-\udfff]", id)]))
        found.append(text_document(ids[-1], texts[-1] or b"", default=f"{name}:{number}"))
    # What another program wrote as texts need not be in UTF-8
    table = pyarrow.table({"text": pyarrow.array(texts, "binary").view("string"), "id": ids})
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(table, buffer)
    return buffer.getvalue(), found


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
        default = f"{name}:{number}"
        found.append(Expected(id, doc=doc.to_bytes(), fate=fate, default=default))
    return DocBin(docs=docs, store_user_data=True).to_bytes(), found
