"""Overfitting: every system learns the trees that it can build, and their boundaries."""

import pytest
from spacy.scorer import Scorer
from spacy.tokens import Doc
from spacy.training import Example

from spacy_nonmono import get_system

from .util import (
    CROSSING,
    NAME,
    PROJECTIVE,
    SOME_UNDERIVABLE,
    SYSTEMS,
    TRAININGS,
    arcs,
    bare,
    check_doc,
    crosses,
    gold_doc,
    gold_examples,
    initialized,
    linear_config,
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


@SOME_UNDERIVABLE  # where a boundary is predicted within a sentence
@pytest.mark.parametrize(("system", "oracle"), TRAININGS)
def test_projective_trees_are_learnt(system, oracle):
    nlp = overfitted(system, oracle=oracle)
    assert nlp.get_pipe(NAME).oracle.name == oracle
    check_learnt(nlp, PROJECTIVE)


@SOME_UNDERIVABLE
@pytest.mark.parametrize(("system", "oracle"), CROSSING_TRAININGS)
def test_crossing_trees_are_learnt(system, oracle):
    nlp = overfitted(system, CROSSING, oracle=oracle)
    assert crosses(gold_doc(nlp, CROSSING[:1]))
    check_learnt(nlp, CROSSING)


@SOME_UNDERIVABLE
@pytest.mark.parametrize("system", PROJECTIVE_SYSTEMS)
@pytest.mark.parametrize("oracle", [None, "static"])
def test_projective_systems_survive_crossing_trees(system, oracle):
    check_survives(overfitted(system, CROSSING, oracle=oracle))


@pytest.mark.parametrize("settings", [{}, {"model": linear_config()}], ids=["neural", "linear"])
def test_sentences_without_a_static_derivation_are_counted(settings):
    """One of three; the warning comes with the first update, and once."""
    nlp = initialized("arc_standard", CROSSING, oracle="static", **settings)
    oracle = nlp.get_pipe(NAME).oracle
    examples = gold_examples(nlp, CROSSING)
    for example in examples:
        example.predicted[0].is_sent_start = True
        for token in example.predicted[1:]:
            token.is_sent_start = False
    with pytest.warns(UserWarning, match=r"\[NM552\] .* 'arc_standard' .* of 1 sentences"):
        train(nlp, examples, 1)
    assert (oracle.underivable, oracle.too_long) == (1, 0)
    train(nlp, examples, 2)
    assert (oracle.underivable, oracle.too_long) == (3, 0)


def test_sentences_that_are_too_long_for_the_oracle_are_counted():
    nlp = initialized("arc_standard", model=linear_config())
    n = nlp.get_pipe(NAME).oracle.max_words + 1
    doc = Doc(nlp.vocab, words=["rain"] * n, heads=[0] * n, deps=["ROOT"] + ["punct"] * (n - 1))
    predicted = Doc(nlp.vocab, words=["rain"] * n, sent_starts=[True] + [False] * (n - 1))
    examples = [Example(predicted, doc)]
    with pytest.warns(UserWarning, match=r"\[NM553\] 1 sentences .* 2000 words"):
        train(nlp, examples, 1)
    train(nlp, examples, 1)
    oracle = nlp.get_pipe(NAME).oracle
    assert (oracle.underivable, oracle.too_long) == (0, 2)


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
