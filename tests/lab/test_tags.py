"""Sentences with the tags of Docs."""

import pytest
from spacy.tokens import Doc
from spacy.vocab import Vocab

from spacy_nonmono.lab.jackknife import tag_accuracy, used_tags, with_tags
from spacy_nonmono.treebank.sentences import sentence_text
from tests.conllu import sentences_of

TEXT = """\
# text = Im Haus sind sie.
1-2\tIm\t_\t_\t_\t_\t_\t_\t_\t_
1\tin\tin\tADP\tAPPR\t_\t3\tcase\t3:case\t_
2\tdem\tder\tDET\tART\tNumber=Sing|Case=Dat\t3\tdet\t3:det\t_
3\tHaus\tHaus\tNOUN\tNN\tNumber=Sing\t0\troot\t0:root\tx=y
4\tsind\tsein\tAUX\t_\t_\t3\tcop\t3:cop\t_
4.1\tda\tda\tADV\tADV\t_\t_\t_\t3:dep\t_
5\tsie\tsie\tPRON\tPPER\t_\t3\tnsubj\t3:nsubj\tSpaceAfter=No
6\t.\t.\t_\t_\t_\t3\tpunct\t3:punct\t_

"""


@pytest.fixture
def sentences():
    return sentences_of(TEXT * 2)


def make_doc(sentences, **annotation):
    words = [word[1] for sentence in sentences for word in sentence.words]
    return Doc(Vocab(), words=words, **annotation)


def test_only_tags_change(sentences):
    pos = ["ADP", "DET", "PROPN", "AUX", "PRON", ""] * 2
    tags = ["APPR", "ART", "NE", "VA", "PPER", "$."] * 2
    morphs = ["", "Case=Dat|Number=Sing", "Number=Plur", "", "Case=Nom", ""] * 2
    found = list(with_tags(sentences, make_doc(sentences, pos=pos, tags=tags, morphs=morphs)))
    text = "".join(map(sentence_text, found))
    changes = {
        "NOUN\tNN\tNumber=Sing": "PROPN\tNE\tNumber=Plur",
        "AUX\t_\t_": "AUX\tVA\t_",
        "PRON\tPPER\t_": "PRON\tPPER\tCase=Nom",
        ".\t.\t_\t_\t_": ".\t.\t_\t$.\t_",
    }
    expected = TEXT
    for old, new in changes.items():
        assert old in expected
        expected = expected.replace(old, new)
    assert text == expected * 2
    assert "".join(map(sentence_text, sentences)) == TEXT * 2
    # The full stop has no tags, so it does not count; "sind" has no XPOS, but is known to have no FEATS
    assert tag_accuracy(sentences, found) == {"UPOS": 4 / 5, "XPOS": 3 / 4, "FEATS": 3 / 5}


def test_what_is_not_predicted_is_empty(sentences):
    found = list(with_tags(sentences, make_doc(sentences, tags=["NN"] * 12)))
    assert used_tags(found) == ["XPOS"] and used_tags(sentences) == ["UPOS", "XPOS", "FEATS"]
    assert tag_accuracy(sentences, found)["UPOS"] == 0
