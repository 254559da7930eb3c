"""Sentences of a text in CoNLL-U, and of Docs."""

from collections.abc import Iterable

from spacy.tokens import Doc

from spacy_nonmono.treebank.conllu import parse_sentences
from spacy_nonmono.treebank.docs import document_of
from spacy_nonmono.treebank.sentences import Sentence


def sentences_of(text: str, name: str = "made up") -> list[Sentence]:
    lines = text.removesuffix("\n").split("\n")
    return list(parse_sentences(enumerate(lines, start=1), name))


def sentences_of_docs(docs: Iterable[Doc]) -> list[Sentence]:
    return [sentence for doc in docs for sentence in document_of(doc).sentences]
