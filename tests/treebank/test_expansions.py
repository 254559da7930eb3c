"""Multiword tokens that a parser has learned as one word come out as their words again."""

import json

import pytest
import spacy
from spacy.tokens import Doc

from spacy_nonmono.corpora.rows import ROW_COLUMNS, doc_rows
from spacy_nonmono.merged import EXPANSIONS, Part, Reading
from spacy_nonmono.pipeline.expansions import Expansions, read_expansions
from spacy_nonmono.tables import attach_table
from spacy_nonmono.treebank.corpus import create_conllu_corpus
from spacy_nonmono.treebank.writer import conllu_text
from tests.conllu import sentences_of
from tests.pipeline.util import NAME, blank

DE_LE = Reading(
    (Part("de", "de", "ADP", "S", "_", -1, "case"), Part("le", "le", "DET", "D", "_", -1, "det")), 0, 0
)
FRENCH = """\
1\tIl\til\tPRON\tP\t_\t2\tnsubj\t_\t_
2\tparle\tparler\tVERB\tV\t_\t0\troot\t_\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\tde\tADP\tS\t_\t5\tcase\t_\t_
4\tle\tle\tDET\tD\t_\t5\tdet\t_\t_
5\ttemps\ttemps\tNOUN\tN\t_\t2\tobl\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""


def verb(stem: str) -> tuple[str, str, str, Reading]:
    """An Italian infinitive with a pronoun."""
    parts = (
        Part(f"{stem}re", f"{stem}re", "VERB", "V", "_", -1, "xcomp"),
        Part("lo", "lo", "PRON", "P", "_", 0, "obj"),
    )
    return f"{stem}rlo", "VERB", "xcomp", Reading(parts, 0, 0)


def read(tmp_path, text, nlp):
    path = tmp_path / "a.conllu"
    path.write_text(text, encoding="utf8")
    return create_conllu_corpus(path, multiword="merge")(nlp)


def test_a_form_that_was_seen_whole_stays_whole():
    tokens = [verb(stem) for stem in ("parla", "guarda", "mangia", "canta")]
    assert Expansions.learn(tokens).find("Ballarlo", "VERB", "xcomp").parts[0].form == "Ballare"
    learned = Expansions.learn([*tokens, ("ballarlo", "NOUN", "obj", None)])
    assert learned.find("ballarlo", "VERB", "xcomp") is None
    assert learned.find("danzarlo", "VERB", "xcomp") is not None
    assert read_expansions(learned.to_json()).find("Ballarlo", "", "") is None


def test_a_treebank_comes_back(tmp_path):
    nlp = blank()
    examples = list(read(tmp_path, FRENCH, nlp))
    nlp.initialize(lambda: examples)
    gold = examples[0].reference
    doc = Doc(
        nlp.vocab,
        words=[token.text for token in gold],
        spaces=[bool(token.whitespace_) for token in gold],
        heads=[token.head.i for token in gold],
        deps=[token.dep_ for token in gold],
        lemmas=[token.lemma_ for token in gold],
        pos=[token.pos_ for token in gold],
        tags=[token.tag_ for token in gold],
    )
    lines = conllu_text(doc, "x").splitlines()
    assert lines == ["# sent_id = x-1", "# text = Il parle du temps.", *FRENCH.splitlines()]
    # Of words alone, no tags
    doc = Doc(nlp.vocab, words=["Du", "a"], heads=[1, 1], deps=["case", "ROOT"])
    assert conllu_text(doc).splitlines()[2:5] == [
        "1-2\tDu\t_\t_\t_\t_\t_\t_\t_\t_",
        "1\tDe\t_\t_\t_\t_\t3\tcase\t_\t_",
        "2\tle\t_\t_\t_\t_\t3\tdet\t_\t_",
    ]
    # What a file has read is written as it was
    assert conllu_text(gold).splitlines()[2].startswith("3\tdu")


def test_it_is_saved_with_the_parser(tmp_path):
    nlp = blank()
    nlp.initialize(lambda: list(read(tmp_path, FRENCH, nlp)))
    nlp.to_disk(tmp_path / "p")
    for again in (spacy.load(tmp_path / "p"), blank().from_bytes(nlp.to_bytes())):
        assert "1-2\tdu" in conllu_text(again("du temps")) or again("du temps")[0].dep_ != "case"
        assert again.get_pipe(NAME).cfg == nlp.get_pipe(NAME).cfg
    other = blank()
    other.initialize(lambda: list(read(tmp_path, FRENCH.replace("3-4\tdu", "3-4\tdel"), other)))
    assert list(other.get_pipe(NAME).cfg[EXPANSIONS]["forms"]) == ["del"]


def test_readings_are_chosen():
    """French "des" is a preposition with an article, or an article."""
    tokens = [("des", "ADP", "case", DE_LE)] * 3 + [("des", "DET", "det", None)] * 5
    found = Expansions.learn([*tokens, ("temps", "NOUN", "obl", None)])
    assert list(found.forms) == ["des"]
    assert found.find("des", "ADP", "case") == found.find("des", "", "case") == DE_LE
    assert found.find("des", "ADP", "nmod") == DE_LE
    assert found.find("des", "DET", "det") is found.find("des", "X", "dep") is None
    assert found.find("temps", "ADP", "case") is None
    assert [part.form for part in found.find("DES", "ADP", "case").parts] == ["DE", "LE"]
    assert [part.form for part in found.find("Des", "ADP", "case").parts] == ["De", "le"]


def test_forms_that_were_not_seen():
    tokens = [verb(stem) for stem in ("fa", "da", "porta", "legge")]
    single = ["parlo", "solo", "cielo", "velo", "bello", "quello"]
    found = Expansions.learn([*tokens, *((form, "X", "root", None) for form in single)])
    reading = found.find("mangiarlo", "VERB", "xcomp")
    assert [part.form for part in reading.parts] == ["mangiare", "lo"]
    assert reading.parts[0].lemma == "" and reading.parts[1].lemma == "lo"
    assert found.find("mangiarlo", "", "xcomp") == reading
    assert found.find("Carlo", "PROPN", "nsubj") is None  # "far" and so on are verbs
    assert found.find("rlo", "X", "dep") is None  # nothing stands before it
    assert found.find("tavolo", "NOUN", "obj") is None
    # Most words with the ending are one word
    others = [(f"{stem}arlo", "VERB", "root", None) for stem in "abcdefghij"]
    assert not Expansions.learn([*tokens, *others]).endings.get("rlo")


def test_json():
    tokens = [verb(stem) for stem in ("fa", "da", "porta")] + [
        ("des", "ADP", "case", DE_LE),
        ("des", "", "", None),
    ]
    found = Expansions.learn(tokens)
    again = read_expansions(json.loads(json.dumps(found.to_json())))
    assert again.forms == found.forms and again.endings == found.endings
    assert not read_expansions(None)


@pytest.mark.parametrize(
    "damage",
    [
        3,
        {"forms": {}},
        {"forms": {"a": 3}, "endings": {}},
        {"forms": {}, "endings": {"lo": None}},
        {"forms": {}, "endings": {"lo": [0, 0, ["a", "", "", "", "", 0, "x"]]}},
        {"forms": {}, "endings": {"lo": [0, 5, ["a", "", "", "", "", -1, "x"]]}},
        {"forms": {}, "endings": {"lo": [0, 0, ["a", "", "", "", "", -1, "x"], ["b", *"____", 2, "x"]]}},
        {"forms": {}, "endings": {"lo": [0, 0, ["a", "", "", "", "", -1, "x"], ["b", *"____", 1, "x"]]}},
    ],
)
def test_what_is_damaged_is_refused(damage):
    with pytest.raises(ValueError, match="NM037"):
        read_expansions(damage)


def test_roots_and_dependents():
    """There is one root, and dependents hang from the word that had them."""
    nlp = spacy.blank("xx")
    parts = (
        Part("a", "", "", "", "", -1, "case"),
        Part("b", "", "", "", "", -1, "root"),
        Part("c", "", "", "", "", 1, "dep"),
    )
    attach_table(nlp.vocab, EXPANSIONS, Expansions.learn([("abc", "", "ROOT", Reading(parts, 1, 2))]))
    doc = Doc(nlp.vocab, words=["x", "abc", "y"], heads=[1, 1, 0], deps=["p", "ROOT", "q"])
    (sentence,) = sentences_of(conllu_text(doc), "text")
    assert sentence.heads == [3, 2, -1, 2, 0]
    assert [word[7] for word in sentence.words] == ["p", "case", "root", "dep", "q"]
    assert [(start, end) for start, end, _ in sentence.ranges] == [(1, 4)]
    rows = [dict(zip(ROW_COLUMNS, row, strict=True)) for row in doc_rows("d", doc)]
    assert [row["form"] for row in rows] == ["x", "a", "b", "c", "y"]
