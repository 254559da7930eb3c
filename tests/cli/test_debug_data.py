"""What a treebank is like, before training on it."""

import re

import spacy

from spacy_nonmono.treebank.summary import summarize
from tests.conllu import sentences_of

from .conftest import CROSSING, PLAIN

UNKNOWN = """\
1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tdo\t_\tAUX\t_\t_\t_\t_\t_\t_
2\tn't\t_\tPART\t_\t_\t3\t_\t_\t_
3\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_

"""


def test_summary():
    found = summarize(sentences_of(CROSSING + PLAIN + UNKNOWN, "a"))
    assert (found.n_sentences, found.n_words, found.n_multiword) == (3, 12, 1)
    assert (found.n_unknown, found.n_unlabelled) == (1, 1)
    assert (found.n_crossing, found.n_nonprojective) == (1, 1)
    assert (found.longest_sentence, found.longest_arc) == (6, 3)
    assert dict(found.labels) == {"root": 3, "nsubj": 3, "punct": 2, "det": 1, "acl:relcl": 1}
    assert summarize([]).labels == {}


def test_advice(nonmono, tmp_path):
    file = tmp_path / "train.conllu"
    for text, few, crossing in (
        (PLAIN * 20, True, "No arcs of train cross. If no arcs may cross"),
        (PLAIN * 300 + CROSSING, True, "Arcs cross in only 0.33 % of the sentences of train. If"),
        (PLAIN * 30 + CROSSING, True, "Arcs cross in 3.2 % of the sentences of train. The default"),
        ((PLAIN + CROSSING) * 1000, False, "Arcs cross in 50.0 % of the sentences of train."),
    ):
        file.write_text(text, "utf-8")
        found = " ".join(nonmono("debug-data", file).output.split())
        assert ("Train has few sentences (" in found) == few and crossing in found


def test_command(nonmono, tmp_path):
    english = tmp_path / "english"  # whose tokenizer splits "don't", as the treebank does
    spacy.blank("en").to_disk(english)
    train, dev, empty = (tmp_path / f"{name}.conllu" for name in ("train", "dev", "empty"))
    train.write_text(PLAIN * 20, "utf-8")
    dev.write_text(PLAIN + UNKNOWN + CROSSING, "utf-8")
    empty.write_text("")
    good = nonmono("debug-data", train, train).output
    assert "No label is rare" in good and "⚠" not in good
    unlabelled = tmp_path / "unlabelled.conllu"
    unlabelled.write_text(re.sub(r"(\t\d)\t[a-z:]+\t_\t_\n", r"\1\t_\t_\t_\n", PLAIN), "utf-8")
    assert "has a head" not in nonmono("debug-data", unlabelled).output
    found = " ".join(nonmono("debug-data", train, dev, "--model", english).output.split())
    assert "2 labels of dev are not in train: acl:relcl, det." in found
    assert "Words without a head are left out of the scores (dev: 1)" in found
    assert "0 of the 12 words of dev.conllu are no tokens" in found
    rare = nonmono("debug-data", dev, dev).output
    assert "5 labels occur fewer than 20 times" in " ".join(rare.split())
    assert "No word of train has a head" in nonmono("debug-data", empty, dev).output
    alone = " ".join(nonmono("debug-data", train, "--model", english).output.split())
    assert "No label is rare." in alone and "dev" not in alone
    assert "words of train.conllu are no tokens" in alone
