"""Files of the CoNLL-X task, on small made-up ones."""

import random
import warnings

import pytest
import spacy
from spacy.util import registry

from spacy_nonmono.tokens.projectivity import crossing_arcs
from spacy_nonmono.treebank.conllx import conllu_lines
from spacy_nonmono.treebank.corpus import create_conllu_corpus
from spacy_nonmono.treebank.formats import find_part
from spacy_nonmono.treebank.reader import read_sentences
from spacy_nonmono.treebank.sentences import DEPREL, FEATS, HEAD, UPOS, XPOS
from spacy_nonmono.treebank.writer import conllu_text
from tests.trees import random_tree

from .test_corpus import TEXT as CONLLU_TEXT

TEXT = """\
1\t"\t_\tPu\tPuQ\t_\t0\tPunc\t_\t_
2\tAxşam\taxşam\tN\tNn\tsg|nom|case=x|case=y\t3\tSubj\t3\tSubj
3\tgəlir\tgəl\tV\tVb\t_\t0\tPred\t0\tROOT
4\t#\t_\tX\tSym\ta=b=c|a=b=c\t3\tObj\t_\t_
5\t.\t_\tPu\tPuF\t_\t0\tPunc\t_\t_

1\tBəli\tbəli\tI\tI\t_\t0\tROOT\t_\t_
"""
LINE = "1\tw\t_\tN\tNn\t_\t0\tROOT\t_\t_"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "made-up.conllx"
    path.write_text(TEXT, encoding="utf-8")
    return path


def read(path, **options):
    """The Docs with the annotation; a root label that is not ROOT is told, once per label and file."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        examples = list(create_conllu_corpus(path, **options)(spacy.blank("xx")))
    assert all(str(one.message).startswith("[NM583] ") for one in found)
    return examples


def test_annotation(path):
    (example,) = read(path, gold_tags=True)
    doc, words = example.reference, example.predicted
    assert [token.text for token in doc] == ['"', "Axşam", "gəlir", "#", ".", "Bəli"]
    assert [token.tag_ for token in doc] == ["PuQ", "Nn", "Vb", "Sym", "PuF", "I"]
    assert [token.lemma_ for token in doc] == ["", "axşam", "gəl", "", "", "bəli"]
    assert [token.is_sent_start for token in doc] == [True, *[False] * 4, True]
    assert not doc.has_annotation("POS")
    assert str(doc[1].morph) == "case=x,y|nom=Yes|sg=Yes"
    assert str(doc[3].morph) == "a-b-c=Yes"
    assert [token.tag_ for token in words] == [token.tag_ for token in doc]
    assert [str(token.morph) for token in words] == [str(token.morph) for token in doc]
    assert not words.has_annotation("POS") and not words.has_annotation("DEP")


def test_other_roots_depend_on_the_first_that_is_a_word(path):
    (example,) = read(path)
    assert [token.head.i for token in example.reference] == [2, 2, 2, 2, 2, 5]
    labels = [token.dep_ for token in example.reference]
    assert labels == ["Punc", "Subj", "ROOT", "Obj", "Punc", "ROOT"]
    # It is written as it was read
    lines = conllu_text(example.reference).splitlines()
    columns = [line.split("\t") for line in lines if line and not line.startswith("#")]
    assert [row[HEAD] for row in columns] == ["3", "3", "0", "3", "3", "0"]
    assert [row[DEPREL] for row in columns] == ["Punc", "Subj", "Pred", "Obj", "Punc", "ROOT"]
    assert {row[UPOS] for row in columns} == {"_"} and columns[1][XPOS] == "Nn"
    assert columns[1][FEATS] == "sg=Yes|nom=Yes|case=x,y"


def test_a_root_of_punctuation(tmp_path):
    path = tmp_path / "a.conllx"
    words = [("-", 0), ("!", 0), ("so", 2)]
    lines = [f"{i}\t{form}\t_\tP\tP\t_\t{head}\tROOT\t_\t_" for i, (form, head) in enumerate(words, 1)]
    path.write_text("\n".join(lines))
    (example,) = read(path)
    assert [token.head.i for token in example.reference] == [0, 0, 1]
    assert [token.dep_ for token in example.reference] == ["ROOT"] * 3


def test_one_root_more_crosses_no_arc(tmp_path):
    dice = random.Random(0)
    for _ in range(200):
        heads = [dice.choice([0, head + 1]) for head in random_tree(dice, 8)]
        lines = [
            (i, "\t".join([str(i), dice.choice("w.,"), *"____", str(head), "x", "_", "_"]))
            for i, head in enumerate(heads, start=1)
        ]
        joined = [int(line.split("\t")[HEAD]) for _, line in conllu_lines(tmp_path, lines)]
        assert joined.count(0) == 1
        assert all(old in (0, new) for old, new in zip(heads, joined, strict=True))
        before, after = (crossing_arcs([head - 1 for head in one]) for one in (heads, joined))
        assert after <= before


def test_heads_of_no_tree_are_unknown(tmp_path):
    path = tmp_path / "a.conllx"
    lines = [f"{i}\tw\t_\tN\tNn\t_\t{head}\tx\t_\t_" for i, head in enumerate((0, 3, 2), 1)]
    path.write_text("\n".join([lines[0].replace("x", "ROOT"), *lines[1:]]))
    with pytest.warns(UserWarning, match=r"\[NM580\].*a.conllx, line [23]: "):
        (sentence,) = read_sentences(path)
    assert sentence.heads == [-1, None, None]


def test_the_suffix_or_the_setting_tells_the_format(path, tmp_path, nlp):
    """Whatever the config says: a command gives no more than the path."""
    assert len(read(path, format="conllx")[0].reference) == len(read(path)[0].reference) == 6
    for name in ("made-up.conll", "train.conllu"):
        other = path.rename(tmp_path / name)
        assert len(read(other, format="conllx")[0].reference) == 6
        with pytest.raises(ValueError, match=r"\[NM081\].*line 1: UPOS is 'Pu'.*the suffix \.conllx"):
            read(other, format="conllu")
        path = other
    with pytest.raises(ValueError, match=r"\[NM084\] The option 'format'.*'conll'.*conllu or conllx"):
        create_conllu_corpus(path, format="conll")
    config = {"@readers": "spacy-nonmono.ConlluCorpus.v1", "path": str(path), "format": "conllx"}
    with pytest.warns(UserWarning, match="NM583"):
        assert len(list(registry.resolve({"corpus": config})["corpus"](nlp))) == 1


def test_folders(tmp_path):
    def words(**options):
        return [token.text for one in read(tmp_path, **options) for token in one.reference]

    for name in "ba":
        (tmp_path / f"{name}.conllx").write_text(LINE.replace("w", name))
    (tmp_path / "c.conll").write_text("something else")
    assert words() == words(format="conllx") == ["a", "b"]
    # What was read of a folder until now is read of it still
    (tmp_path / "d.conllu").write_text(LINE.replace("N\tN", "_\tN").replace("w", "d"))
    assert words() == ["d"]
    assert words(format="conllx") == ["a", "b"]


def test_parts_of_a_treebank(tmp_path):
    assert find_part(tmp_path, "dev").name == "dev.conllu"
    (tmp_path / "dev.conllx").touch()
    assert find_part(tmp_path, "dev").name == "dev.conllx"
    (tmp_path / "dev.conllu").touch()
    assert find_part(tmp_path, "dev").name == "dev.conllu"


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        (CONLLU_TEXT, 1, "a comment"),
        (f"{LINE}\n2-3\tab\t_\t_\t_\t_\t_\t_\t_\t_", 2, "ID is '2-3'. Expected 2,"),
        (f"{LINE}\n1.1\tab\t_\t_\t_\t_\t_\t_\t_\t_", 2, "ID is '1.1'. Expected 2,"),
        (f"{LINE}\n\n2\t{LINE[2:]}", 3, "ID is '2'. Expected 1,"),
        (LINE.replace("\t_\t_", "\t_"), 1, "9 columns. Expected 10, separated by tabs,"),
        (LINE + "\t_\t_\t_\t_", 1, "14 columns"),
        (LINE.replace("\t", "  "), 1, "1 column"),
    ],
)
def test_files_in_other_formats(tmp_path, text, line, found):
    path = tmp_path / "made-up.conllx"
    path.write_text(text + "\n", encoding="utf-8")
    with pytest.raises(ValueError) as error:
        read(path)
    assert str(error.value).startswith("[NM088] ")
    assert f"made-up.conllx, line {line}: {found}" in str(error.value)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (LINE.replace("\t0", "\t2"), r"\[NM081\].*line 1: HEAD is '2'"),
        (LINE.replace("w", ""), r"\[NM081\].*line 1: column 2 is empty"),
    ],
)
def test_other_errors(tmp_path, text, code):
    path = tmp_path / "made-up.conllx"
    path.write_text(text)
    with pytest.raises(ValueError, match=code):
        read(path)
