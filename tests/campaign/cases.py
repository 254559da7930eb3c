"""Runs cases: what goes in, what the pipeline makes of it, what comes out, and which laws it breaks."""

import json
import os
import pickle
import re
import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import srsly
from spacy.language import BaseDefaults, Language
from spacy.tokens import Doc, DocBin
from spacy.vocab import create_vocab

from . import drive, laws
from .drive import Result, run_case
from .expected import Parsed, parse_all
from .inputs import Case, make_case
from .lines import ADDED
from .pipelines import CHANGING, pipeline
from .reading import Sentence, read_conllu, take_score

SCRATCH = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
# One case of so many is tried with what takes longer
AGAIN, VALID = 4, 40


srsly.msgpack.msgpack_encoders.entry_points = False  # they are looked for at every call
srsly.msgpack.msgpack_decoders.entry_points = False


def cell_of(number: int) -> tuple[str, str, str]:
    return make_case(number).cell


def problems_of(number: int) -> list[str]:
    """What is wrong in a case: "LAW name: what"."""
    case = make_case(number)
    nlp = pipeline(case.pipeline)
    with warnings.catch_warnings(), scratch(), files(case):
        warnings.simplefilter("ignore")
        parsed = parse_all(case, nlp)
        found = docs_case(case, nlp) if case.kind == "docs" else run_and_check(case, nlp, parsed)
        return list(dict.fromkeys(found))


@contextmanager
def scratch() -> Iterator[None]:
    """A new folder to work in, so that names of files are the same every time."""
    before, folder = os.getcwd(), mkdtemp(dir=SCRATCH)
    os.chdir(folder)
    try:
        Path("model").mkdir()
        Path("model/meta.json").write_text('{"lang": "xx", "name": "campaign", "version": "0.0.0"}')
        yield
    finally:
        os.chdir(before)
        shutil.rmtree(os.fsencode(folder))


@contextmanager
def files(case: Case) -> Iterator[None]:
    for name, data in case.files:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(data)
    yield


def run(case: Case, nlp: Language, output: str, folder: str, **settings: Any) -> Result:
    return run_case(
        Path("model"),
        [name for name, _ in case.files],
        Path(folder),
        output=output,
        kind=case.kind,
        nlp=nlp,
        **{
            "by_command": case.by_command,
            **({"to_stdout": True} if case.to_stdout and output == case.output else {}),
            "shard_words": case.shard_words,
            "batch_words": case.batch_words,
            "retokenize": case.retokenize,
            **settings,
        },
    )


def run_and_check(case: Case, nlp: Language, parsed: list[Parsed]) -> Iterator[str]:
    if case.output == "spark":
        # What its readers give it; there a text that is empty is a document, too
        with_text = [
            (document, one)
            for document, one in zip(case.documents, parsed, strict=True)
            if document.text is not None and document.lines_of_words is None
            and not re.search("[\ud800-\udfff]", document.id)
        ]  # fmt: skip
        case.documents = [document for document, _ in with_text]
        parsed = [one for _, one in with_text]
        texts = [document.text for document in case.documents]
        result = drive.run_spark(nlp, [d.id for d in case.documents], texts, case.batch_words)
    else:
        result = run(case, nlp, case.output, "trees")
    yield from check(case, nlp, result, parsed)


def check(case: Case, nlp: Language, result: Result, parsed: list[Parsed]) -> Iterator[str]:
    if result.error is not None:
        yield from laws.ends(result)
        return
    if case.output != "spark":
        yield from laws.status(result)
    documents, problems = laws.assign(case, parsed, result.failures)
    yield from problems
    if any(problem.startswith("L3 lost") for problem in problems):
        return
    from_text = not case.documents or case.documents[0].sentences is None
    merged = case.pipeline == "merged" and (from_text or case.retokenize)
    if case.output == "conllu":
        yield from laws.conllu_output(case, result, documents, merged=merged)
        yield from read_again(case, nlp, result, merged)
    elif case.output == "spacy":
        yield from laws.spacy_output(case, result, documents)
        if case.number % AGAIN == 0:
            yield from docs_as_conllu(case, nlp, result)
    else:
        conllu = None
        if merged:
            conllu = run(as_jsonl(case) if case.output == "spark" else case, nlp, "conllu", "same")
        yield from laws.row_output(case, result, documents, conllu)


def as_jsonl(case: Case) -> Case:
    """The texts that Spark gets, in a file."""
    lines = [json.dumps({"id": document.id, "text": document.text}) for document in case.documents]
    Path("texts.jsonl").write_text("\n".join(lines))
    return Case(case.number, "jsonl", "conllu", case.pipeline, files=[("texts.jsonl", b"")])


def read_again(case: Case, nlp: Language, result: Result, merged: bool) -> Iterator[str]:
    """L4: what was written is read again and is the same."""
    data = b"".join(result.outputs)
    if not data:
        return
    path = Path("again.conllu")
    path.write_bytes(data)
    try:
        found = drive.read_back(path)
    except Exception as error:
        yield f"L4 read again: {type(error).__name__}: {error}"
        return
    own = [sentence for document in read_conllu(data) for sentence in document.sentences]
    words = [sentence.words for sentence in own]
    if [one[1] for one in found] != words:
        yield f"L4 read again: {[one[1] for one in found]} instead of {words}"
    elif [one[2] for one in found] != [len(sentence.ranges) for sentence in own]:
        yield "L4 read again: other multiword tokens"
    if case.number % AGAIN == 0 and case.kind == "conllu" and not case.retokenize:
        yield from parsed_again(case, nlp, data)
    if case.number % VALID == 0:
        yield from valid(case, data)


def parsed_again(case: Case, nlp: Language, data: bytes) -> Iterator[str]:
    """L4: the output, parsed with the same pipeline, is the same."""
    if case.pipeline in CHANGING or any(
        re.search("\t[\u3000\u00a0]\t", line) for line in [data.decode()]
    ):
        return
    case_again = Case(case.number, "conllu", "conllu", case.pipeline, files=[("again.conllu", data)])
    again = run(case_again, nlp, "conllu", "second")
    marked = read_conllu(data)
    if (
        len(marked) == 1
        and not marked[0].is_marked
        and (len(marked[0].sentences) > 10 or len(case.files) > 1)
    ):
        return  # other groups of ten
    if len(case.files) > 1 and not all(document.is_marked for document in marked):
        return
    if again.error is not None or again.failures:
        yield f"L4 parsed again: {again.error} {again.failures}"
    elif b"".join(again.outputs) != data:
        yield "L4 parsed again: " + first_difference(b"".join(again.outputs).decode(), data.decode())


def first_difference(found: str, expected: str) -> str:
    for a, b in zip(found.split("\n"), expected.split("\n"), strict=False):
        if a != b:
            return f"{a!r} instead of {b!r}"
    return "one is longer"


def without_names(text: str, keeps: bool) -> list[str]:
    """The lines without comments that writers add."""
    lines = [line.rstrip("\r") for line in text.split("\n") if line.strip()]
    return [line for line in lines if not ADDED.match(line) and (keeps or not line.startswith("#"))]


def docs_as_conllu(case: Case, nlp: Language, result: Result) -> Iterator[str]:
    """L4: Docs in `.spacy`, written as CoNLL-U, are what `parse` writes as CoNLL-U."""
    same = run(case, nlp, "conllu", "same")
    if same.error is not None or len(same.failures) != len(result.failures):
        return
    try:
        docs = []
        for data in result.outputs:
            docs += DocBin(store_user_data=True).from_bytes(data).get_docs(nlp.vocab)
        text = drive.conllu_of(docs)
    except Exception as error:
        yield f"L4 docs: {type(error).__name__}: {error}"
        return
    found = without_names(text, False)
    expected = without_names(b"".join(same.outputs).decode(), False)
    a, b = drop_spelling(found), drop_spelling(expected)
    if case.kind == "conllu" and case.pipeline not in (*CHANGING, "fails") and not has_wide(case):
        yield from docs_again(case, nlp, result, b)
    if case.pipeline not in CHANGING and a != b:
        if without_deps(a) == without_deps(b):
            yield "L4 kept: DEPS or empty nodes are lost in a Doc"
            return
        yield "L4 docs: " + first_difference("\n".join(a), "\n".join(b))


def docs_again(case: Case, nlp: Language, result: Result, expected: list[str]) -> Iterator[str]:
    """L4: Docs of a treebank that were parsed are parsed again, with the same trees."""
    names = []
    for number, data in enumerate(result.outputs):
        names.append(f"again-{number:03}.spacy")
        Path(names[-1]).write_bytes(data)
    again = Case(case.number, "spacy", "conllu", case.pipeline, files=[(name, b"") for name in names])
    found = run(again, nlp, "conllu", "again")
    if found.error is not None or found.failures:
        yield f"L4 docs again: {found.error} {found.failures}"
        return
    a = without_deps(drop_spelling(without_names(b"".join(found.outputs).decode(), False)))
    b = without_deps(expected)
    if a != b:
        yield "L4 docs again: " + first_difference("\n".join(a), "\n".join(b))


def drop_spelling(lines: list[str]) -> list[str]:
    """Without what a Doc has its own spelling of: lemmas, tags, features, and the label of a root."""
    rows = [line.split("\t") for line in lines]
    rows = [[*row[:7], "root", *row[8:]] if len(row) == 10 and row[6] == "0" else row for row in rows]
    return ["\t".join([*row[:2], *row[6:]]) if row[0].isdecimal() else "\t".join(row) for row in rows]


def without_deps(lines: list[str]) -> list[str]:
    rows = [line.split("\t") for line in lines if not re.match(r"\d+\.", line)]
    return ["\t".join([*row[:-2], row[-1]]) for row in rows]


# Docs of Python


def docs_case(case: Case, nlp: Language) -> Iterator[str]:
    """Docs of texts and of a treebank, parsed and carried in some way, are written as they would be at
    once (L4); the words, ranges and comments of a treebank's are those of the file (L2)."""
    name, _ = case.files[0]
    with nlp.memory_zone():
        try:
            docs = [nlp(text) for text in case.texts]
        except Exception:
            docs = []
        yield from carried_alike(case, nlp, docs)
        try:
            docs = [nlp(doc) for doc in drive.treebank_docs(nlp, Path(name))]
        except Exception as error:
            fails = case.pipeline in ("fails", *CHANGING) or any(
                document.fate == "fails" for document in case.documents
            )
            if not fails:
                yield f"L3 refused: {type(error).__name__}: {error}"
            return
        if any(document.fate == "fails" for document in case.documents):
            yield "L3 accepted: a file that is no CoNLL-U"
            return
        yield from carried_alike(case, nlp, docs)
        if case.pipeline in CHANGING or has_wide(case):
            return
        yield from like_file(case, drive.conllu_of(docs))


def carried_alike(case: Case, nlp: Language, docs: list[Doc]) -> Iterator[str]:
    expected = drive.conllu_of(docs)
    try:
        found = drive.conllu_of([carried(doc, case.transport) for doc in docs])
    except Exception as error:
        if case.pipeline != "spans":  # spaCy's own error
            yield f"L4 docs: {type(error).__name__}: {error}"
        return
    if found != expected:
        yield "L4 docs: " + first_difference(found, expected)


def like_file(case: Case, text: str) -> Iterator[str]:
    own = [s for d in read_conllu(case.plain[0]) for s in d.sentences]
    written = [s for d in read_conllu(text.encode()) for s in d.sentences]
    if [[w[:2] for w in s.words] for s in own] != [[w[:2] for w in s.words] for s in written]:
        yield "L1 words: Docs have other words than their file"
    elif [[r[2] for r in s.ranges] for s in own] != [[r[2] for r in s.ranges] for s in written]:
        yield "L2 lines: Docs have other multiword tokens than their file"
    elif [s.comments for s in own] != [s.comments for s in written]:
        yield "L2 comments: Docs have other comments than their file"
    elif miscs(own) != miscs(written):
        yield "L2 lines: Docs have another MISC than their file"


def miscs(sentences: list[Sentence]) -> list[list[str]]:
    return [[take_score(word[9])[0] for word in sentence.words] for sentence in sentences]


def has_wide(case: Case) -> bool:
    return any(form in ("\u3000", "\u00a0") for form in forms_of(case))


def forms_of(case: Case) -> list[str]:
    return [w[1] for d in case.documents for s in d.sentences or () for w in s.words]


def carried(doc: Doc, transport: str) -> Doc:
    """With another vocab, as in another process."""
    if transport == "pickle":
        return pickle.loads(pickle.dumps(doc))  # type: ignore[no-any-return]
    vocab = create_vocab("xx", BaseDefaults)
    if transport == "bytes":
        return Doc(vocab).from_bytes(doc.to_bytes())
    if transport == "DocBin":
        data = DocBin(docs=[doc], store_user_data=True).to_bytes()
        return next(iter(DocBin(store_user_data=True).from_bytes(data).get_docs(vocab)))
    return doc.copy() if transport == "copy" else doc


# udtools


@cache
def validator() -> Any:
    from udtools.argparser import parse_args_validator
    from udtools.validator import Validator

    arguments = ["--quiet", "--lang", "ud", "--level", "2", "-"]
    return Validator(lang="ud", level=2, args=parse_args_validator(arguments))


def valid(case: Case, data: bytes) -> Iterator[str]:
    """L4: the validator of Universal Dependencies finds nothing that it does not find in the input."""

    def errors(data: bytes) -> set[str]:
        path = Path("valid.conllu")
        path.write_bytes(data)
        return {incident.testid for incident in validator().validate_files([str(path)]).error_tracker}

    if case.kind == "conllu":
        if len(case.plain) > 1 or any(document.fate == "fails" for document in case.documents):
            return
        own = [sentence for document in case.documents for sentence in document.sentences]
        if not all(sentence.comment("sent_id") and sentence.comment("text") for sentence in own):
            return  # without these the validator does not look at the rest
        # Of trees with unknown heads the validator does not look at the text, which is another one
        before = errors(case.plain[0]) | {
            name for name in errors(data) if "text" in name or "space" in name
        }
    else:
        before = {"unicode-normalization"}
    before.add("non-unique-sent-id")  # a law of its own
    if case.pipeline in CHANGING:
        before |= {"leading-whitespace", "trailing-whitespace"}  # of the component's tokens
    if case.kind == "conllx":
        before.add("invalid-feature")
    if case.pipeline != "tagged":
        before.add("unknown-upos")  # _
    new = errors(data) - before
    if new:
        yield f"L4 valid: {sorted(new)}"
