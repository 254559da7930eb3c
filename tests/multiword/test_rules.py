"""Which words a token stands for, as training data showed it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_nonmono.multiword.rules import Rules
from spacy_nonmono.tokens.merged import Reading
from tests.multiword.util import forms, learn, reading, token
from tests.treebanks import FOLDER, needs_treebanks

TURKISH = [
    *("evdeki=evde+ki", "parktaki=parkta+ki", "şehirdeki=şehirde+ki", "okuldaki=okulda+ki"),
    *("masadaki=masada+ki", "yoldaki=yolda+ki", "odadaki=odada+ki", "gündeki=günde+ki"),
    *("kitaptaki=kitapta+ki", "sokaktaki=sokakta+ki", "balkondaki=balkonda+ki"),
    *("ev", "park", "kitap", "belki", "çünkü", "sanki", "iki"),
]
PORTUGUESE = [
    *(f"{verb}-se={verb}+se" for verb in ("da", "faz", "torna", "deve", "pode", "sente", "diz", "vê")),
    *(f"{verb}ê-lo={verb}er+lo" for verb in ("faz", "com", "conhec", "diz", "vend", "corr", "sab")),
    *(f"{verb}á-la={verb}ar+la" for verb in ("compr", "us", "falt", "olh", "cant", "ach", "pag")),
    *("dá-lo-ei=darei+lo", "quarta-feira", "guarda-chuva", "Alto-Sena", "bem-vindo", "casa"),
]


def test_only_the_ending_is_learnt():
    rules = learn(TURKISH)
    for form in ("FIFA'da|ki", "KİTAPTA|Kİ", "İznik'te|ki", "JOHN'daki", "JOHN’da|ki", "Bahçede|ki"):
        words = form.split("|")
        if len(words) == 2:
            assert forms(rules, "".join(words)) == words
    for form in ("İznik", "McDonald's", "JOHN's", "belki", "çünkü", "tilki", "ki"):
        assert forms(rules, form) == [form]


def test_hyphens():
    rules = learn(PORTUGUESE)
    assert forms(rules, "chama-se") == ["chama", "se"]
    assert forms(rules, "Vê-se") == ["Vê", "se"]
    assert forms(rules, "vencê-lo") == ["vencer", "lo"]
    assert forms(rules, "VENCÊ-LO") == ["VENCER", "LO"]
    assert forms(rules, "levá-la") == ["levar", "la"]
    assert forms(rules, "Dá-lo-ei") == ["Darei", "lo"]
    for form in ("sexta-feira", "Guarda-chuva", "base"):
        assert forms(rules, form) == [form]


def test_a_form_seen_with_a_capital_only():
    rules = learn(["Des=De+les", "temps"])
    assert forms(rules, "des") == ["de", "les"]
    assert forms(learn(["DES=DE+LES"]), "des") == ["de", "les"]
    assert forms(learn(["Au=À+le"]), "au") == ["à", "le"]


def test_apostrophes_and_decomposed_letters():
    rules = learn(["dell'=di+l'", "dell’=di+l’", "prêtau=prêt+à+le"])
    assert forms(rules, "dellʼ") == ["di", "lʼ"]
    assert forms(rules, "dell'") == ["di", "l'"]
    found = rules.find("pre\u0302tau", "NOUN", "obl", decomposed=True)
    assert [part.form for part in found.parts] == ["pre\u0302t", "a\u0300", "le"]


def test_votes_are_for_the_forms():
    """Other features, lemmas and arcs of the same words do not divide the votes."""
    tokens = [
        ("des", "ADP", "case", reading("de", "les", label=label))
        for label in ("case", "mark", "fixed", "nmod", "obl")
    ]
    tokens += [("des", "ADP", "case", reading("d", "es"))] * 2
    tokens += [("des", "X", "y", reading("de", "les"))] * 5
    assert forms(Rules.learn(tokens), "des") == ["de", "les"]


def test_readings_are_chosen():
    """French "des" is a preposition with an article, or an article."""
    case = token("des", "de", "les", upos="ADP", label="case")
    fixed = token("des", "de", "les", upos="ADP", label="fixed")
    rules = Rules.learn([case] * 6 + [fixed] * 3 + [token("des", upos="DET", label="det")] * 10)
    assert rules.find("des", "ADP", "case") == rules.find("des", "", "case") == case[-1]
    assert rules.find("des", "ADP", "fixed") == fixed[-1]
    assert rules.find("des", "ADP", "nmod") == case[-1]
    assert rules.find("des", "DET", "det") is rules.find("des", "", "det") is None
    assert rules.find("temps", "ADP", "case") is None


def test_arcs_that_are_unknown_are_not_learnt():
    """But the words are."""
    known = token("des", "de", "les", label="case")
    first, second = reading("de", "les", label="case").parts
    hidden = Reading((first, second._replace(head=-1, label="")), 0, 0)
    rules = Rules.learn([known, *[("des", "NOUN", "case", hidden)] * 5])
    assert rules.find("des", "NOUN", "case") == known[-1]
    assert forms(Rules.learn([("des", "NOUN", "obl", hidden)] * 5), "des") == ["de", "les"]


def test_a_form_that_was_seen_whole_stays_whole():
    stems = ("parla", "guarda", "mangia", "canta", "porta", "leva", "lascia", "ama", "vede", "legge")
    verbs = [token(f"{stem}rlo", f"{stem}re", "lo", upos="VERB", label="xcomp") for stem in stems]
    assert forms(Rules.learn(verbs), "Ballarlo", "VERB", "xcomp") == ["Ballare", "lo"]
    rules = Rules.learn([*verbs, *[token("ballarlo", upos="PROPN")] * 3])
    assert rules.find("ballarlo", "PROPN", "obl") is None
    again = Rules.from_plain(json.loads(json.dumps(rules.to_plain())))
    assert again.find("Ballarlo", "PROPN", "obl") is None
    assert again.rows == rules.rows


OTHERS = ("du=de+le", "Au=À+le", "dell’=di+l’", "e\u0301a=e\u0301+a")
pairs = st.sampled_from([*TURKISH, *PORTUGUESE, *OTHERS])


@given(st.lists(pairs, min_size=1, max_size=30), st.text("aekidİlo-\u0301’'-é", max_size=8))
def test_what_is_saved_finds_the_same(seen, form):
    rules = learn(seen)
    again = Rules.from_plain(json.loads(json.dumps(rules.to_plain())))
    for asked in (form, *(pair.partition("=")[0] for pair in seen)):
        assert again.find(asked, "NOUN", "obl") == rules.find(asked, "NOUN", "obl")
        # Asked again, it is remembered
        assert rules.find(asked, "NOUN", "obl") == rules.find(asked, "NOUN", "obl")


def test_nothing_learnt():
    assert Rules.learn([]).find("du", "ADP", "case") is None
    assert learn(["temps"]).rows == {}


@needs_treebanks
@pytest.mark.parametrize(
    "name, least, most_false",
    [("Turkish-IMST", 0.6, 4), ("Italian-ParTUT", 0.97, 0), ("French-Sequoia", 0.99, 0)],
)
def test_treebanks(name, least, most_false):
    """The dev part, with the tags and labels of the file."""
    import spacy

    from spacy_nonmono.tokens.merged import get_reading
    from spacy_nonmono.treebank.corpus import create_conllu_corpus

    nlp = spacy.blank("xx")
    tokens = {
        part: [
            (token.text, token.pos_, token.dep_, get_reading(token))
            for example in create_conllu_corpus(f"{FOLDER}/{name}/{part}.conllu", multiword="merge")(nlp)
            for token in example.reference
        ]
        for part in ("train", "dev")
    }
    rules = Rules.learn(tokens["train"])
    n_right, n_false, n_gold = 0, 0, 0
    for form, upos, label, gold in tokens["dev"]:
        words = gold and [part.form for part in gold.parts]
        n_gold += gold is not None
        n_right += gold is not None and forms(rules, form, upos, label) == words
        n_false += gold is None and len(forms(rules, form, upos, label)) > 1
    assert n_right >= least * n_gold and n_false <= most_false
