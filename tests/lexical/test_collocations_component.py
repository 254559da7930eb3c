"""The component: its attribute, the table of the own pipeline, saving, processes, memory zones."""

import copy
import multiprocessing
import pickle

import pytest
import spacy
from spacy import language
from spacy.tokens import Doc, Token
from spacy.training import Example

from spacy_nonmono.files import write_text
from spacy_nonmono.lexical.collocation_file import collocations_text
from spacy_nonmono.lexical.collocations import Collocations, Strength
from spacy_nonmono.lexical.collocations_component import (
    COLLOCATES,
    CollocationsComponent,
    get_collocates,
)

TABLE = Collocations(
    words={("bark", "dogs"): Strength(3, 2.5), ("cats", "dogs"): Strength(3, 4.0)},
    tags={("NOUN", "VERB"): Strength(10, 1.5)},
)
OTHER = Collocations(words={("and", "dogs"): Strength(3, 7.0)})
TEXT = "Dogs and cats bark"
EXPECTED = [("cats", 4.0), ("bark", 2.5)]


def make_pipeline(tmp_path, table=TABLE, name="collocations"):
    path = tmp_path / f"{name}.tsv"
    write_text(path, collocations_text(table))
    nlp = spacy.blank("xx")
    nlp.add_pipe("collocations", name=name)
    nlp.config["initialize"]["components"][name] = {"path": str(path)}
    nlp.initialize()
    return nlp


@pytest.fixture
def nlp(tmp_path):
    return make_pipeline(tmp_path)


def read(doc, i=0):
    return [(token.text, score) for token, score in doc[i]._.collocates]


def test_best_first(nlp):
    doc = nlp(TEXT)
    assert read(doc) == EXPECTED
    assert read(doc, 1) == []
    assert read(doc, 3) == [("Dogs", 2.5)]


def test_tags_and_sentences(nlp):
    words = ["Dogs", "and", "mice", "sleep", "Cats", "bark"]
    pos = ["NOUN", "CCONJ", "NOUN", "VERB", "NOUN", "VERB"]
    doc = Doc(nlp.vocab, words=words, pos=pos)
    assert read(doc) == [("Cats", 4.0), ("bark", 2.5), ("sleep", 1.5)]
    for token in doc:
        token.is_sent_start = token.i in (0, 4)
    assert read(doc) == [("sleep", 1.5)]
    assert read(doc, 4) == [("bark", 1.5)]
    assert [token.i for token, _ in doc[3]._.collocates] == [0, 2]


def test_empty_and_blank(nlp):
    assert len(nlp("")) == 0
    assert read(nlp(" \n ")) == []


def test_each_pipeline_has_its_own_table(nlp, tmp_path):
    other = make_pipeline(tmp_path, OTHER)
    doc, other_doc, plain = nlp(TEXT), other(TEXT), spacy.blank("xx")(TEXT)
    assert read(doc) == EXPECTED
    assert read(other_doc) == [("and", 7.0)]
    assert read(plain) == []
    del nlp
    assert read(doc) == EXPECTED


def test_docs_made_otherwise(nlp):
    doc = nlp(TEXT)
    assert read(doc[1:].as_doc(), 0) == []
    assert read(doc[0:3].as_doc()) == [("cats", 4.0)]
    assert read(Doc(nlp.vocab).from_bytes(doc.to_bytes())) == EXPECTED
    assert read(nlp.make_doc(TEXT)) == EXPECTED


def test_bytes(nlp):
    data = nlp.to_bytes()
    again = spacy.blank("xx")
    again.add_pipe("collocations")
    again.from_bytes(data)
    assert again.get_pipe("collocations").table == TABLE
    assert read(again(TEXT)) == EXPECTED


@pytest.mark.parametrize("exclude", [[], ["vocab"]], ids=str)
def test_disk(nlp, tmp_path, exclude):
    nlp.to_disk(tmp_path / "pipeline", exclude=exclude)
    again = spacy.load(tmp_path / "pipeline", exclude=exclude)
    assert read(again.make_doc(TEXT)) == EXPECTED
    assert again.config["components"]["collocations"] == {"factory": "collocations"}
    again.to_disk(tmp_path / "pipeline")
    assert read(spacy.load(tmp_path / "pipeline")(TEXT)) == EXPECTED


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda obj: pickle.loads(pickle.dumps(obj))])
def test_pickle_and_copy(nlp, copied):
    again = copied(nlp)
    assert again.vocab is not nlp.vocab
    assert read(again.make_doc(TEXT)) == EXPECTED


def test_sourced(nlp, tmp_path):
    again = spacy.blank("xx")
    again.add_pipe("collocations", source=nlp)
    assert read(again(TEXT)) == EXPECTED
    again.to_disk(tmp_path / "pipeline")
    assert read(spacy.load(tmp_path / "pipeline")(TEXT)) == EXPECTED
    # Seen in training, before it is called
    third = spacy.blank("xx")
    third.add_pipe("collocations", source=nlp)
    third.config["initialize"] = again.config["initialize"] = nlp.config["initialize"]
    third.initialize()
    assert read(third.make_doc(TEXT)) == EXPECTED


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_processes(nlp, start, monkeypatch):
    monkeypatch.setattr(language, "mp", multiprocessing.get_context(start))
    nlp.add_pipe("sentencizer")
    docs = list(nlp.pipe([TEXT, "", "Cats. Dogs bark."], n_process=2, batch_size=1))
    assert read(docs[0]) == EXPECTED
    assert read(docs[2], 2) == [("bark", 2.5)]


def test_memory_zone(nlp):
    with nlp.memory_zone():
        assert read(nlp(TEXT)) == EXPECTED
    assert read(nlp(TEXT)) == EXPECTED


def test_without_path():
    nlp = spacy.blank("xx")
    nlp.add_pipe("collocations", name="pairs")
    with pytest.raises(ValueError, match=r"NM154.*\[initialize\.components\.pairs\]"):
        nlp.initialize()
    assert read(nlp(TEXT)) == []


def examples_of(nlp, sentence, n=3):
    """sentence: words, tags, heads, labels."""
    words, pos, heads, deps = sentence
    reference = Doc(nlp.vocab, words=words, pos=pos, heads=heads, deps=deps)
    return [Example(nlp.make_doc(" ".join(words)), reference)] * n


def test_pairs_of_the_training_data():
    """Two sentences a Doc; a word without a label has an unknown head."""
    sentence = (
        ["Dogs", "bark", "loudly", "of", "cats", "Mice", "ran"],
        ["NOUN", "VERB", "ADV", "ADP", "NOUN", "NOUN", "VERB"],
        [1, 1, 1, 1, 3, 5, 6],
        ["nsubj", "ROOT", "advmod", "prep", "pobj", "", "ROOT"],
    )
    nlp = spacy.blank("xx")
    nlp.add_pipe("collocations")
    nlp.initialize(lambda: examples_of(nlp, sentence))
    table = nlp.get_pipe("collocations").table
    assert set(table.words) == {
        ("bark", "dogs"), ("bark", "loudly"), ("bark", "of"), ("cats", "of")
    }  # fmt: skip
    assert table.words["bark", "dogs"].n_arcs == 3 and table.tags == {}
    assert [word for word, _ in read(nlp("Dogs can bark"))] == ["bark"]
    settings = {"min_word_count": 4, "min_tag_count": 1, "min_tag_score": -9, "prepositions": ["ADP"]}
    nlp.config["initialize"]["components"]["collocations"] = settings
    nlp.initialize(lambda: examples_of(nlp, sentence))
    table = nlp.get_pipe("collocations").table
    assert table.words == {} and set(table.tags) == {("NOUN", "VERB"), ("ADV", "VERB")}
    assert table.tags["NOUN", "VERB"].n_arcs == 6


def test_prepositions_on_a_cycle():
    """spaCy makes such Docs; their heads are unknown."""
    nlp = spacy.blank("xx")
    cycle = (["of", "in", "cats"], ["ADP", "ADP", "NOUN"], [1, 0, 0], ["x", "y", "z"])
    settings = {"prepositions": ["ADP"], "min_word_count": 1, "min_word_score": -9.0}
    component = nlp.add_pipe("collocations")
    component.initialize(lambda: examples_of(nlp, cycle), **settings)
    assert component.table.words == {}


def test_wrong_path(nlp, tmp_path):
    nlp.config["initialize"]["components"]["collocations"] = {"path": str(tmp_path / "gone")}
    with pytest.raises(FileNotFoundError, match="NM148"):
        nlp.initialize()
    with pytest.raises(FileNotFoundError, match="NM148"):
        nlp.get_pipe("collocations").from_disk(tmp_path / "gone")


def test_attribute_of_another_package_is_kept(nlp):
    Token.set_extension(COLLOCATES, default="mine", force=True)
    try:
        with pytest.raises(ValueError, match="E090"):
            CollocationsComponent(nlp.vocab)
        assert nlp(TEXT)[0]._.collocates == "mine"
    finally:
        Token.set_extension(COLLOCATES, getter=get_collocates, force=True)


def test_assigns(nlp):
    assert nlp.analyze_pipes()["summary"]["collocations"]["assigns"] == ["token._.collocates"]
