"""Which files are read, and in which formats."""

import gzip

import pytest
import spacy
import zstandard
from spacy.tokens import DocBin

from spacy_nonmono.treebank.corpus import create_conllu_corpus
from spacy_nonmono.treebank.formats import find_part, is_treebank, treebank_files
from spacy_nonmono.treebank.reader import read_sentences

from .test_corpus import TEXT, rows, write

CONLLX = "1\towls\t_\tN\tN\t_\t0\tROOT\t_\t_\n\n"


def docs_of(path) -> DocBin:
    nlp = spacy.blank("xx")
    examples = create_conllu_corpus(path)(nlp)
    return DocBin(docs=[example.reference for example in examples], store_user_data=True)


def test_every_kind_says_the_same(tmp_path):
    plain = write(tmp_path, TEXT)
    expected = list(read_sentences(plain))
    data = plain.read_bytes()
    (tmp_path / "a.conllu.gz").write_bytes(gzip.compress(data))
    (tmp_path / "a.conllu.zst").write_bytes(zstandard.ZstdCompressor().compress(data))
    docs_of(plain).to_disk(tmp_path / "a.spacy")
    (tmp_path / "b.spacy.gz").write_bytes(gzip.compress((tmp_path / "a.spacy").read_bytes()))
    for name in ("a.conllu.gz", "a.conllu.zst", "a.spacy", "b.spacy.gz"):
        assert is_treebank(tmp_path / name)
        assert list(read_sentences(tmp_path / name)) == expected


def test_docs_of_others(tmp_path):
    """They have no lines of a file, and may have white space."""
    nlp = spacy.blank("xx")
    doc = nlp("Owls  hunt.")
    for token in doc:
        token.head, token.dep_ = doc[2], "ROOT" if token.i == 2 else "dep"
    DocBin(docs=[doc]).to_disk(tmp_path / "a.spacy")
    (sentence,) = read_sentences(tmp_path / "a.spacy")
    assert sentence.forms == ["Owls", "hunt", "."]
    assert sentence.heads == [1, -1, 1]


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_damaged_archive(tmp_path, suffix):
    data = TEXT.encode() * 50
    packed = gzip.compress(data) if suffix == ".gz" else zstandard.ZstdCompressor().compress(data)
    path = tmp_path / f"a.conllu{suffix}"
    path.write_bytes(packed[: len(packed) // 2])
    try:
        found = list(read_sentences(path))
        assert suffix == ".zst" and len(found) < 100  # its frames may end anywhere
    except ValueError as error:
        assert "NM140" in str(error)


def test_of_a_folder_one_kind_is_read(tmp_path):
    with pytest.raises(FileNotFoundError, match="NM080"):
        treebank_files(tmp_path)
    (tmp_path / "z.spacy").write_bytes(b"")
    assert treebank_files(tmp_path) == [(tmp_path / "z.spacy", "spacy")]
    (tmp_path / "b.conllx").write_text(CONLLX)
    assert treebank_files(tmp_path) == [(tmp_path / "b.conllx", "conllx")]
    (tmp_path / "a.conllu.gz").write_bytes(gzip.compress(TEXT.encode()))
    (tmp_path / "c.conllu").write_text(rows("0 root"))
    assert treebank_files(tmp_path) == [
        (tmp_path / "a.conllu.gz", "conllu"),
        (tmp_path / "c.conllu", "conllu"),
    ]
    assert treebank_files(tmp_path, "conllx") == [(tmp_path / "b.conllx", "conllx")]
    (tmp_path / "z.spacy.gz").write_bytes(b"none")
    for name in ("z.spacy", "z.spacy.gz"):
        with pytest.raises(ValueError, match="NM196"):
            list(read_sentences(tmp_path / name))


def test_parts_of_a_treebank(tmp_path):
    assert find_part(tmp_path, "train") == tmp_path / "train.conllu"
    for name in (
        *("train.spacy", "train.conllx", "en_x-ud-train.conllu.gz"),
        *("en_x-ud-train.conllu", "train.conllu"),
    ):
        (tmp_path / name).touch()
        assert find_part(tmp_path, "train") == tmp_path / name
    (tmp_path / "train.conllu").unlink()
    (tmp_path / "._en_x-ud-train.conllu").touch()
    assert find_part(tmp_path, "train") == tmp_path / "en_x-ud-train.conllu"
    (tmp_path / "en_y-ud-train.conllu").touch()  # which one?
    assert find_part(tmp_path, "train") == tmp_path / "en_x-ud-train.conllu.gz"
