"""Sentences and Docs as CoNLL-U; `docs.py` tells what is in that of a Doc."""

from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import TextIO

from spacy.tokens import Doc

from ..errors import Errors
from ..files import replace_file
from .docs import document_of
from .formats import CONLLU, format_of
from .sentences import Sentence, sentence_texts


def write_sentences(path: str | Path, sentences: Iterable[Sentence]) -> None:
    """Write sentences to a file, which is the old one or the whole new one at any time. What tells their
    columns stands above those that need it.

    Raises ValueError (NM094) if its name is that of another format, OSError (NM169) if it cannot be
    written.
    """
    if format_of(Path(path)) not in (CONLLU, None):  # it would be read as that
        raise ValueError(Errors.NM094.format(path=path))
    with replace_file(path) as file:
        file.writelines(text.encode("utf-8") for text in sentence_texts(sentences))


def write_conllu(docs: Iterable[Doc], target: str | Path | TextIO) -> None:
    """Write the sentences of `docs` to a path or to an open text file.

    A path has the old file or the whole new one at any time.

    Raises ValueError (NM094) if the name of a file is that of another format, OSError (NM169) if it
    cannot be written.
    """
    documents = (document_of(doc, str(number)) for number, doc in enumerate(docs, start=1))
    sentences = chain.from_iterable(document.sentences for document in documents)
    if isinstance(target, str | Path):
        write_sentences(target, sentences)
    else:
        target.writelines(sentence_texts(sentences))


def conllu_text(doc: Doc, name: str = "") -> str:
    """Return the sentences of a Doc in CoNLL-U. name: as `document_of` takes it."""
    return "".join(sentence_texts(document_of(doc, name).sentences))
