"""Overfitting: every system learns the trees that it can build, and their boundaries."""

import pytest
from spacy.scorer import Scorer
from spacy.training import Example

from spacy_nonmono import get_system

from .util import (
    CROSSING,
    NAME,
    PROJECTIVE,
    SYSTEMS,
    TRAININGS,
    arcs,
    bare,
    check_doc,
    crosses,
    gold_doc,
    gold_examples,
    initialized,
    overfitted,
    train,
)

CROSSING_SYSTEMS = [name for name in SYSTEMS if not get_system(name).projective]
CROSSING_TRAININGS = [row for row in TRAININGS if row[0] in CROSSING_SYSTEMS]
PROJECTIVE_SYSTEMS = [name for name in SYSTEMS if get_system(name).projective]


def check_learnt(nlp, trees):
    for group in (*([tree] for tree in trees), trees, trees[::-1]):
        gold = gold_doc(nlp, group)
        doc = bare(nlp, gold)
        if group == trees[::-1]:
            # An order that was not trained on: with its boundaries
            doc = gold_doc(nlp, group)
            for token in doc:
                token.dep_ = ""
        nlp(doc)
        check_doc(doc)
        assert arcs(doc) == arcs(gold)


def check_survives(nlp):
    """Trees are projective, and right where no gold arcs cross."""
    gold = gold_doc(nlp, CROSSING)
    doc = nlp(bare(nlp, gold))
    check_doc(doc, projective=True)
    assert arcs(doc)[7:] == arcs(gold)[7:]


@pytest.mark.parametrize(("system", "oracle"), TRAININGS)
def test_projective_trees_are_learnt(system, oracle):
    nlp = overfitted(system, oracle=oracle)
    assert nlp.get_pipe(NAME).oracle.name == oracle
    check_learnt(nlp, PROJECTIVE)


@pytest.mark.parametrize(("system", "oracle"), CROSSING_TRAININGS)
def test_crossing_trees_are_learnt(system, oracle):
    nlp = overfitted(system, CROSSING, oracle=oracle)
    assert crosses(gold_doc(nlp, CROSSING[:1]))
    check_learnt(nlp, CROSSING)


@pytest.mark.parametrize("system", PROJECTIVE_SYSTEMS)
@pytest.mark.parametrize("oracle", [None, "static"])
def test_projective_systems_survive_crossing_trees(system, oracle):
    check_survives(overfitted(system, CROSSING, oracle=oracle))


def test_loss_falls_and_is_accumulated():
    nlp = initialized()
    examples = gold_examples(nlp, PROJECTIVE)
    losses = {NAME: 1000.0}
    first = nlp.update(examples, losses=losses, sgd=nlp.create_optimizer())
    assert first[NAME] > 1000.0
    assert train(nlp, examples, 20)[NAME] < 0.5 * (first[NAME] - 1000.0)


def test_evaluate():
    nlp = overfitted()
    examples = gold_examples(nlp, PROJECTIVE, together=True)
    scores = nlp.evaluate(examples)
    for key in ("dep_uas", "dep_las", "sents_p", "sents_r", "sents_f"):
        assert scores[key] == 1.0
    assert set(scores["dep_las_per_type"]) >= {"obl", "nsubj", "conj"}
    pipe = nlp.get_pipe(NAME)
    predicted = [Example(pipe(bare(nlp, eg.reference)), eg.reference) for eg in examples]
    assert pipe.score(predicted)["dep_las"] == 1.0
    assert Scorer(nlp).score(predicted)["dep_uas"] == 1.0


def test_dropout_is_switched_on_and_off():
    nlp = initialized()
    examples = gold_examples(nlp, PROJECTIVE)
    sgd = nlp.create_optimizer()
    for drop in (0.5, 0.0, 0.9):
        nlp.update(examples, drop=drop, sgd=sgd)
    texts = ["foxes and owls hunt mice .", "rain !"]
    assert [arcs(doc) for doc in nlp.pipe(texts)] == [arcs(nlp(text)) for text in texts]
