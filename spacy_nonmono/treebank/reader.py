"""The sentences of treebank files of any format."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from spacy.language import BaseDefaults, Language
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab, create_vocab

from ..errors import Errors
from ..files import read_lines, unpacked
from .conllu import parse_sentences
from .formats import CONLLU, SPACY, treebank_files
from .multiword import SPLIT, merge_words, tokens_of
from .sentences import Sentence
from .writer import conllu_text


def read_sentences(path: Path, format: str = CONLLU) -> Iterator[Sentence]:
    """Yield the sentences of a file, or of the files of a folder; `treebank_files` tells which, and in
    which format they are.

    Raises FileNotFoundError (NM080) without a file; ValueError: what `parse_sentences` raises, NM083 for
    a file that is not UTF-8, NM140 for a damaged archive, NM196 for one that holds no Docs although its
    suffix is `.spacy`.
    """
    for file, format_of_file in treebank_files(path, format):
        if format_of_file == SPACY:
            yield from _read_trees_of_docs(file)
        else:
            yield from parse_sentences(read_lines(file), file, format_of_file)


def read_words(
    path: str | Path, nlp: Language, multiword: str, format: str = CONLLU
) -> Iterator[Sentence]:
    """Return the sentences of `read_sentences`. multiword: SPLIT; or MERGE, and multiword tokens are one
    word each, but where the pipeline's tokenizer cuts them (`merge_words`)."""
    sentences = read_sentences(Path(path), format)
    if multiword == SPLIT:
        return sentences
    tokenize = tokens_of(nlp)
    return (merge_words(sentence, tokenize) for sentence in sentences)


def docs_of_bin(stream: Any, path: str | Path, vocab: Vocab) -> Iterator[Doc]:
    """Return the Docs of an open file in spaCy's format. Raises ValueError (NM196) if it is none."""
    try:
        docs = DocBin(store_user_data=True).from_bytes(stream.read())
    except Exception as error:
        raise ValueError(Errors.NM196.format(path=path, reason=error)) from error
    return docs.get_docs(vocab)


def _read_trees_of_docs(path: Path) -> Iterator[Sentence]:
    """Yield the sentences of Docs as the writer writes them, checked as those of a file are."""
    # It knows which tokens are white space
    vocab = create_vocab(None, BaseDefaults)
    try:
        with path.open("rb") as raw:
            docs = docs_of_bin(unpacked(path.name, raw), path, vocab)
    except EOFError as error:
        raise ValueError(Errors.NM196.format(path=path, reason=error)) from error
    for number, doc in enumerate(docs, start=1):
        text = conllu_text(doc, str(number))
        lines = enumerate(text.removesuffix("\n").split("\n"), start=1)
        yield from parse_sentences(lines, f"{path}, Doc {number}")
