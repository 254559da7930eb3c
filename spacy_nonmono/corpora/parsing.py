"""Parsing documents with a loaded pipeline, and their results in the format of the output."""

import json
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import Any, BinaryIO, NamedTuple, Protocol
from weakref import WeakSet

from spacy.language import Language
from spacy.tokenizer import Tokenizer
from spacy.tokens import Doc, DocBin

from ..errors import Errors
from ..extras import import_extra
from ..treebank.corpus import make_words_doc
from ..treebank.sentences import DEPREL, EMPTY, HEAD, ID, LEMMA, UPOS, make_text, parse_sentences
from ..treebank.writer import (
    SENT_ID,
    TEXT_IS,
    WHITE,
    conllu_text,
    id_of,
    lemma_and_tags,
    sentence_texts,
)
from ..white_space import words_of
from .documents import CONLLU, DOC_ID, JSONL, NEWDOC, PARQUET, SPACY, TEXT, Document
from .rows import ARROW, ROW_COLUMNS, arrow_columns, doc_rows

# Formats of the output, and the suffixes of its files
OUTPUTS = {CONLLU: ".conllu", JSONL: ".jsonl", PARQUET: ".parquet", SPACY: ".spacy"}
# The end of a sentence
EMPTY_END = re.compile(r"\n[ \r]*\n\s*$")
# Byte order marks in front of lines: texts of JSON and Parquet have been in files, too
LINE_MARKS = re.compile(b"^(?:" + BOM_UTF8 + b")+", re.MULTILINE)
# Pipelines whose tokenizer remembers words
_remembering: WeakSet[Language] = WeakSet()


class Failure(NamedTuple):
    """A document that could not be parsed."""

    doc_id: str
    reason: str


def remember_words(nlp: Language, documents: Sequence[Document]) -> None:
    """Let the tokenizer remember the commonest words of the first documents that a pipeline gets.

    Within a memory zone spaCy's tokenizer remembers no word: it splits each one anew, which takes four
    times as long. What it has remembered before, it knows there.
    """
    if nlp in _remembering or not isinstance(nlp.tokenizer, Tokenizer):
        return
    _remembering.add(nlp)
    counts: Counter[str] = Counter()
    for document in documents:
        if document.format == TEXT and len(document.data) <= nlp.max_length:
            counts.update(document.data.decode("utf-8", "replace").split())
    for word, _ in counts.most_common(nlp.tokenizer.max_cache_size):
        nlp.tokenizer(word)


def parse_documents(
    nlp: Language, documents: Sequence[Document], retokenize: bool, failed: list[Failure]
) -> list[tuple[Document, Doc]]:
    """Parse some documents together. If that fails, each is parsed alone.

    retokenize: whether the words and sentences of CoNLL-U are to be found anew. failed: gets the
    documents that cannot be parsed.
    """
    made = []
    for document in documents:
        with _noting(document, failed):
            made.append((document, make_doc(nlp, document, retokenize)))
    try:
        docs = list(nlp.pipe([doc for _, doc in made], batch_size=max(len(made), 1)))
    except Exception:
        return _parse_alone(nlp, [document for document, _ in made], retokenize, failed)
    return [(document, doc) for (document, _), doc in zip(made, docs, strict=True)]


def _parse_alone(
    nlp: Language, documents: Sequence[Document], retokenize: bool, failed: list[Failure]
) -> list[tuple[Document, Doc]]:
    done = []
    for document in documents:
        with _noting(document, failed):
            # A new Doc: the first one may have come half way
            done.append((document, nlp(make_doc(nlp, document, retokenize))))
    return done


@contextmanager
def _noting(document: Document, failed: list[Failure]) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        failed.append(Failure(document.id, str(error) if str(error).startswith("[") else repr(error)))


def make_doc(nlp: Language, document: Document, retokenize: bool) -> Doc:
    """The words of a document, as they are before the pipeline.

    Raises ValueError (NM191) if it cannot be read; what spaCy raises for one that is too long (E088).
    """
    if document.problem:
        raise ValueError(document.problem)
    if document.format == SPACY:
        return Doc(nlp.vocab).from_bytes(document.data)
    try:
        text = LINE_MARKS.sub(b"", document.data).decode("utf-8")
    except UnicodeDecodeError as error:
        found = f"byte {error.object[error.start]:#04x} at byte {error.start + 1}"
        raise ValueError(Errors.NM191.format(found=found, expected="text in UTF-8")) from None
    if document.format == CONLLU:
        sentences = list(parse_sentences(text, document.file or document.id, document.line))
        if not retokenize:
            doc = make_words_doc(nlp.vocab, sentences, gold_sents=True, gold_tags=True)
            lemmas = (word[LEMMA] for sentence in sentences for word in sentence.words)
            for token, lemma in zip(doc, lemmas, strict=True):
                token.lemma_ = "" if lemma == EMPTY else lemma
            return doc
        text = make_text(sentences)
    if "\0" in text:
        found, expected = "NUL characters", "text in UTF-8 without them (UTF-16 has many)"
        raise ValueError(Errors.NM191.format(found=found, expected=expected))
    doc = _make_text_doc(nlp, text, document)
    if all(token.is_space for token in doc):
        raise ValueError(Errors.NM191.format(found="no words", expected="one or more"))
    return doc


def _make_text_doc(nlp: Language, text: str, document: Document) -> Doc:
    """The tokens of a text, with the words and the sentences that it has."""

    def tokens_of(line: str) -> Doc:
        if not document.has_words:
            return nlp.make_doc(line)
        return Doc(nlp.vocab, [word for word in WHITE.split(line) if word])

    if not document.has_sentences:
        return tokens_of(text)
    docs = [tokens_of(line.strip()) for line in text.split("\n") if line.strip()]
    if not docs:
        return nlp.make_doc("")
    doc: Any = Doc.from_docs(docs, ensure_whitespace=True)
    starts = set(accumulate(map(len, docs), initial=0))
    for token in doc:
        token.is_sent_start = token.i in starts
    return doc  # type: ignore[no-any-return]


class Writer(Protocol):
    def add(self, document: Document, doc: Doc) -> None:
        """Write a parsed document, or nothing of it: raises ValueError (NM085) if an arc leaves its
        sentence."""

    def close(self) -> None:
        """Write what has not been written."""


class ConlluWriter:
    """keep_lines: of a document in CoNLL-U all but HEAD and DEPREL stays byte for byte, as long as words
    have tags. But each sentence has a `sent_id` and a `text`, there is an empty line behind the last
    one, and if the document has no name and follows one that has, it gets one. expand: as for
    `conllu_text`."""

    def __init__(self, file: BinaryIO, keep_lines: bool, expand: bool) -> None:
        self._file = file
        self._keep_lines = keep_lines
        self._expand = expand
        self._has_names = False

    def add(self, document: Document, doc: Doc) -> None:
        is_kept = document.format == CONLLU and self._keep_lines
        if is_kept:
            arcs = _with_arcs(document.data.decode("utf-8"), doc)
            text = "\n".join(_with_comments(arcs, doc, id_of(document.id)))
            text += "\n" * (not text.endswith("\n")) + "\n" * (not EMPTY_END.search(text))
            is_named = text.lstrip().startswith(NEWDOC.decode())
        else:
            text, is_named = conllu_text(doc, document.id, expand=self._expand), False
        if text and not is_named and (self._has_names or not is_kept):
            # A name may hold anything, but a comment is a line
            text = f"{NEWDOC.decode()} id = {' '.join(document.id.split())}\n{text}"
        self._has_names |= is_named or not is_kept
        self._file.write(text.encode("utf-8"))

    def close(self) -> None:
        pass


def _with_arcs(text: str, doc: Doc) -> Iterator[str]:
    """The lines of CoNLL-U with the heads and labels of the Doc; and where the UPOS of a word is not
    known, with the lemma and the tags of the Doc, if the line has none."""
    rows = [line.split("\t") for line in text.split("\n")]
    is_word = [row[ID].isdecimal() for row in rows]
    # The first word of the sentence that each word is in, as the lines have it
    firsts: list[int] = []
    is_new = True
    for row, is_one in zip(rows, is_word, strict=True):
        if is_one:
            firsts.append(len(firsts) if is_new else firsts[-1])
        is_new = not is_one and (is_new or not row[0].strip())
    heirs: dict[int, int] = {}
    if len(words_of(doc)) < len(doc):
        # The first word of each sentence, or its first token if all are white space
        heirs = dict(zip(firsts, firsts, strict=True))
        heirs |= {firsts[token.i]: token.i for token in reversed(doc) if not token.is_space}
    words = iter(doc)
    for row, is_one in zip(rows, is_word, strict=True):
        if is_one:
            token = next(words)
            head, first = token.head.i, firsts[token.i]
            if firsts[head] != first and token.is_space:
                head = heirs[first]
            if firsts[head] != first:
                raise ValueError(Errors.NM085.format(word=token.text, i=token.i, head=head))
            if head != token.i:
                row[HEAD], row[DEPREL] = str(head - first + 1), token.dep_
            elif row[HEAD] != "0" or row[DEPREL] == EMPTY:
                row[HEAD], row[DEPREL] = "0", "root"
            if row[UPOS] == EMPTY:
                found = lemma_and_tags(token)
                row[LEMMA:HEAD] = [
                    new if old == EMPTY else old for old, new in zip(row[LEMMA:HEAD], found, strict=True)
                ]
        yield "\t".join(row)


def _with_comments(lines: Iterable[str], doc: Doc, name: str) -> Iterator[str]:
    """Lines of CoNLL-U where each sentence has a `sent_id`, of that name and its number if the file has
    none, and a `text`, unless a component has changed the words. doc: of these lines."""
    n_sentences = 0
    names: set[str] = set()  # of the comments
    texts: list[str] | None = None
    is_inside = False
    for line in lines:
        if line.startswith("#"):
            names.add(line[1:].partition("=")[0].strip())
        elif line.strip() and not is_inside:
            n_sentences += 1
            end = "\r" * line.endswith("\r")
            if "sent_id" not in names:
                yield f"{SENT_ID}{name}-{n_sentences}{end}"
            if "text" not in names:
                texts = sentence_texts(doc) if texts is None else texts
                yield from (f"{TEXT_IS}{text}{end}" for text in texts[n_sentences - 1 : n_sentences])
            names = set()
        is_inside = bool(line.strip()) and not line.startswith("#")
        yield line


class JsonlWriter:
    def __init__(self, file: BinaryIO, keep_lines: bool, expand: bool) -> None:
        self._file = file

    def add(self, document: Document, doc: Doc) -> None:
        lines = [
            json.dumps(dict(zip(ROW_COLUMNS, row, strict=True)), ensure_ascii=False)
            for row in doc_rows(document.id, doc)
        ]
        self._file.write("".join(f"{line}\n" for line in lines).encode("utf-8"))

    def close(self) -> None:
        pass


class ParquetWriter:
    def __init__(self, file: BinaryIO, keep_lines: bool, expand: bool) -> None:
        self._arrow = import_extra("pyarrow")
        self._schema = self._arrow.schema([(name, ARROW[kind]) for name, kind in ROW_COLUMNS.items()])
        self._table = import_extra("pyarrow.parquet").ParquetWriter(file, self._schema)
        self._rows: list[tuple[Any, ...]] = []

    def add(self, document: Document, doc: Doc) -> None:
        self._rows += list(doc_rows(document.id, doc))
        if len(self._rows) >= 2**16:
            self._write()

    def _write(self) -> None:
        columns = arrow_columns(self._rows)
        self._table.write_table(self._arrow.Table.from_arrays(columns, schema=self._schema))
        self._rows = []

    def close(self) -> None:
        self._write()
        self._table.close()


class SpacyWriter:
    def __init__(self, file: BinaryIO, keep_lines: bool, expand: bool) -> None:
        self._file = file
        self._bin = DocBin(store_user_data=True)

    def add(self, document: Document, doc: Doc) -> None:
        doc.user_data[DOC_ID] = document.id
        self._bin.add(doc)

    def close(self) -> None:
        self._file.write(self._bin.to_bytes())


WRITERS: dict[str, Callable[[BinaryIO, bool, bool], Writer]] = {
    CONLLU: ConlluWriter,
    JSONL: JsonlWriter,
    PARQUET: ParquetWriter,
    SPACY: SpacyWriter,
}


def batches(documents: Sequence[Document], n_words: int) -> Iterator[list[Document]]:
    """Documents of about so many words together, one at least."""
    batch: list[Document] = []
    size = 0
    for document in documents:
        if batch and size + document.n_words > n_words:
            yield batch
            batch, size = [], 0
        batch.append(document)
        size += document.n_words
    if batch:
        yield batch
