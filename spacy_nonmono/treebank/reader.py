"""The sentences of treebank files of any format."""

from collections.abc import Iterator
from pathlib import Path

from spacy.language import BaseDefaults
from spacy.tokens import DocBin
from spacy.vocab import create_vocab

from ..errors import Errors
from ..files import read_lines, unpacked
from .conllu import parse_sentences
from .docs import document_of
from .formats import CONLLU, SPACY, treebank_files
from .sentences import Sentence, sentence_text


def read_sentences(path: Path, format: str = CONLLU) -> Iterator[Sentence]:
    """The sentences of a file, or of the files of a folder; `treebank_files` tells which, and in which
    format they are.

    Raises FileNotFoundError (NM080) without a file; ValueError: what `parse_sentences` raises, NM083 for
    a file that is not UTF-8, NM140 for a damaged archive, NM196 for one that holds no Docs although its
    suffix is `.spacy`.
    """
    for file, format_of_file in treebank_files(path, format):
        if format_of_file == SPACY:
            yield from _read_docs(file)
        else:
            yield from parse_sentences(read_lines(file), file, format_of_file)


def _read_docs(path: Path) -> Iterator[Sentence]:
    """As the writer writes them, and checked as those of a file are."""
    try:
        with path.open("rb") as raw:
            docs = DocBin(store_user_data=True).from_bytes(unpacked(path.name, raw).read())
    except Exception as error:
        raise ValueError(Errors.NM196.format(path=path, reason=error)) from error
    # One that knows which tokens are white space
    vocab = create_vocab(None, BaseDefaults)
    for number, doc in enumerate(docs.get_docs(vocab), start=1):
        text = "".join(map(sentence_text, document_of(doc, str(number)).sentences))
        lines = enumerate(text.removesuffix("\n").split("\n"), start=1)
        yield from parse_sentences(lines, f"{path}, Doc {number}")
