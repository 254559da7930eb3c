"""`Token._.dep_score`: there when asked for, and it changes nothing else."""

import pickle

import numpy
import pytest
import spacy
from spacy.tokens import Doc, DocBin, Token

from spacy_nonmono.pipeline.dep_scores import DEP_SCORE

from .util import (
    CROSSING,
    FINE_GRAINED,
    NAME,
    PROJECTIVE,
    SYSTEMS,
    TEXTS,
    arcs,
    bare,
    blank,
    check_doc,
    crosses,
    gold_doc,
    linear_config,
    overfitted,
    wild,
    words,
)

pytestmark = pytest.mark.usefixtures("own_extensions")


def sentence_parser(system: str = "arc_eager_unshift", **settings):
    nlp = wild(system, 5, 0.3, **settings)
    # A text is one sentence, whatever the noise says
    for node in nlp.get_pipe(NAME).model.get_ref("boundaries").walk():
        if node.name == "linear":
            node.set_param("b", node.get_param("b") - 1000)
    return nlp


def scores(doc: Doc) -> list:
    return [token._.dep_score for token in doc]


@pytest.mark.parametrize("system", [*SYSTEMS, FINE_GRAINED])
def test_on_and_off(system):
    nlp = sentence_parser(system)
    pipe = nlp.get_pipe(NAME)
    texts = [*TEXTS, " ".join(words(40))]
    assert not pipe.dep_scores and not Token.has_extension(DEP_SCORE)
    without = list(nlp.pipe(texts))
    pipe.dep_scores = True
    assert {score for doc in without for score in scores(doc)} == {None}
    docs = list(nlp.pipe(texts))
    assert [arcs(doc) for doc in docs] == [arcs(doc) for doc in without]
    found = [score for doc in docs for score in scores(doc)]
    assert all(type(score) is float and 0 <= score <= 1 for score in found)
    assert len(set(found)) > 5
    pipe.dep_scores = False
    assert set(scores(nlp(texts[-1]))) == {None}


def test_scores_of_another_parse_go():
    nlp = sentence_parser(dep_scores=True)
    doc = nlp("foxes and owls hunt mice .")
    doc.user_data["kept"] = doc.user_data["._.", "other", 0, None] = 1
    nlp.get_pipe(NAME).dep_scores = False
    nlp.get_pipe(NAME)(doc)
    assert doc.user_data == {"kept": 1, ("._.", "other", 0, None): 1}


def test_scores_are_those_of_the_moves():
    nlp = sentence_parser(dep_scores=True)
    doc = nlp(" ".join(words(20)))
    (sentences,) = nlp.get_pipe(NAME).derivations([bare(nlp, doc)])
    of_arcs = {move.score for sentence in sentences for move in sentence.moves if move.label}
    assert all(token._.dep_score in of_arcs for token in doc if token.dep_ != "ROOT")


def test_what_is_known_by_heart_is_sure():
    nlp = overfitted(dep_scores=True)
    gold = gold_doc(nlp, PROJECTIVE)
    doc = nlp(bare(nlp, gold))
    assert arcs(doc) == arcs(gold)
    assert min(scores(doc)) > 0.8


def test_lifted_arcs_keep_their_scores():
    nlp = overfitted(trees=CROSSING, projectivize="head", dep_scores=True)
    gold = gold_doc(nlp, CROSSING[:1])
    doc = nlp(bare(nlp, gold))
    assert crosses(doc) and arcs(doc) == arcs(gold)
    (parse,) = nlp.get_pipe(NAME).predict(bare(nlp, gold))
    assert scores(doc) == parse.scores.tolist()


def test_saved_with_docs():
    nlp = sentence_parser(dep_scores=True)
    doc = nlp(TEXTS[-1])
    assert scores(Doc(nlp.vocab).from_bytes(doc.to_bytes())) == scores(doc)
    data = DocBin(docs=[doc], store_user_data=True).to_bytes()
    (again,) = DocBin().from_bytes(data).get_docs(nlp.vocab)
    assert scores(again) == scores(doc)


def test_processes():
    nlp = sentence_parser(dep_scores=True)
    docs = list(nlp.pipe(TEXTS, n_process=2, batch_size=2))
    for doc, expected in zip(docs, nlp.pipe(TEXTS), strict=True):
        # A product of matrices may be rounded in another way where there are fewer rows
        assert scores(doc) == pytest.approx(scores(expected), rel=1e-5)


def test_saved_with_the_pipeline(tmp_path):
    nlp = sentence_parser(dep_scores=True)
    nlp.to_disk(tmp_path)
    expected = scores(nlp(TEXTS[1]))
    Token.remove_extension(DEP_SCORE)
    again = spacy.load(tmp_path)
    assert again.get_pipe(NAME).dep_scores
    assert scores(again(TEXTS[1])) == expected
    settings = {"components": {NAME: {"dep_scores": False}}}
    assert not spacy.load(tmp_path, config=settings).get_pipe(NAME).dep_scores


@pytest.mark.parametrize("value", [1, numpy.bool_(True), "yes"])
def test_what_is_true_is_saved_as_that(value, tmp_path):
    nlp = sentence_parser()
    nlp.get_pipe(NAME).dep_scores = value
    nlp.to_disk(tmp_path)
    assert spacy.load(tmp_path).get_pipe(NAME).dep_scores is True


def test_unpickled_in_another_process():
    nlp = sentence_parser(dep_scores=True)
    data = pickle.dumps(nlp)
    expected = scores(nlp(TEXTS[1]))
    Token.remove_extension(DEP_SCORE)
    assert scores(pickle.loads(data)(TEXTS[1])) == expected


def test_attribute_of_others():
    Token.set_extension(DEP_SCORE, getter=len)
    check_doc(wild()("rain !"))
    with pytest.raises(ValueError, match="E090"):
        blank(dep_scores=True)
    assert Token.get_extension(DEP_SCORE)[2] is len


def test_linear_model_has_none():
    config = {"model": linear_config(), "dep_scores": True}
    with pytest.raises(ValueError, match=r"\[NM056\]"):
        spacy.blank("xx").add_pipe(NAME, config=config)
    pipe = spacy.blank("xx").add_pipe(NAME, config={"model": linear_config()})
    with pytest.raises(ValueError, match=r"\[NM056\]"):
        pipe.dep_scores = True
    assert not pipe.dep_scores
