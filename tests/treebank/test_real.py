"""Treebanks of real languages: read, parsed by nobody, written again."""

from pathlib import Path

import pytest
import spacy

from spacy_nonmono.treebank.corpus import create_conllu_corpus
from spacy_nonmono.treebank.writer import write_conllu
from tests.treebanks import DEV_FILES, needs_treebanks


@needs_treebanks
@pytest.mark.parametrize("path", DEV_FILES, ids=lambda path: path.parent.name)
def test_round_trip(path: Path, tmp_path: Path) -> None:
    """The file comes back, trailing blank lines aside; sentences and trees are those of the file."""
    nlp = spacy.blank("xx")
    docs = [example.reference for example in create_conllu_corpus(path)(nlp)]
    written = tmp_path / "written.conllu"
    write_conllu(docs, written)
    assert written.read_text("utf-8").rstrip() == path.read_text("utf-8").rstrip()
    for doc in docs:
        for sentence in doc.sents:
            assert [token for token in sentence if token.head == token] == [sentence.root]
