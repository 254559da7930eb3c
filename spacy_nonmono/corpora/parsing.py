"""Parsing documents with a loaded pipeline, and their results in the format of the output."""

import json
import re
import warnings
from abc import ABC, abstractmethod
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import accumulate
from typing import Any, BinaryIO, NamedTuple
from weakref import WeakSet

from spacy.language import Language
from spacy.tokenizer import Tokenizer
from spacy.tokens import Doc, DocBin
from srsly.msgpack import Packer

from ..errors import Errors, Warnings, is_coded, tell
from ..files import decode_lines
from ..installed import import_extra
from ..tokens.scores import forget_scores
from ..tokens.white_space import words_of
from ..treebank.conllu import is_newdoc, parse_sentences
from ..treebank.docs import AS_IN_FILE, BREAKS, DOC_ID, WHITE, document_of, forget_confidence, make_doc
from ..treebank.sentences import Document, columns_above, make_text, sentence_text
from .documents import CONLLU, CONLLX, JSONL, PARQUET, SPACY, SUFFIXES, TEXT, Input
from .rows import ARROW, ROW_COLUMNS, arrow_columns, document_rows

# Formats of the output, and the suffixes of its files
OUTPUTS = {format: SUFFIXES[format] for format in (CONLLU, JSONL, PARQUET, SPACY)}
# Byte order marks in front of lines: texts of JSON and Parquet have been in files, too
LINE_MARKS = re.compile(b"^(?:" + BOM_UTF8 + b")+", re.MULTILINE)
# Pipelines whose tokenizer remembers words
_remembering: WeakSet[Language] = WeakSet()


# A document that could not be parsed, and why
Failed = tuple[Input, str]


class Parsed(NamedTuple):
    """A document, and the Doc that it is of."""

    document: Document
    doc: Doc


def remember_words(nlp: Language, inputs: Sequence[Input]) -> None:
    """Let the tokenizer remember the commonest words of the first documents that a pipeline gets.

    Within a memory zone spaCy's tokenizer remembers no word: it splits each one anew, which takes four
    times as long. What it has remembered before, it knows there.
    """
    if nlp in _remembering or not isinstance(nlp.tokenizer, Tokenizer):
        return
    _remembering.add(nlp)
    counts: Counter[str] = Counter()
    for one in inputs:
        if one.format == TEXT and len(one.data) <= nlp.max_length:
            counts.update(one.data.decode("utf-8", "replace").split())
    for word, _ in counts.most_common(nlp.tokenizer.max_cache_size):
        nlp.tokenizer(word)


def parse_inputs(
    nlp: Language,
    inputs: Sequence[Input],
    failed: list[Failed],
    *,
    retokenize: bool = False,
    expand: bool = True,
) -> Iterator[tuple[Input, Parsed]]:
    """Parse some documents together. If that fails, each is parsed alone.

    failed: gets the documents that cannot be parsed, of which nothing comes. retokenize: whether the
    words and sentences of treebanks are to be found anew. expand: as for `document_of`.
    """
    made = []
    for one in inputs:
        with noting(one, failed):
            made.append((one, read_doc(nlp, one, retokenize)))
    own = {id(one): doc.user_data for one, doc in made}
    try:
        docs = list(nlp.pipe([doc for _, doc in made], batch_size=max(len(made), 1)))
        pairs = list(zip((one for one, _ in made), docs, strict=True))
    except Exception:
        pairs = []
        for one, _ in made:
            with noting(one, failed):
                # A new Doc: the first one may have come half way
                doc = read_doc(nlp, one, retokenize)
                own[id(one)] = doc.user_data
                pairs.append((one, nlp(doc)))
    for one, doc in pairs:
        with noting(one, failed):
            # A component may have made another Doc
            doc.user_data = {**own[id(one)], **doc.user_data, DOC_ID: one.id}
            document = document_of(doc, expand=expand)
            is_text = one.format != SPACY and doc.user_data.get(AS_IN_FILE)
            if is_text and one.data.partition(b"\n")[0].endswith(b"\r"):
                document.newline = "\r\n"
            yield one, Parsed(document, doc)


@contextmanager
def noting(
    one: Input, failed: list[Failed], *, but: tuple[type[Exception], ...] = ()
) -> Iterator[None]:
    """Take an error in the block as one of the document. but: the errors that are not."""
    try:
        yield
    except but:
        raise
    except Exception as error:
        text = str(error)
        if not is_coded(text):
            text = Errors.NM204.format(error=tell(error))
        failed.append((one, text))


def read_doc(nlp: Language, one: Input, retokenize: bool) -> Doc:
    """Return the words of a document, as they are before the pipeline.

    Raises ValueError (NM191) if it cannot be read; what spaCy raises for one that is too long (E088).
    """
    if one.problem:
        raise ValueError(one.problem)
    doc = _make_doc(nlp, one, retokenize)
    if not len(words_of(doc)):
        raise ValueError(Errors.NM191.format(found="no words", expected="one or more"))
    return doc


def _make_doc(nlp: Language, one: Input, retokenize: bool) -> Doc:
    if one.format == SPACY:
        doc = Doc(nlp.vocab).from_bytes(one.data)
        # Of the trees that are there
        forget_scores(doc)
        forget_confidence(doc)
        return doc
    if one.format in (CONLLU, CONLLX):
        lines = decode_lines(BytesIO(one.data), one.file or one.id, one.line)
        sentences = list(parse_sentences(lines, one.file or one.id, one.format, trees=False))
        if not retokenize:
            return make_doc(
                nlp.vocab, sentences, boundaries=True, tags=True, lemmas=True, as_in_file=True
            )
        text = make_text(sentences)
    else:
        try:
            text = LINE_MARKS.sub(b"", one.data).decode("utf-8")
        except UnicodeDecodeError as error:
            found = f"byte {error.object[error.start]:#04x} at byte {error.start + 1}"
            raise ValueError(Errors.NM191.format(found=found, expected="text in UTF-8")) from None
    if "\0" in text:
        found, expected = "NUL characters", "text in UTF-8 without them (UTF-16 has many)"
        raise ValueError(Errors.NM191.format(found=found, expected=expected))
    return _make_text_doc(nlp, text, one)


def _make_text_doc(nlp: Language, text: str, one: Input) -> Doc:
    """Return the tokens of a text, with the words and the sentences that it has."""

    def tokens_of(line: str) -> Doc:
        if not one.has_words:
            return nlp.make_doc(line)
        return Doc(nlp.vocab, [word for word in WHITE.split(line) if word])

    if not one.has_sentences:
        return tokens_of(text)
    docs = [tokens_of(line.strip()) for line in text.split("\n") if line.strip()]
    if not docs:
        return nlp.make_doc("")
    doc: Any = Doc.from_docs(docs, ensure_whitespace=True)
    starts = set(accumulate(map(len, docs), initial=0))
    for token in doc:
        token.is_sent_start = token.i in starts
    return doc  # type: ignore[no-any-return]


class Writer(ABC):
    """has_names: whether a document with a name stands in front of what is written."""

    has_names = False

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    @abstractmethod
    def add(self, parsed: Parsed) -> None:
        """Write a document, or nothing of it, if that raises."""

    def close(self) -> None:  # noqa: B027
        """Write what has not been written."""


class ConlluWriter(Writer):
    """A document begins with `# newdoc id`; but one that comes from a file without it gets it only if it
    follows one that has it."""

    _header = ""

    def add(self, parsed: Parsed) -> None:
        document, doc = parsed
        is_of_file = bool(doc.user_data.get(AS_IN_FILE))
        first = document.sentences[0]
        is_named = any(map(is_newdoc, first.comments))
        if not is_named and (self.has_names or not is_of_file):
            # A name may hold anything, but a comment is a line
            first.rows.insert(0, [f"# newdoc id = {BREAKS.sub(' ', document.name)}"])
            is_named = True
        for one in document.sentences:
            if above := columns_above(one.header, one.comments, self._header):
                one.rows.insert(0, [above])
            self._header = one.header
        text = "".join(sentence_text(one, document.newline) for one in document.sentences)
        self._file.write(text.encode("utf-8"))
        self.has_names |= is_named


class JsonlWriter(Writer):
    def add(self, parsed: Parsed) -> None:
        lines = [
            json.dumps(dict(zip(ROW_COLUMNS, row, strict=True)), ensure_ascii=False)
            for row in document_rows(parsed.document)
        ]
        self._file.write("".join(f"{line}\n" for line in lines).encode("utf-8"))


class ParquetWriter(Writer):
    def __init__(self, file: BinaryIO) -> None:
        self._arrow = import_extra("pyarrow")
        self._schema = self._arrow.schema([(name, ARROW[kind]) for name, kind in ROW_COLUMNS.items()])
        self._table = import_extra("pyarrow.parquet").ParquetWriter(file, self._schema)
        self._rows: list[tuple[Any, ...]] = []

    def add(self, parsed: Parsed) -> None:
        self._rows += list(document_rows(parsed.document))
        if len(self._rows) >= 2**16:
            self._write()

    def _write(self) -> None:
        columns = arrow_columns(self._rows)
        self._table.write_table(self._arrow.Table.from_arrays(columns, schema=self._schema))
        self._rows = []

    def close(self) -> None:
        self._write()
        self._table.close()


class SpacyWriter(Writer):
    def __init__(self, file: BinaryIO) -> None:
        super().__init__(file)
        self._bin = DocBin(store_user_data=True)
        # One for all documents: to make one takes longer than to pack what a document has
        self._packer = Packer(use_bin_type=True)
        self._left_out: set[str] = set()

    def add(self, parsed: Parsed) -> None:
        # A bin of its own: adding a Doc may fail half way
        one = DocBin(docs=[parsed.doc])
        one.store_user_data = True
        one.user_data = [self._pack(parsed.doc.user_data)]
        self._bin.merge(one)

    def _pack(self, user_data: dict[Any, Any]) -> bytes:
        try:
            return self._packer.pack(user_data)  # type: ignore[no-any-return]
        except Exception:  # of any kind: what a value is, only its component knows
            kept = {key: value for key, value in user_data.items() if self._can_be_saved(key, value)}
            return self._packer.pack(kept)  # type: ignore[no-any-return]

    def _can_be_saved(self, key: Any, value: Any) -> bool:
        """Tells the first time that it cannot."""
        try:
            self._packer.pack({key: value})
        except Exception:
            name = str(key[1] if isinstance(key, tuple) and len(key) > 1 else key)
            if name not in self._left_out:
                self._left_out.add(name)
                warnings.warn(Warnings.NM589.format(name=name, kind=type(value).__name__), stacklevel=5)
            return False
        return True

    def close(self) -> None:
        self._file.write(self._bin.to_bytes())


WRITERS: dict[str, Callable[[BinaryIO], Writer]] = {
    CONLLU: ConlluWriter,
    JSONL: JsonlWriter,
    PARQUET: ParquetWriter,
    SPACY: SpacyWriter,
}


def batches(inputs: Iterable[Input], n_words: int) -> Iterator[list[Input]]:
    """Documents of about so many words together, one at least."""
    batch: list[Input] = []
    size = 0
    for one in inputs:
        if batch and size + one.n_words > n_words:
            yield batch
            batch, size = [], 0
        batch.append(one)
        size += one.n_words
    if batch:
        yield batch
